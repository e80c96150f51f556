"""The clock of a decision: how long it runs, what happens when it is over, and who is not waited for (R-T15)."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import PLAYERS, next_hand, seat_of, table_of

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import ALL_IN, CHECK, FOLD
from croupier.room.clock import MOST_REMEMBERED


async def until_turn_of(table: SimulatedTable, player: str) -> None:
    """The others check or call, hand after hand, until the player must act."""
    while table.actor.decision() is None or table.decision.player_id != player:
        if table.actor.decision() is None:
            await next_hand(table)
        else:
            await table.check_or_call()


@pytest.mark.parametrize("seconds", [10, 20, 30])
def test_a_decision_has_the_tables_time_to_the_moment(seconds: int) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await table_of(runtime, *PLAYERS, action_time_ms=seconds * 1000)
        (dealt,) = table.times_of(ev.HoleCardsDealt)
        decision = table.decision
        assert decision.deadline == dealt + seconds * NS
        await runtime.sleep_until(decision.deadline - 1)
        assert table.decision == decision
        await runtime.sleep_until(decision.deadline)
        assert table.times_of(ev.Folded) == [decision.deadline]

    scenario()


@simulated()
async def test_the_time_is_halved_with_each_time_out_down_to_five_seconds(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS, action_time_ms=30_000, time_outs_to_sit_out=100)
    spans = []
    for _ in range(6):
        await until_turn_of(table, "bert")
        spans.append(table.seconds_left())
        await table.time_out()
    assert spans == [30, 15, 7.5, 5, 5, 5]
    await until_turn_of(table, "bert")
    await table.check_or_call()
    await until_turn_of(table, "bert")
    assert table.seconds_left() == 30, "acting in time gives the whole time back"


@simulated()
async def test_a_pause_in_the_middle_of_a_hand_neither_takes_time_nor_gives_any(
    runtime: SimulatedRuntime,
) -> None:
    """PauseTable keeps further hands from starting: whoever has to act goes on with what was left."""
    table = await table_of(runtime, *PLAYERS)
    await table.check_or_call()
    decision = table.decision
    await runtime.sleep(4)
    await table.change_state(cmd.PauseTable())
    assert (table.decision, table.seconds_left()) == (decision, 16)
    await runtime.sleep(5)
    await table.change_state(cmd.ResumeTable())
    assert (table.decision, table.seconds_left()) == (decision, 11)
    await table.change_state(cmd.PauseTable())
    await table.check_or_call()
    assert table.seconds_left() == 20, "the next one has the whole time"
    late = await table.time_out()
    assert table.times_of(tev.TimedOut) == [late.deadline], "the clock runs while the table is paused"


@simulated()
async def test_others_keep_their_time(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    late = await table.time_out()
    assert table.decision.player_id != late.player_id
    assert table.seconds_left() == 20


@simulated()
async def test_one_action_in_time_ends_a_run_of_time_outs(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    for _ in range(3):
        await until_turn_of(table, "bert")
        await table.time_out()
        await until_turn_of(table, "bert")
        await table.check_or_call()
    assert not table.heard(tev.SatOut)


@simulated()
async def test_two_time_outs_running_sit_out_after_the_hand_and_the_way_back_is_open(
    runtime: SimulatedRuntime,
) -> None:
    table = await table_of(runtime, *PLAYERS)
    for _ in range(2):
        await until_turn_of(table, "bert")
        await table.time_out()
    number = table.actor.table.carried.hand_number
    while table.actor.decision() is not None:
        await table.check_or_call()
    if not table.heard(tev.SatOut):
        assert table.actor.table.carried.hand_number == number
    await next_hand(table)
    assert seat_of(table, "bert").state == "SITTING_OUT"
    await table.change_seat("bert", cmd.SitIn("bert", False))
    await until_turn_of(table, "bert")
    assert table.seconds_left() == 20, "the run of time-outs is over"


@simulated()
async def test_a_player_who_is_all_in_is_not_timed(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    shover = await table.act(ALL_IN)
    while table.actor.decision() is not None:
        assert table.decision.player_id != shover.player_id
        await table.act(FOLD)
    assert not table.heard(tev.TimedOut)
    assert len(table.heard(ev.HandEnded)) == 1


@simulated()
async def test_a_disconnected_player_who_timed_out_is_acted_for_at_once(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS, time_outs_to_sit_out=100)
    watch = table.actor.subscribe("bert")
    await until_turn_of(table, "bert")
    table.actor.watchers.unsubscribe(watch)
    assert table.seconds_left() == 20, "a disconnection alone does nothing: the clock runs"
    await table.time_out()
    for _ in range(5):
        before = runtime.now()
        acted = len(table.heard(tev.TimedOut))
        while len(table.heard(tev.TimedOut)) == acted:
            if table.actor.decision() is None:
                await next_hand(table)
                before = runtime.now()
            else:
                await table.check_or_call()
        assert runtime.now() - before == 0
    causes = [event.cause for event in table.heard(ev.Folded) + table.heard(ev.Checked) if event.cause]
    assert causes.count(ev.Cause.TIME_OUT) == 1
    assert causes.count(ev.Cause.DISCONNECTED) == len(causes) - 1 >= 5
    table.actor.subscribe("bert")
    await until_turn_of(table, "bert")
    assert table.seconds_left() == 5, "back again, with the time that the time-outs left"
    await table.check_or_call()
    await until_turn_of(table, "bert")
    assert table.seconds_left() == 20


@simulated()
async def test_whoever_timed_out_and_leaves_while_deciding_is_acted_for_at_once(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15; not where another stream of the player's goes on, nor where the server ends the streams."""
    table = await table_of(runtime, *PLAYERS, time_outs_to_sit_out=100)
    watch, other = table.actor.subscribe("bert"), table.actor.subscribe("bert")
    await until_turn_of(table, "bert")
    await table.time_out()
    await until_turn_of(table, "bert")
    table.actor.watchers.unsubscribe(other)
    await table.sleep(1)
    assert table.seconds_left() == 9
    table.actor.watchers.unsubscribe(watch)
    await table.sleep(0.001)
    causes = [event.cause for event in table.heard(ev.Folded) + table.heard(ev.Checked) if event.cause]
    assert causes == [ev.Cause.TIME_OUT, ev.Cause.DISCONNECTED]
    watch = table.actor.subscribe("bert")
    await until_turn_of(table, "bert")
    table.actor.watchers.end("SERVER_DRAINING")
    table.actor.watchers.unsubscribe(watch)
    await table.sleep(1)
    assert table.decision.player_id == "bert"


@simulated()
async def test_whoever_is_back_before_being_acted_for_has_the_time_that_was_told(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: nobody is acted for while a record waits for the disk."""
    table = await table_of(runtime, *PLAYERS, time_outs_to_sit_out=100)
    watch = table.actor.subscribe("bert")
    await until_turn_of(table, "bert")
    await table.time_out()
    await until_turn_of(table, "bert")
    deadline = table.decision.deadline
    table.store.hold()
    wish = runtime.begin(table.prefer("anna", tev.Preferences()))
    await runtime.idle()
    table.actor.watchers.unsubscribe(watch)
    await table.sleep(0.1)
    assert table.decision.deadline == deadline
    table.actor.subscribe("bert")
    table.store.release()
    await wish
    await table.sleep(1)
    assert (table.decision.player_id, table.decision.deadline) == ("bert", deadline)
    await table.sleep(9)
    causes = [event.cause for event in table.heard(ev.Folded) + table.heard(ev.Checked) if event.cause]
    assert causes == [ev.Cause.TIME_OUT, ev.Cause.TIME_OUT]


@simulated()
async def test_a_player_who_never_watched_is_not_taken_for_disconnected(runtime: SimulatedRuntime) -> None:
    """A backend that watches nothing as its players gives them their time all the same."""
    table = await table_of(runtime, *PLAYERS, time_outs_to_sit_out=100)
    for _ in range(2):
        await until_turn_of(table, "bert")
        assert table.seconds_left() > 0
        await table.time_out()


@simulated()
async def test_those_who_watched_once_are_not_remembered_without_end(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    watchers = table.actor.watchers
    staying = table.actor.subscribe("anna")
    for number in range(3 * MOST_REMEMBERED):
        watchers.unsubscribe(table.actor.subscribe(f"passer-by {number}"))
    assert len(table.actor.clock._streams) <= MOST_REMEMBERED + 1
    watchers.unsubscribe(staying)
    table.actor.table.seats[1].time_outs = 1
    assert table.actor.clock.disconnected(table.actor.table, 1)


@simulated()
async def test_an_action_in_the_last_moment_counts(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert")
    await table.check_or_call()
    decision = table.decision
    await runtime.sleep_until(decision.deadline - 1)
    await table.act(CHECK)
    await table.sleep(1)
    assert not table.heard(tev.TimedOut)
    assert [event.cause for event in table.heard(ev.Checked)] == [ev.Cause.PLAYER]
