"""Sitting out and in: from the next hand on, with the blinds missed meanwhile owed on return (R-T15, R-T17, R-T18)."""

from __future__ import annotations

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import WEALTH, SimulatedTable
from tests.support.seated import (
    BIG,
    PLAYERS,
    SMALL,
    fold_out,
    next_hand,
    posts,
    refused,
    seat_in,
    seat_of,
    table_of,
)

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import PostKind

FOUR = (*PLAYERS, "dora")


async def sit_out(table: SimulatedTable, player: str) -> None:
    await table.change_seat(player, cmd.SitOut(player, table.runtime.now()))


async def sit_in(table: SimulatedTable, player: str, *, wait: bool = False) -> None:
    await table.change_seat(player, cmd.SitIn(player, wait))


async def next_where(table: SimulatedTable, **wanted: int) -> ev.HandStarted:
    """Hands until one has its button or blinds at a seat."""
    while True:
        started = await next_hand(table)
        if all(getattr(started, name) == seat for name, seat in wanted.items()):
            return started


@simulated()
async def test_sitting_out_begins_with_the_next_hand(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await sit_out(table, "dora")
    seat = seat_of(table, "dora")
    assert (seat.state, seat.release_time) == ("SITTING_OUT", 0), "known, but for when the hand will be over"
    while table.decision.player_id != "dora":
        await table.check_or_call()
    await table.check_or_call()
    started = await next_hand(table)
    assert 4 not in started.seats
    seat = seat_of(table, "dora")
    (since,) = table.times_of(tev.SatOut)
    assert (seat.state, seat.release_time) == ("SITTING_OUT", since + 600 * NS)


@simulated()
async def test_whoever_sits_in_before_the_hand_is_over_misses_nothing(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await sit_out(table, "dora")
    await sit_in(table, "dora")
    assert seat_of(table, "dora").state == "PLAYING"
    assert 4 in (await next_hand(table)).seats
    assert not table.heard(tev.SatOut)


@simulated()
async def test_a_missed_big_blind_is_posted_live_on_return(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await next_where(table, big_blind_seat=3)
    await sit_out(table, "dora")
    await next_where(table, big_blind_seat=1)
    seat = seat_of(table, "dora")
    assert (seat.missed_big_blind, seat.missed_small_blind) == (True, False)
    await sit_in(table, "dora")
    await next_hand(table)
    assert posts(table, 4) == {PostKind.LIVE_BLIND: BIG}
    assert not seat_of(table, "dora").missed_big_blind


@simulated()
async def test_a_missed_small_blind_is_posted_dead_on_return(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await next_where(table, big_blind_seat=4)
    await sit_out(table, "dora")
    started = await next_hand(table)
    assert (started.small_blind_seat, posts(table, 4)) == (4, {}), "the small blind is dead"
    assert seat_of(table, "dora").missed_small_blind
    await sit_in(table, "dora")
    await next_hand(table)
    assert posts(table, 4) == {PostKind.DEAD_BLIND: SMALL}
    hand = table.actor.table.hand
    assert hand is not None
    assert hand.street_bet[hand.position_of[4]] == 0, "dead chips count towards no call"


@simulated()
async def test_both_blinds_missed_are_both_posted(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await next_where(table, big_blind_seat=4)
    await sit_out(table, "dora")
    await next_where(table, big_blind_seat=3)
    await next_where(table, big_blind_seat=1)
    await sit_in(table, "dora")
    await next_hand(table)
    assert posts(table, 4) == {PostKind.LIVE_BLIND: BIG, PostKind.DEAD_BLIND: SMALL}


@simulated()
async def test_a_player_may_wait_for_the_big_blind_instead(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await next_where(table, big_blind_seat=3)
    await sit_out(table, "dora")
    await next_where(table, big_blind_seat=1)
    await sit_in(table, "dora", wait=True)
    assert seat_of(table, "dora").state == "WAITING_FOR_BIG_BLIND"
    while True:
        started = await next_hand(table)
        if started.big_blind_seat == 4:
            break
        assert 4 not in started.seats
    assert posts(table, 4) == {PostKind.BIG_BLIND: BIG}
    assert seat_of(table, "dora").state == "PLAYING"


@simulated()
async def test_whoever_missed_no_blind_returns_for_nothing(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await next_where(table, button_seat=4)
    await sit_out(table, "dora")
    await next_hand(table)
    await sit_in(table, "dora", wait=True)
    assert seat_of(table, "dora").state == "PLAYING", "there is nothing to wait for"
    assert 4 in (await next_hand(table)).seats
    assert not set(posts(table, 4)) & {PostKind.LIVE_BLIND, PostKind.DEAD_BLIND}


@simulated()
async def test_a_seat_is_kept_for_ten_minutes_and_then_paid_out(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *FOUR)
    await sit_out(table, "dora")
    await fold_out(table)
    (since,) = table.times_of(tev.SatOut)
    stack = seat_of(table, "dora").stack
    while runtime.now() < since + 599 * NS:
        await next_hand(table)
    assert table.actor.table.seat_of("dora")
    await fold_out(table)
    await runtime.sleep_until(since + 600 * NS)
    assert not table.actor.table.seat_of("dora")
    await table.sleep(0.1)
    assert await table.wallet_of("dora") == WEALTH - 100 + stack


@simulated()
async def test_no_hand_starts_with_one_player_left_and_one_starts_when_another_returns(
    runtime: SimulatedRuntime,
) -> None:
    table = await table_of(runtime, "anna", "bert")
    await sit_out(table, "bert")
    await fold_out(table)
    await table.sleep(100)
    assert table.actor.table.hand is None
    assert len(table.heard(ev.HandStarted)) == 1
    returned = runtime.now()
    await sit_in(table, "bert")
    await table.sleep(1)
    assert table.times_of(ev.HandStarted)[-1] == returned + 1 * NS, "after the pause"


@simulated()
async def test_what_does_not_fit_the_seats_state_is_refused(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, *PLAYERS)
    assert (await refused(sit_in(table, "anna"))).reason == "PLAYER_NOT_SITTING_OUT"
    await sit_out(table, "anna")
    assert (await refused(sit_out(table, "anna"))).reason == "PLAYER_SITTING_OUT"
    assert (await refused(sit_out(table, "nobody"))).reason == "PLAYER_NOT_SEATED"
    await table.fund("dora")
    seat_in(await table.reserve("dora", 4))
    assert (await refused(sit_out(table, "dora"))).reason == "SEAT_NOT_BOUGHT_IN"
