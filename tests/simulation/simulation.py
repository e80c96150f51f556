"""One seed's run: the service lives, crashes and lives again until its hands are played and all has come to an end."""

from __future__ import annotations

import asyncio

from tests.simulation.calls import AWAY, Receive, Request
from tests.simulation.chance import Chance
from tests.simulation.checks import Checks
from tests.simulation.disk import Disk
from tests.simulation.life import Life
from tests.simulation.run import Result, Run, limits
from tests.simulation.scenario import scenario
from tests.simulation.server import Server
from tests.simulation.world import MS, NS, World

from croupier.room.actor import TableActor


class Simulation(Run):
    """One server."""

    def __init__(self, seed: int) -> None:
        world, chance = World(), Chance(f"seed {seed}")
        plan = scenario(chance.child("scenario"))
        disk = Disk(world, chance.child("disk"), plan.faults)
        super().__init__(world, chance, plan, disk, Checks(world, disk))
        disk.on_answered = self._compare
        disk.on_power_cut = self._crash
        self._disk = disk
        self._faults = plan.faults
        self._crashes = self.chance.child("crashes")
        self._server: Server | None = None
        self._lives = 0
        self._crash_at = 0

    # the service

    def _start(self) -> None:
        self._lives += 1
        world, offset = self.world, 0
        if self._lives > 1 and self._crashes.one_in(self._faults.clock_step):
            world.fault("clock step")
            offset = self._crashes.choice((-20 * NS, -NS, NS, 3600 * NS))
        life = Life(world, self.chance, self._lives, offset)
        self._disk.begin(life)
        self.checks.new_life()
        self._server = Server(world, life, self._disk, self._wallet(life, self._disk), self.checks)
        self._crash_at = 0
        if self._faults.crash and not world.healed:
            self._crash_at = world.steps + 1 + self._crashes.below(2 * self._faults.crash)

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
        self._disk.crash()
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

    def _host(self) -> Server | None:
        return self._server

    def actors(self) -> list[TableActor]:
        assert self._server is not None
        return self._server.room.tables()

    # the run

    def run(self) -> None:
        """Until everything has ended, or something is wrong."""
        self._start()
        if self._faults.stall:
            self._stall()
        self._play(self._crash_in_time)

    def _crash_in_time(self) -> None:
        if self.world.steps == self._crash_at:
            self._stop_or_crash()

    def stop(self) -> None:
        """Nothing is left that goes on."""
        if self._server is not None:
            self._server.life.end()


def simulate(seed: int) -> Result:
    """Play the scenario of a seed."""
    simulation = Simulation(seed)
    with limits(simulation.plan):
        simulation.run()
        simulation.stop()
    return simulation.result(seed)
