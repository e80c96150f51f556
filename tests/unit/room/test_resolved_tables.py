"""Tables that stand still resolved by an operator: hands voided to the chip, halted tables that go on or cannot."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import hand as hands
from croupier.engine import table_events as tev
from croupier.engine.actions import CHECK, RaiseTo
from croupier.engine.rejection import InvariantViolation
from croupier.room.accounts import rake, stack
from croupier.room.answers import ResolvedAnswer
from croupier.room.failures import Refusal, TableHalted
from croupier.room.operations import OperationQuery
from croupier.room.resolving import Resolution

PLAYERS = ("anna", "bert", "cleo")
WHY = "the cards stuck together"


async def seated(runtime: SimulatedRuntime, *players: str, **changed: object) -> SimulatedTable:
    """A table whose first hand is dealt to all of them."""
    table = await SimulatedTable.open(runtime, **changed)  # type: ignore[arg-type]
    await table.change_state(cmd.PauseTable())
    for seat, player_id in enumerate(players or PLAYERS, start=1):
        await table.sit(player_id, seat)
    await table.change_state(cmd.ResumeTable())
    return table


async def halt(table: SimulatedTable) -> None:
    """By a chip too many, which the next command finds."""
    hand = table.actor.table.hand
    assert hand is not None
    hand.pot += 1
    with pytest.raises(TableHalted):
        await table.check_or_call()
    await table.runtime.idle()
    assert table.actor.halted


async def tried(table: SimulatedTable, *, void: bool) -> ResolvedAnswer:
    return await table.room.resolving.try_out(Resolution(table.table_id, void, WHY))


async def resolve(table: SimulatedTable, *, void: bool, token: str = "") -> ResolvedAnswer:
    """With the token of a dry run, unless another is given."""
    token = token or (await tried(table, void=void)).token
    wanted = Resolution(table.table_id, void, WHY)
    answer = await table.room.resolving.resolve(table.key("ResolveTable"), wanted, token)
    await table.runtime.idle()
    return answer


async def refused(table: SimulatedTable, *, void: bool, token: str = "") -> str:
    with pytest.raises(Refusal) as failure:
        await resolve(table, void=void, token=token)
    return failure.value.reason


async def must_stand_as(table: SimulatedTable, stacks: dict[str, int]) -> None:
    """Each stack at the table and in the ledger; no rake."""
    found = {seat.player_id: seat.stack for seat in table.actor.table.seats.values()}
    assert found == stacks
    for player_id, chips in stacks.items():
        assert await table.store.balance(stack(table.table_id, player_id), CURRENCY) == chips
    assert await table.store.balance(rake(table.actor.table.rules.house_id), CURRENCY) == 0
    assert await table.store.imbalance() == {CURRENCY: 0}


EVEN = dict.fromkeys(PLAYERS, 200)


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
async def test_a_halted_table_goes_on_where_its_journal_stands(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    decision = table.decision
    await halt(table)
    answer = await resolve(table, void=False)
    assert (answer.before.state, answer.after.state) == ("HALTED", "OPEN")
    assert (table.decision.player_id, table.decision.legal) == (decision.player_id, decision.legal)
    await table.check_down()
    (logged,) = await table.store.operations(OperationQuery(9))
    assert (logged.operation.reason, logged.operation.method) == (WHY, "ResolveTable")
    subscription = table.actor.subscribe("")
    assert not subscription.ended


@simulated()
async def test_a_halted_tables_hand_is_voided_and_the_table_paused(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await halt(table)
    answer = await resolve(table, void=True)
    assert (answer.before.state, answer.after.state) == ("HALTED", "PAUSED")
    assert not table.actor.halted
    await must_stand_as(table, EVEN)
    await table.change_state(cmd.ResumeTable())
    assert table.decision.hand_number == 2
    await table.check_down()


@simulated()
async def test_a_void_that_does_not_become_durable_leaves_the_table_halted(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await halt(table)
    token = (await tried(table, void=True)).token
    table.store.fail_next()
    with pytest.raises(Exception, match="disk full"):
        await resolve(table, void=True, token=token)
    await runtime.idle()
    assert table.actor.halted
    assert table.actor.table.hand is not None
    assert await table.store.operations(OperationQuery(9)) == []
    await resolve(table, void=True)
    await must_stand_as(table, EVEN)


def unfoldable(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an upgrade that cannot take in what was played before."""

    def fails(hand: hands.Hand, _: ev.Raised) -> None:
        hand.pot += 5
        raise InvariantViolation("raises are not what they were")

    evolving: dict[type, object] = hands._EVOLVE  # type: ignore[assignment]
    monkeypatch.setitem(evolving, ev.Raised, fails)


@pytest.mark.parametrize("restarted", [False, True])
def test_a_hand_that_does_not_fold_can_be_voided_alone(
    monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    """Halted while it runs or as the service starts: other tables are not concerned."""

    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await seated(runtime)
        await table.act(RaiseTo(20))
        unfoldable(monkeypatch)
        if restarted:
            await table.restart()
        else:
            await halt(table)
        assert table.actor.halted
        assert table.actor.recovery.wrong
        assert await refused(table, void=False) == "TABLE_NOT_FOLDED"
        with pytest.raises(TableHalted):
            await table.dismiss(PLAYERS[0])
        before = (await tried(table, void=True)).before
        assert sorted(seat.contribution for seat in before.seats) == [1, 2, 20]
        await resolve(table, void=True)
        await must_stand_as(table, EVEN)
        await table.restart()
        assert not table.actor.halted
        await table.change_state(cmd.ResumeTable())
        await table.check_down()

    scenario()


@simulated()
async def test_a_closing_tables_voided_hand_ends_it(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await table.close()
    await halt(table)
    await resolve(table, void=True)
    await table.sleep(1)
    assert table.actor.table.carried.state is tev.TableState.CLOSED
    assert [await table.wallet_of(player_id) for player_id in PLAYERS] == [WEALTH] * 3


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


@simulated()
async def test_a_repeated_request_gets_the_first_answer_also_after_a_restart(
    runtime: SimulatedRuntime,
) -> None:
    table = await seated(runtime)
    await table.act(RaiseTo(20))
    await halt(table)
    wanted = Resolution(table.table_id, False, WHY)
    key, token = table.key("ResolveTable"), (await tried(table, void=False)).token
    first = await table.room.resolving.resolve(key, wanted, token)
    assert await table.room.resolving.resolve(key, wanted, token) == first
    await table.restart()
    assert await table.room.resolving.resolve(key, wanted, token) == first
    assert len(await table.store.operations(OperationQuery(9))) == 1


@simulated()
async def test_a_check_is_the_first_thing_after_a_resume_of_a_table_halted_in_mid_street(
    runtime: SimulatedRuntime,
) -> None:
    """R-T15: whoever must act has the whole time again."""
    table = await seated(runtime)
    for _ in PLAYERS:
        await table.check_or_call()
    await table.sleep(7)
    await halt(table)
    await table.sleep(3600)
    await resolve(table, void=False)
    assert table.seconds_left() == table.actor.table.rules.action_time_ms / 1000
    await table.act(CHECK)
