"""Nobody's time is over while callers may not get to the table by way of other servers."""

from __future__ import annotations

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.stopped import seated

from croupier.engine import table_events as tev
from croupier.room.reach import Reach


class Bus:
    """What is sent over it arrives until `broken`, which is known `after` a while."""

    def __init__(self, runtime: SimulatedRuntime) -> None:
        self.connected = True
        self.asked = 0
        self._runtime = runtime
        self._proven = runtime.now()
        self._broken = False

    @property
    def silence_s(self) -> float:
        return (self._runtime.now() - self._proven) / NS

    def prove(self) -> None:
        self.asked += 1
        if not self._broken:
            self._proven = self._runtime.now()

    def break_silently(self) -> None:
        self._broken = True

    def mend(self) -> None:
        self.connected, self._broken = True, False
        self.prove()


class Lease:
    def __init__(self) -> None:
        self.over = False

    def lapsed(self) -> bool:
        return self.over


class Reachable:
    """A table with a player who does not act, and what it is reached by."""

    def __init__(self, table: SimulatedTable, *, alone: bool = False) -> None:
        self.table = table
        self.bus = Bus(table.runtime)
        self.lease = Lease()
        self.unheard = False
        table.services.reach = Reach(table.runtime, self.bus, self.lease, lambda: alone, lambda: self.unheard)

    @classmethod
    async def of(cls, runtime: SimulatedRuntime, *, alone: bool = False) -> Reachable:
        return cls(await seated(runtime), alone=alone)

    @property
    def deadline(self) -> int:
        return self.table.actor.clock.deadline

    def time_outs(self) -> int:
        return len(self.table.heard(tev.TimedOut))


@simulated()
async def test_a_time_out_waits_for_a_proof_that_the_bus_carried_until_then(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: by a fraction of a second."""
    reachable = await Reachable.of(runtime)
    deadline = reachable.deadline
    await runtime.sleep_until(deadline - 1)
    assert not reachable.bus.asked
    await runtime.sleep_until(deadline + NS // 10)
    assert (reachable.bus.asked, reachable.time_outs()) == (1, 1)


@simulated()
async def test_a_broken_bus_gives_the_whole_time_again_as_often_as_it_is_over(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15."""
    reachable = await Reachable.of(runtime)
    deadline, span = reachable.deadline, reachable.deadline - runtime.now()
    reachable.bus.break_silently()
    await runtime.sleep_until(deadline + NS // 2)
    assert reachable.deadline == deadline
    assert reachable.bus.asked < 30
    reachable.bus.connected = False
    known = runtime.now()
    await runtime.sleep(1)
    assert known + span <= reachable.deadline <= known + span + NS
    await runtime.sleep(3 * span / NS)
    assert not reachable.time_outs()
    reachable.bus.mend()
    await runtime.sleep_until(reachable.deadline + NS // 10)
    assert reachable.time_outs() == 1


@simulated()
async def test_a_lease_that_may_be_over_ends_nobodys_time(runtime: SimulatedRuntime) -> None:
    reachable = await Reachable.of(runtime, alone=True)
    reachable.lease.over = True
    await runtime.sleep_until(reachable.deadline + NS)
    assert not reachable.time_outs()
    reachable.lease.over = False
    await runtime.sleep_until(reachable.deadline + NS // 10)
    assert reachable.time_outs() == 1


@simulated()
async def test_a_server_without_others_needs_no_bus(runtime: SimulatedRuntime) -> None:
    reachable = await Reachable.of(runtime, alone=True)
    reachable.bus.connected = False
    await runtime.sleep_until(reachable.deadline + NS // 10)
    assert reachable.time_outs() == 1


@simulated()
async def test_whoever_is_gone_and_has_no_time_is_asked_for_now_and_then(runtime: SimulatedRuntime) -> None:
    """R-T15: not over and over at one moment, which would take the whole processor."""
    reachable = await Reachable.of(runtime)
    actor, player_id = reachable.table.actor, reachable.table.decision.player_id
    actor.clock.connected(player_id)
    actor.clock.left(player_id)
    actor.table.seats[actor.table.seat_of(player_id)].time_outs = 1
    reachable.unheard = True
    await runtime.sleep_until(reachable.deadline + NS // 10)
    runtime.timers_set = 0
    await runtime.sleep(10)
    assert not reachable.time_outs()
    assert 10 < runtime.timers_set < 100
    reachable.unheard = False
    await runtime.sleep(1)
    assert reachable.time_outs() == 1


@simulated()
async def test_while_another_server_is_not_heard_nobodys_time_is_over(runtime: SimulatedRuntime) -> None:
    """R-T15: callers there do not get here."""
    reachable = await Reachable.of(runtime)
    deadline = reachable.deadline
    reachable.unheard = True
    await runtime.sleep_until(deadline + NS)
    assert reachable.deadline > deadline
    assert not reachable.time_outs()
    reachable.unheard = False
    await runtime.sleep_until(reachable.deadline + NS // 10)
    assert reachable.time_outs() == 1


@simulated()
async def test_who_must_act_gets_the_whole_time_once_more(runtime: SimulatedRuntime) -> None:
    """R-T15: when callers get here again."""
    reachable = await Reachable.of(runtime)
    before, span = reachable.deadline, reachable.deadline - runtime.now()
    await runtime.sleep_until(before - NS)
    reachable.table.actor.schedule.time_again()
    assert reachable.deadline == runtime.now() + span
    await runtime.sleep_until(before + NS)
    assert not reachable.time_outs()
    await runtime.sleep_until(reachable.deadline + NS // 10)
    assert reachable.time_outs() == 1
