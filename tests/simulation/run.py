"""What a run of a seed has whatever service it plays with: those around it, from the first table to the end."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from tests.simulation.calls import Network, Receive, Reply, Request
from tests.simulation.chance import Chance
from tests.simulation.checks import Checks
from tests.simulation.durable import Durable
from tests.simulation.ending import Ending
from tests.simulation.life import Life
from tests.simulation.player import Player
from tests.simulation.scenario import Scenario, TablePlan
from tests.simulation.wallet import OutsideWallet, SimulatedCalls
from tests.simulation.watcher import Host, Watcher
from tests.simulation.world import NS, World

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.remote_wallet import RemoteWallet
from croupier.room import actor, history, subscriptions
from croupier.room.actor import TableActor
from croupier.room.ports import Store
from croupier.room.wallet_ports import Wallet

LONGEST: Final = 1800 * NS
"""Simulated time after which no more is played."""
LONGEST_END: Final = 3600 * NS
MOST_STEPS: Final = 800_000


class Result(msgspec.Struct, frozen=True):
    """`trace` is the same for every run of a seed. `wrong` is empty where all was well."""

    seed: int
    trace: str
    hands: int
    steps: int
    simulated_s: int
    faults: Counter[str]
    wrong: list[str]


class Run(ABC):
    """Everything that there is in it but the service."""

    def __init__(self, world: World, chance: Chance, plan: Scenario, disk: Durable, checks: Checks) -> None:
        self.world = world
        self.chance = chance
        self.plan = plan
        self.disk = disk
        self.checks = checks
        self.outside = OutsideWallet(chance.child("wallet")) if plan.outside else None
        self.network = Network(world, chance.child("network"), plan.faults, self._deliver)
        self.players: list[Player] = []
        self.watchers: list[Watcher] = []
        self.wealth: dict[str, int] = {}
        self.ending: Ending | None = None

    # the service

    @abstractmethod
    def _deliver(self, request: Request, receive: Receive) -> None:
        """Take a request to the service, if there is one."""

    @abstractmethod
    def _host(self) -> Host | None:
        """Whom a watcher may ask."""

    @abstractmethod
    def actors(self) -> list[TableActor]:
        """The tables that are played, as they live."""

    def _wallet(self, life: Life, store: Store) -> Wallet:
        if self.outside is None:
            return EmbeddedWallet(store)
        chance = self.chance.child(f"calls of life {life.number}")
        calls = SimulatedCalls(self.world, chance, self.plan.faults, life, self.outside)
        return RemoteWallet(calls, store)

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
        if self.ending is not None:
            self.ending.close(table_id)

    def _watch(self, table_id: str, viewer: str, player: Player | None) -> None:
        chance = self.chance.child(f"watcher {viewer} {len(self.watchers)}")
        hear = player.hear if player is not None else lambda _: None
        self.watchers.append(
            Watcher(self.world, chance, self.plan.faults, self.checks, self._host, table_id, viewer, hear)
        )

    # the run

    def _play(self, before_step: Callable[[], None]) -> None:
        """Until everything has ended, or something is wrong."""
        world = self.world
        world.after(LONGEST, self._end)
        for number, plan in enumerate(self.plan.tables):
            world.after(0, self._open, number, plan)
        try:
            while world.step() and not world.wrong and not self._over():
                before_step()
                if world.steps > MOST_STEPS or world.now > LONGEST + LONGEST_END:
                    world.violated("it does not come to an end")
        finally:
            world.leave()
        if not world.wrong:
            assert self.ending is not None
            self.ending.check(self.actors())

    def _over(self) -> bool:
        """Whether nothing more is waited for."""
        return False

    def _end(self) -> None:
        """Nothing goes wrong any more, and every table is closed."""
        if self.ending is None:
            self.world.healed = True
            self.ending = Ending(self)

    def result(self, seed: int) -> Result:
        world = self.world
        told = hashlib.blake2b(digest_size=8)
        for part in (world.digest(), str(world.steps), *world.wrong):
            told.update(part.encode() + b"\n")
        return Result(
            seed,
            told.hexdigest(),
            self.checks.hands_ended,
            world.steps,
            world.now // NS,
            world.faults,
            world.wrong,
        )


@contextmanager
def limits(plan: Scenario) -> Iterator[None]:
    """Queues so short that they fill up."""
    kept = actor.MAILBOX, subscriptions.MOST_WAITING, history.PAGE
    actor.MAILBOX = plan.limits  # type: ignore[misc]
    subscriptions.MOST_WAITING = max(16, plan.limits)  # type: ignore[misc]
    history.PAGE = plan.page  # type: ignore[misc]
    try:
        yield
    finally:
        actor.MAILBOX, subscriptions.MOST_WAITING, history.PAGE = kept  # type: ignore[misc]
