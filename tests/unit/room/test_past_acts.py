"""Actions of hands long over are answered from the journal when their request comes again."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable

from croupier.engine import actions
from croupier.engine import commands as cmd
from croupier.engine.actions import Action
from croupier.engine.table_events import Preferences, TableState
from croupier.room.failures import Refusal

PLAYERS = ("anna", "bert", "cleo")
HANDS = 40


class Made(NamedTuple):
    """An action as it was asked for, and the sequence it was answered with."""

    request_id: str
    player_id: str
    hand_number: int
    action_sequence: int
    action: Action
    sequence: int


async def ask(table: SimulatedTable, made: Made, **changed: Any) -> int:
    """Ask for the action, perhaps with something changed; the sequence in the answer."""
    asked = made._replace(**changed)
    acted = await table.room.act("test", asked.request_id, table.table_id, *asked[1:5])
    return acted.sequence


async def played(runtime: SimulatedRuntime) -> tuple[SimulatedTable, list[Made]]:
    """A table after many hands, among whose decisions some ran out of time, and its actions."""
    table = await SimulatedTable.open(runtime, max_buy_in=2000)
    for seat, player_id in enumerate(PLAYERS, start=1):
        await table.sit(player_id, seat, 2000)
    made: list[Made] = []
    while table.decision.hand_number <= HANDS:
        decision = table.decision
        if len(made) % 17 == 16:
            await table.time_out()
        action = actions.CALL if table.decision.legal.call_amount else actions.CHECK
        decision = table.decision
        named = (decision.player_id, decision.hand_number, decision.action_sequence, action)
        one = Made(f"act {len(made)}", *named, 0)
        made.append(one._replace(sequence=await ask(table, one)))
        await runtime.idle()
    return table, made


async def must_answer_as_before(table: SimulatedTable, made: list[Made]) -> None:
    for one in made:
        assert await ask(table, one) == one.sequence
        with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
            await ask(table, one, action=actions.FOLD)
        with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
            await ask(table, one, player_id="somebody else")
        with pytest.raises(Refusal, match=r"DECISION_STALE|TABLE_CLOSED"):
            await ask(table, one, request_id="another")


@simulated()
async def test_every_action_ever_made_is_answered_as_it_was(runtime: SimulatedRuntime) -> None:
    table, made = await played(runtime)
    assert made[-1].hand_number == HANDS
    await must_answer_as_before(table, made)
    await table.restart()
    await must_answer_as_before(table, made)
    await table.close()
    await table.check_down()
    await table.sleep(1)
    assert table.actor.table.carried.state is TableState.CLOSED
    await must_answer_as_before(table, made)


@simulated()
async def test_a_request_id_used_again_much_later_takes_no_first_answer_away(
    runtime: SimulatedRuntime,
) -> None:
    """A name counts for the hand it was used in and the next; what a decision was answered with stands for ever."""
    table, made = await played(runtime)
    standing, first = table.decision, made[0]
    action = actions.CALL if standing.legal.call_amount else actions.CHECK
    again = Made(
        first.request_id, standing.player_id, standing.hand_number, standing.action_sequence, action, 0
    )
    again = again._replace(sequence=await ask(table, again))
    assert await ask(table, again) == again.sequence
    assert await ask(table, first) == first.sequence
    with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
        await ask(table, again, action_sequence=again.action_sequence + 1)
    await table.restart()
    assert await ask(table, again) == again.sequence
    assert await ask(table, first) == first.sequence


@simulated()
async def test_a_decision_nobody_answered_is_stale(runtime: SimulatedRuntime) -> None:
    table, made = await played(runtime)
    late = made[20]._replace(request_id="late")
    for sequence in (late.action_sequence + 50, 1):
        with pytest.raises(Refusal, match="DECISION_STALE"):
            await ask(table, late, action_sequence=sequence)


@simulated()
async def test_finding_an_action_reads_little_of_the_journal(runtime: SimulatedRuntime) -> None:
    table, made = await played(runtime)
    read: list[int] = []
    records = table.store.records

    async def counted(table_id: str, after_sequence: int, limit: int) -> Any:
        found = await records(table_id, after_sequence, limit)
        read.append(len(found))
        return found

    table.store.records = counted  # type: ignore[method-assign, assignment]
    for one in (made[0], made[len(made) // 2], made[-40]):
        read.clear()
        await ask(table, one)
        assert len(read) < 12
        assert sum(read) < 400 < made[-1].sequence
    read.clear()
    await ask(table, made[-1])
    assert not read, "the last hands are answered from memory"


@simulated()
async def test_a_busy_table_refuses_nothing_that_was_done(runtime: SimulatedRuntime) -> None:
    """A refused call changed nothing: also where too many records wait for the disk."""
    table, made = await played(runtime)
    table.store.hold()
    while not table.actor.busy():
        table.actor.run(cmd.SetPreferences(PLAYERS[0], Preferences()))
    old = runtime.begin(ask(table, made[0]))
    new = runtime.begin(ask(table, made[0], request_id="another"))
    await runtime.idle()
    table.store.release()
    assert await old == made[0].sequence
    assert str(await new.failure()) == "TABLE_BUSY"
