"""A process that was stopped over a deadline times nobody out when it wakes."""

from __future__ import annotations

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable

from croupier.engine import table_events as tev


@simulated()
async def test_a_process_that_slept_over_a_deadline_gives_the_whole_time_again(
    runtime: SimulatedRuntime,
) -> None:
    table = await SimulatedTable.open(runtime, hand_pause_ms=0)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    actor, before = table.actor, table.decision
    actor.clock.deadline = runtime.now() - 2 * NS
    actor.schedule.rang()
    after = table.decision
    assert after.deadline == runtime.now() + 20 * NS
    assert (after.player_id, after.action_sequence) == (before.player_id, before.action_sequence)
    assert not table.heard(tev.TimedOut)
    late = await table.time_out()
    assert late.player_id == before.player_id, "the time given again runs out like any other"
