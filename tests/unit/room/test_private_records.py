"""Records that concern one player alone leave no trace at the table: neither in its numbers nor in its time."""

from __future__ import annotations

from functools import partial

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.seated import PLAYERS, fold_out, table_of

from croupier.engine import actions
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.table_events import AdvanceAction, AdvanceKind, Preferences

CHECK_FOLD = AdvanceAction(AdvanceKind.CHECK_FOLD)


async def bystander(table: SimulatedTable) -> str:
    """A player in the hand whose turn it is not."""
    return next(player for player in PLAYERS if player != table.decision.player_id)


@simulated()
async def test_a_private_record_takes_no_public_number_and_tells_nobody(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    sequence, record, heard = table.actor.sequence, table.actor.next_record, len(table.noted)
    player = await bystander(table)
    assert await table.say(player, CHECK_FOLD) == 1
    assert await table.say(player, None) == 2
    assert await table.prefer(player, Preferences()) == 3
    assert (table.actor.sequence, table.actor.next_record) == (sequence, record + 3)
    assert len(table.noted) == heard


@simulated()
async def test_a_private_record_that_the_disk_takes_long_for_moves_no_deadline(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: only a decision told late is given the time back."""
    table = await table_of(runtime, *PLAYERS)
    deadline = table.decision.deadline
    table.store.hold()
    runtime.spawn(_said(table, await bystander(table)))
    await table.sleep(2)
    table.store.release()
    await runtime.idle()
    assert table.decision.deadline == deadline
    table.store.hold()
    runtime.spawn(_acted(table))
    await table.sleep(2)
    table.store.release()
    await runtime.idle()
    assert table.decision.deadline == runtime.now() + 20 * NS


@simulated()
async def test_an_answer_tells_the_deadline_that_stands_once_it_can_be_told(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: a decision told late is given the time back; the same request again is told the same."""
    table = await table_of(runtime, *PLAYERS)
    decision = table.decision
    named = (decision.player_id, decision.hand_number, decision.action_sequence)
    act = partial(table.room.act, "test", "once", table.table_id, *named, actions.CALL)
    table.store.hold()
    asked = [runtime.begin(act()), runtime.begin(act())]
    await table.sleep(2)
    table.store.release()
    told = [(await one).decision for one in asked]
    assert told == [table.actor.decision()] * 2
    assert table.decision.deadline == runtime.now() + 20 * NS


async def _said(table: SimulatedTable, player: str) -> None:
    await table.say(player, CHECK_FOLD)


async def _acted(table: SimulatedTable) -> None:
    await table.act(actions.CALL)


@simulated()
async def test_a_player_whose_advance_action_is_done_needs_no_time(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    first = table.decision.player_id
    others = [player for player in PLAYERS if player != first]
    for player in others:
        await table.say(player, AdvanceAction(AdvanceKind.CALL_ANY))
    now = runtime.now()
    await table.act(actions.ALL_IN)
    assert runtime.now() == now
    assert [event.cause for event in table.heard(ev.Called)] == [ev.Cause.ADVANCE] * 2
    assert len(table.heard(ev.HandEnded)) == 1


@simulated()
async def test_cards_are_remembered_no_longer_than_they_may_be_shown(runtime: SimulatedRuntime) -> None:
    """R-H9."""
    table = await table_of(runtime, *PLAYERS, show_window_ms=5000, pause_ms=60_000)
    number = table.decision.hand_number
    await fold_out(table)
    await table.sleep(4.9)
    await table.show("anna", number)
    assert [event.player_id for event in table.heard(tev.CardsShown)] == ["anna"]
    assert table.actor.table.ended is not None
    await table.sleep(0.2)
    assert table.actor.table.ended is None


@simulated()
async def test_a_restart_ends_the_time_to_show_cards(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS, show_window_ms=5000, pause_ms=60_000)
    await fold_out(table)
    await table.restart()
    assert table.actor.table.ended is None
