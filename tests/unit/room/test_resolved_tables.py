"""Hands voided by an operator at tables that stand still: to the chip, and as if they had never been."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import WEALTH
from tests.support.stopped import EVEN, PLAYERS, must_stand_as, refused, resolve, seated, tried

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine.actions import RaiseTo
from croupier.room.failures import Refusal
from croupier.room.operations import OperationQuery


@simulated()
async def test_a_voided_hand_gives_each_contribution_back_and_takes_no_rake(
    runtime: SimulatedRuntime,
) -> None:
    """On the flop, with chips in the pot that would be raked (R-K1)."""
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await table.check_or_call()
    await table.check_or_call()
    await table.change_state(cmd.PauseTable())
    put_in = {seat.player_id: seat.contribution for seat in (await tried(table, void=True)).before.seats}
    assert put_in == dict.fromkeys(PLAYERS, 20)
    answer = await resolve(table, void=True)
    assert [(seat.player_id, seat.stack, seat.contribution) for seat in answer.after.seats] == [
        (player_id, 200, 0) for player_id in PLAYERS
    ]
    assert (answer.before.state, answer.after.state, answer.after.hand_number) == ("PAUSED", "PAUSED", 0)
    (voided,) = table.heard(ev.HandVoided)
    assert (sorted(voided.seats), voided.returned) == ([1, 2, 3], (20, 20, 20))
    await must_stand_as(table, EVEN)


@simulated()
async def test_the_next_hand_is_an_exact_replay_of_the_voided_one(runtime: SimulatedRuntime) -> None:
    """TDA 35: the button does not move; blinds and what anybody owes are as before."""
    table = await seated(runtime)
    await table.check_down()
    await table.check_or_call()
    await table.change_state(cmd.PauseTable())
    await resolve(table, void=True)
    await resolve(table, void=False)
    _, voided, again = table.heard(ev.HandStarted)
    assert (voided.hand_number, again.hand_number) == (2, 3)
    same = ("button_seat", "small_blind_seat", "big_blind_seat", "seats", "stacks", "players")
    assert [getattr(voided, name) for name in same] == [getattr(again, name) for name in same]


@simulated()
async def test_a_newcomer_whose_bring_in_was_voided_owes_it_still(runtime: SimulatedRuntime) -> None:
    """R-T10: chips that came back were not paid."""
    table = await seated(runtime, "anna", "bert")
    await table.sit("cleo", 4)
    while 4 not in table.heard(ev.HandStarted)[-1].seats:
        await table.check_down()
    assert not table.actor.table.seats[4].owes_bring_in
    await table.change_state(cmd.PauseTable())
    await resolve(table, void=True)
    assert table.actor.table.seats[4].owes_bring_in
    await table.restart()
    assert table.actor.table.seats[4].owes_bring_in


@simulated()
async def test_a_token_is_good_for_the_table_and_the_outcome_it_was_given_for(
    runtime: SimulatedRuntime,
) -> None:
    table = await seated(runtime)
    await table.change_state(cmd.PauseTable())
    token = (await tried(table, void=True)).token
    assert await refused(table, void=False, token=token) == "RESOLUTION_STALE"
    assert await refused(table, void=True, token="0" * 64) == "RESOLUTION_STALE"
    await table.check_or_call()
    assert await refused(table, void=True, token=token) == "RESOLUTION_STALE"
    token = (await tried(table, void=True)).token
    await table.restart()
    assert await refused(table, void=True, token=token) == "RESOLUTION_STALE"
    await resolve(table, void=True)
    await must_stand_as(table, EVEN)


@simulated()
async def test_a_dry_run_changes_nothing_and_tells_what_then_happens(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await table.cash_out(PLAYERS[0])
    await table.change_state(cmd.PauseTable())
    before = table.actor.view("")
    dry = await tried(table, void=True)
    assert table.actor.view("") == before
    done = await resolve(table, void=True, token=dry.token)
    assert (dry.before, dry.after, dry.sequence + 1) == (done.before, done.after, done.sequence)
    assert [seat.player_id for seat in done.after.seats] == list(PLAYERS[1:]), "who was leaving has left"
    assert await table.wallet_of(PLAYERS[0]) == WEALTH
    assert await table.store.operations(OperationQuery(9)) != []


@simulated()
async def test_only_what_stands_still_is_resolved(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    for void in (True, False):
        assert await refused(table, void=void) == "TABLE_NOT_STOPPED"
    await table.change_state(cmd.PauseTable())
    await table.check_down()
    assert await refused(table, void=True) == "HAND_NOT_IN_PROGRESS"


@simulated()
async def test_the_record_of_a_voided_hand_says_so_and_conceals_what_was_concealed(
    runtime: SimulatedRuntime,
) -> None:
    """R-T14: nobody was shown a card, and nobody can show one afterwards (R-H9)."""
    table = await seated(runtime)
    await table.check_or_call()
    await table.change_state(cmd.PauseTable())
    await resolve(table, void=True)
    watched = await table.room.records.get(table.table_id, 1, "")
    mine = await table.room.records.get(table.table_id, 1, "anna")
    assert watched is not None
    assert mine is not None
    assert watched.voided
    assert [(seat.net, seat.rake_paid, seat.hole_cards) for seat in watched.seats] == [(0, 0, b"")] * 3
    assert sorted(len(seat.hole_cards) for seat in mine.seats) == [0, 0, 2]
    with pytest.raises(Refusal) as failure:
        await table.show("anna", 1)
    assert failure.value.reason == "SHOW_NOT_ALLOWED"


@pytest.mark.parametrize("hand_keys", ["keep", "destroy"])
def test_a_voided_hands_key_ends_as_a_settled_ones(hand_keys: str) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime, hand_keys=hand_keys)
        await table.check_or_call()
        kept = (await table.store.open_tables())[0].hand_key
        assert bool(kept) == (hand_keys == "destroy")
        await table.change_state(cmd.PauseTable())
        await resolve(table, void=True)
        assert (await table.store.open_tables())[0].hand_key == b""

    scenario()
