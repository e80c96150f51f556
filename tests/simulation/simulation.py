"""One seed's run: the service lives, crashes and lives again until its hands are played and all has come to an end."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from tests.simulation.calls import AWAY, Network, Receive, Reply, Request
from tests.simulation.chance import Chance
from tests.simulation.checks import Checks
from tests.simulation.disk import Disk
from tests.simulation.ending import Ending
from tests.simulation.life import Life
from tests.simulation.player import Player
from tests.simulation.scenario import Scenario, TablePlan, scenario
from tests.simulation.server import Server
from tests.simulation.wallet import OutsideWallet, SimulatedCalls
from tests.simulation.watcher import Watcher
from tests.simulation.world import MS, NS, World

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.remote_wallet import RemoteWallet
from croupier.room import actor, history, subscriptions
from croupier.room.wallet_ports import Wallet

LONGEST: Final = 1800 * NS
"""Simulated time after which no more is played."""
LONGEST_END: Final = 3600 * NS
MOST_STEPS: Final = 400_000


class Result(msgspec.Struct, frozen=True):
    """`trace` is the same for every run of a seed. `wrong` is empty where all was well."""

    seed: int
    trace: str
    hands: int
    steps: int
    simulated_s: int
    faults: Counter[str]
    wrong: list[str]


class Simulation:
    """Everything that there is in it."""

    def __init__(self, seed: int) -> None:
        self.world = World()
        self.chance = Chance(f"seed {seed}")
        self.plan: Scenario = scenario(self.chance.child("scenario"))
        faults = self.plan.faults
        self.disk = Disk(self.world, self.chance.child("disk"), faults)
        self.disk.on_answered = self._compare
        self.disk.on_power_cut = self._crash
        self.checks = Checks(self.world, self.disk)
        self.outside = OutsideWallet(self.chance.child("wallet")) if self.plan.outside else None
        self.network = Network(self.world, self.chance.child("network"), faults, self._deliver)
        self.players: list[Player] = []
        self.watchers: list[Watcher] = []
        self.wealth: dict[str, int] = {}
        self._faults = faults
        self._crashes = self.chance.child("crashes")
        self._server: Server | None = None
        self._lives = 0
        self._crash_at = 0
        self._ending: Ending | None = None

    # the service

    def _start(self) -> None:
        self._lives += 1
        world, offset = self.world, 0
        if self._lives > 1 and self._crashes.one_in(self._faults.clock_step):
            world.fault("clock step")
            offset = self._crashes.choice((-20 * NS, -NS, NS, 3600 * NS))
        life = Life(world, self.chance, self._lives, offset)
        self.disk.begin(life)
        self.checks.new_life()
        self._server = Server(world, life, self.disk, self._wallet(life), self.checks)
        self._crash_at = 0
        if self._faults.crash and not world.healed:
            self._crash_at = world.steps + 1 + self._crashes.below(2 * self._faults.crash)

    def _wallet(self, life: Life) -> Wallet:
        if self.outside is None:
            return EmbeddedWallet(self.disk)
        chance = self.chance.child(f"calls of life {life.number}")
        return RemoteWallet(SimulatedCalls(self.world, chance, self._faults, life, self.outside), self.disk)

    def _stop_or_crash(self) -> None:
        """Now and then the service is told to stop: no hand starts any more, and a second later it is gone."""
        if self._server is not None and self._server.ready and self._crashes.one_in(4):
            self.world.fault("stop")
            asyncio._set_running_loop(self._server.life.loop)
            self._server.room.drain()
            self._server.room.end_streams()
            self.world.leave()
            self.world.after(NS, self._gone, self._server)
        else:
            self._crash()

    def _crash(self) -> None:
        if not self.world.healed and self._server is not None:
            self.world.fault("crash")
            self._gone(self._server)

    def _gone(self, server: Server) -> None:
        """What was in memory is lost; another process follows."""
        if server is not self._server:
            return
        server.life.end()
        self._server = None
        self.disk.crash()
        for watcher in self.watchers:
            self.world.after(self._crashes.below(20 * MS), watcher.cut)
        self.world.after(self._crashes.between(0, 2 * NS), self._start)

    def _stall(self) -> None:
        """The process stands still for a while: clocks jump, and nothing is done in time."""
        if self.world.healed:
            return
        if self._server is not None and self._crashes.one_in(self._faults.stall):
            self.world.fault("stall")
            self._server.life.stalled_until = self.world.now + self._crashes.choice((NS, 5 * NS, 40 * NS))
        self.world.after(NS, self._stall)

    def _deliver(self, request: Request, receive: Receive) -> None:
        if self._server is None:
            receive(AWAY)
        else:
            self._server.take(request, receive)

    def _compare(self) -> None:
        if self.checks.hands_ended >= self.plan.hands:
            self._end()
        if self._server is not None and self._server.ready:
            self.checks.compare(self._server.room.tables())

    # those around it

    def _open(self, number: int, plan: TablePlan) -> None:
        def then(reply: Reply) -> None:
            if reply.kind == "done":
                self._opened(number, plan, reply.answer.table.table_id)
            else:
                self.world.violated(f"a table was refused: {reply.reason}")

        content = (f"table {number}", plan.rules, plan.digest)
        self.network.call("operator", "CreateTable", "", "", content, then)

    def _opened(self, number: int, plan: TablePlan, table_id: str) -> None:
        world, chance = self.world, self.chance
        for count in range(plan.players):
            name = f"player-{number}-{count}"
            player = Player(
                world, chance.child(name), self.network, name, table_id, plan.rules, outside=self.plan.outside
            )
            self.players.append(player)
            if self.outside is not None:
                self.wealth[name] = self.plan.wealth * plan.rules.max_buy_in
                self.outside.available[name] = self.wealth[name]
            self._watch(table_id, name, player)
        self._watch(table_id, "", None)
        if self._ending is not None:
            self._ending.close(table_id)

    def _watch(self, table_id: str, viewer: str, player: Player | None) -> None:
        chance = self.chance.child(f"watcher {viewer} {len(self.watchers)}")
        hear = player.hear if player is not None else lambda _: None
        self.watchers.append(
            Watcher(
                self.world, chance, self._faults, self.checks, lambda: self._server, table_id, viewer, hear
            )
        )

    # the run

    def run(self) -> None:
        """Until everything has ended, or something is wrong."""
        world = self.world
        self._start()
        if self._faults.stall:
            self._stall()
        world.after(LONGEST, self._end)
        for number, plan in enumerate(self.plan.tables):
            world.after(0, self._open, number, plan)
        try:
            while world.step() and not world.wrong:
                if world.steps == self._crash_at:
                    self._stop_or_crash()
                elif world.steps > MOST_STEPS or world.now > LONGEST + LONGEST_END:
                    world.violated("it does not come to an end")
        finally:
            world.leave()
        if not world.wrong:
            assert self._server is not None
            assert self._ending is not None
            self._ending.check(self._server.room)

    def stop(self) -> None:
        """Nothing is left that goes on."""
        if self._server is not None:
            self._server.life.end()

    def _end(self) -> None:
        """Nothing goes wrong any more, and every table is closed."""
        if self._ending is None:
            self.world.healed = True
            self._ending = Ending(self)


@contextmanager
def _limits(plan: Scenario) -> Iterator[None]:
    """Queues so short that they fill up."""
    kept = actor.MAILBOX, subscriptions.MOST_WAITING, history.PAGE
    actor.MAILBOX = plan.limits  # type: ignore[misc]
    subscriptions.MOST_WAITING = max(16, plan.limits)  # type: ignore[misc]
    history.PAGE = plan.page  # type: ignore[misc]
    try:
        yield
    finally:
        actor.MAILBOX, subscriptions.MOST_WAITING, history.PAGE = kept  # type: ignore[misc]


def simulate(seed: int) -> Result:
    """Play the scenario of a seed."""
    simulation = Simulation(seed)
    world = simulation.world
    with _limits(simulation.plan):
        simulation.run()
        simulation.stop()
    told = hashlib.blake2b(digest_size=8)
    for part in (world.digest(), str(world.steps), *world.wrong):
        told.update(part.encode() + b"\n")
    return Result(
        seed,
        told.hexdigest(),
        simulation.checks.hands_ended,
        world.steps,
        world.now // NS,
        world.faults,
        world.wrong,
    )
