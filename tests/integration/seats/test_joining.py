"""Coming to a table: reservations, buy-ins, and how newcomers enter (R-T8, R-T9, R-T10)."""

from __future__ import annotations

import asyncio

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import WEALTH, SimulatedTable
from tests.support.seated import BIG, PLAYERS, fold_out, next_hand, posts, refused, seat_in, seat_of, table_of

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import PostKind
from croupier.room.failures import Refusal

# R-T8


@simulated()
async def test_a_seat_is_reserved_only_with_a_wallet_that_covers_the_least_buy_in(
    runtime: SimulatedRuntime,
) -> None:
    table = await SimulatedTable.open(runtime)
    await table.fund("anna", 19)
    refusal = await refused(table.reserve("anna", 1))
    assert (refusal.reason, refusal.facts["required"]) == ("INSUFFICIENT_FUNDS", 20)
    await table.fund("anna", 1)
    seat = seat_in(await table.reserve("anna", 1))
    assert (seat.state, seat.release_time) == ("RESERVED", runtime.now() + 60 * NS)


@simulated()
async def test_of_two_who_want_a_seat_at_once_one_gets_it(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    for player in PLAYERS:
        await table.fund(player)
    outcomes = await asyncio.gather(*(table.reserve(player, 4) for player in PLAYERS), return_exceptions=True)
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    assert [refusal.reason for refusal in refusals] == ["SEAT_TAKEN", "SEAT_TAKEN"]
    assert len(table.actor.table.seats) == 1


@simulated()
async def test_a_player_has_one_seat_at_a_table(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    await table.fund("anna")
    await table.reserve("anna", 1)
    refusal = await refused(table.reserve("anna", 2))
    assert (refusal.reason, refusal.facts) == ("PLAYER_ALREADY_SEATED", {"seat_number": 1})
    other = await SimulatedTable.open(runtime)
    await other.sit("anna", 1)
    assert other.actor.table.seat_of("anna") == 1, "but at as many tables as there are"


@simulated()
async def test_a_released_seat_is_free_again(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    await table.fund("anna")
    await table.reserve("anna", 1)
    await table.change_seat("anna", cmd.ReleaseSeat("anna", runtime.now()))
    (left,) = table.heard(tev.PlayerLeft)
    assert (left.reason, left.amount) == (tev.LeaveReason.RELEASED, 0)
    await table.sit("bert", 1)
    assert await table.wallet_of("anna") == WEALTH


@simulated()
async def test_a_buy_in_is_taken_from_the_wallet_and_lies_on_the_table(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    await table.fund("anna", 150)
    await table.reserve("anna", 1)
    assert (await refused(table.buy_in("anna", 151))).facts["available"] == 150
    seat = seat_in(await table.buy_in("anna", 150))
    assert (seat.stack, seat.state) == (150, "PLAYING")
    assert await table.wallet_of("anna") == 0


@simulated()
async def test_whoever_buys_in_during_a_hand_plays_from_the_next_one_on(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    await table.sit("dora", 5)
    await table.check_or_call()
    assert table.actor.table.hand is not None
    assert 5 not in table.actor.table.hand.seats
    assert 5 in (await next_hand(table)).seats


# R-T9


@pytest.mark.parametrize(("seat", "waits"), [(2, True), (3, True), (4, False), (6, False)])
def test_a_newcomer_within_two_places_of_the_dealer_waits_for_the_button(seat: int, waits: bool) -> None:
    @simulated()
    async def scenario(runtime: SimulatedRuntime) -> None:
        table = await SimulatedTable.open(runtime, hand_pause_ms=1000)
        for number, player in ((1, "anna"), (5, "bert")):
            await table.sit(player, number)
        started = await next_hand(table)
        assert started.button_seat == 1, "places are counted from it, empty ones too"
        await table.sit("dora", seat)
        assert seat_of(table, "dora").state == ("WAITING_FOR_BUTTON" if waits else "PLAYING")
        if waits:
            await table.change_seat("dora", cmd.SitOut("dora", runtime.now()))
            await table.change_seat("dora", cmd.SitIn("dora", False))
            assert table.heard(tev.SatIn)[-1].waiting_for_button, "as the snapshot says"
            assert seat_of(table, "dora").state == "WAITING_FOR_BUTTON"
        button, passed = started.button_seat, not waits
        while seat not in started.seats:
            must_be_in = passed
            started = await next_hand(table)
            passed = passed or 0 < (seat - button) % 6 < (started.button_seat - button) % 6
            assert must_be_in <= (seat in started.seats) <= passed
            button = started.button_seat
        assert seat_of(table, "dora").state == "PLAYING"

    scenario()


@simulated()
async def test_the_wait_is_waived_where_no_hand_could_be_dealt_without_the_newcomer(
    runtime: SimulatedRuntime,
) -> None:
    table = await table_of(runtime, "anna", "bert")
    await table.cash_out("bert")
    await fold_out(table)
    button = table.actor.table.carried.button_seat
    await table.sit("dora", button % 6 + 1 if button % 6 + 1 != 1 else 3)
    started = await next_hand(table)
    assert set(started.players) == {"anna", "dora"}


# R-T10


@simulated()
async def test_nobody_brings_in_on_a_tables_first_hand(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    kinds = [event.kind for event in table.heard(ev.Posted)]
    assert kinds == [PostKind.SMALL_BLIND, PostKind.BIG_BLIND]


@simulated()
async def test_a_newcomer_posts_a_live_big_blind_and_acts_like_the_big_blind(
    runtime: SimulatedRuntime,
) -> None:
    table = await table_of(runtime, *PLAYERS)
    await next_hand(table)
    answer = await table.sit("dora", 5)
    assert seat_in(answer).owes_bring_in
    await next_hand(table)
    assert posts(table, 5) == {PostKind.BRING_IN: BIG}
    assert not seat_of(table, "dora").owes_bring_in
    while table.decision.player_id != "dora":
        await table.check_or_call()
    assert table.decision.legal.call_amount == 0, "R-H3: the option to raise"
    assert table.decision.legal.max_raise_to > 0
    await next_hand(table)
    assert PostKind.BRING_IN not in posts(table, 5)


@simulated()
async def test_a_newcomer_in_the_big_blind_posts_that_and_no_more(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert", wait_near_button=False)
    big = table.heard(ev.HandStarted)[-1].big_blind_seat
    await table.sit("dora", big + 1)
    started = await next_hand(table)
    assert started.big_blind_seat == big + 1
    assert posts(table, big + 1) == {PostKind.BIG_BLIND: BIG}


@simulated()
async def test_whoever_left_and_comes_back_is_a_newcomer_again(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS, wait_near_button=False)
    await table.cash_out("cleo")
    await fold_out(table)
    await table.sleep(0.1)
    await table.sit("cleo", 5)
    assert seat_of(table, "cleo").owes_bring_in


@simulated()
async def test_a_rebuy_owes_no_bring_in(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    for player in PLAYERS:
        await table.rebuy(player, 50)
    await next_hand(table)
    assert not [event for event in table.heard(ev.Posted) if event.kind is PostKind.BRING_IN]
