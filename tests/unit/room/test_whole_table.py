"""A whole table from its first reservation to its closing, in simulated time; the money adds up at the end."""

from __future__ import annotations

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import CURRENCY, WEALTH, SimulatedTable

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.actions import ALL_IN, RaiseTo
from croupier.room.accounts import rake

PLAYERS = ("anna", "bert", "cleo")


async def seated(runtime: SimulatedRuntime, *players: str, hand_pause_ms: int | None = 0) -> SimulatedTable:
    """A table where the players sit on seats 1, 2, … with 200 chips each."""
    table = await SimulatedTable.open(runtime, hand_pause_ms=hand_pause_ms)
    for seat, player_id in enumerate(players, start=1):
        await table.sit(player_id, seat)
    return table


async def must_balance(table: SimulatedTable, *players: str) -> None:
    """Every chip that was deposited is in a wallet or was taken as rake."""
    await table.sleep(1)
    house = table.actor.table.rules.house_id
    wallets = [await table.wallet_of(player_id) for player_id in players]
    assert sum(wallets) + await table.store.balance(rake(house), CURRENCY) == WEALTH * len(players)
    assert await table.store.imbalance() == {CURRENCY: 0}


@simulated()
async def test_table_lives_from_reservation_through_hands_to_closing(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS)
    while table.decision.hand_number == 1:
        await table.check_or_call()
    raiser = await table.act(RaiseTo(20))
    late = await table.time_out()
    while table.decision.hand_number == 2:
        await table.check_or_call()
    await table.close()
    while table.actor.decision() is not None:
        await table.check_or_call()
    assert [event.hand_number for event in table.heard(ev.HandStarted)] == [1, 2, 3]
    assert raiser.player_id != late.player_id
    assert table.actor.table.carried.state is tev.TableState.CLOSED
    assert len(table.heard(tev.PlayerLeft)) == 3
    await must_balance(table, *PLAYERS)


@simulated()
async def test_events_come_in_gapless_sequence(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS)
    await table.check_down()
    sequences = sorted({noted.sequence for noted in table.noted})
    assert sequences == list(range(sequences[0], table.actor.sequence + 1))


@simulated()
async def test_table_recovers_in_the_middle_of_a_hand(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS)
    await table.act(RaiseTo(10))
    before, decision = table.actor.view("anna"), table.decision
    await table.sleep(7)
    await table.restart()
    after = table.decision
    assert after.deadline == runtime.now() + 20 * NS, "whoever must act gets the whole time again"
    assert (after.player_id, after.legal) == (decision.player_id, decision.legal)
    assert table.actor.view("anna").hand == before.hand
    await table.close()
    await table.check_down()
    await must_balance(table, *PLAYERS)


# R-T8: reservations


@simulated()
async def test_reservation_frees_the_seat_after_a_minute(runtime: SimulatedRuntime) -> None:
    """R-T8."""
    table = await SimulatedTable.open(runtime)
    await table.fund("anna")
    reserved = runtime.now()
    await table.reserve("anna", 3)
    await table.sleep(59.9)
    assert 3 in table.actor.table.seats
    await table.sleep(1)
    assert table.actor.table.seats == {}
    assert [event.reason for event in table.heard(tev.PlayerLeft)] == [tev.LeaveReason.RESERVATION_EXPIRED]
    assert table.times_of(tev.PlayerLeft) == [reserved + 60 * NS]


@simulated()
async def test_reservation_expires_in_time_while_a_hand_is_played(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, "anna", "bert")
    await table.fund("cleo")
    await table.reserve("cleo", 3)
    reserved = runtime.now()
    while runtime.now() < reserved + 58 * NS:
        await table.sleep(1.5)
        await table.check_or_call()
    await table.sleep(2)
    assert table.times_of(tev.PlayerLeft) == [reserved + 60 * NS]


@simulated()
async def test_buy_in_keeps_the_reserved_seat(runtime: SimulatedRuntime) -> None:
    table = await SimulatedTable.open(runtime)
    await table.sit("anna", 3)
    await table.sleep(3600)
    assert table.actor.table.seats[3].stack == 200


# R-T11, R-T13: leaving


@simulated()
async def test_cash_out_plays_the_hand_to_its_end(runtime: SimulatedRuntime) -> None:
    """R-T11."""
    table = await seated(runtime, *PLAYERS)
    leaver = table.decision.player_id
    answer = await table.cash_out(leaver)
    assert answer.seat is not None
    assert answer.seat.state == "CASHING_OUT"
    await table.act(RaiseTo(10))
    await table.check_down()
    left = table.heard(tev.PlayerLeft)
    assert [(event.player_id, event.reason) for event in left] == [(leaver, tev.LeaveReason.CASHED_OUT)]
    await table.sleep(0.1)
    assert await table.wallet_of(leaver) == WEALTH - 200 + left[0].amount


@simulated()
async def test_dismissed_player_checks_or_folds_at_once(runtime: SimulatedRuntime) -> None:
    """R-T11."""
    table = await seated(runtime, *PLAYERS)
    leaver = table.decision.player_id
    await table.dismiss(leaver)
    folded = table.heard(ev.Folded)
    assert [event.cause for event in folded] == [ev.Cause.DISMISSED]
    await table.check_down()
    assert table.heard(tev.PlayerLeft)[0].reason is tev.LeaveReason.DISMISSED
    await table.sleep(0.1)
    assert await table.wallet_of(leaver) == WEALTH - 200 + table.heard(tev.PlayerLeft)[0].amount


@simulated()
async def test_player_between_hands_leaves_at_once(runtime: SimulatedRuntime) -> None:
    """R-T11."""
    table = await seated(runtime, "anna")
    answer = await table.cash_out("anna")
    assert answer.seat is None
    assert answer.returned == 200
    await must_balance(table, "anna")


@simulated(seed=5)
async def test_player_without_chips_leaves_the_seat(runtime: SimulatedRuntime) -> None:
    """R-T13."""
    table = await seated(runtime, "anna", "bert")
    while not table.heard(tev.PlayerLeft):
        await table.act(ALL_IN)
    (left,) = table.heard(tev.PlayerLeft)
    assert (left.reason, left.amount) == (tev.LeaveReason.OUT_OF_CHIPS, 0)
    assert left.seat not in table.actor.table.seats
    assert table.actor.decision() is None


@simulated(seed=5)
async def test_rebuy_keeps_the_seat_of_a_player_who_busts(runtime: SimulatedRuntime) -> None:
    """R-T12, R-T13."""
    table = await SimulatedTable.open(runtime)
    await table.sit("anna", 1, 100)
    await table.sit("bert", 2, 100)
    await table.rebuy("anna", 100)
    await table.rebuy("bert", 100)
    while not table.heard(ev.HandEnded):
        await table.act(ALL_IN)
    assert not table.heard(tev.PlayerLeft)
    stacks = sorted(seat.stack for seat in table.actor.table.seats.values())
    assert stacks[0] in (100, 200)


# R-T15: the clock


@simulated()
async def test_time_out_folds_what_faces_a_bet(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS)
    late = await table.time_out()
    assert late.legal.call_amount
    (folded,) = table.heard(ev.Folded)
    assert (folded.seat, folded.cause) == (late.seat, ev.Cause.TIME_OUT)
    assert table.times_of(ev.Folded) == [late.deadline]


@simulated()
async def test_time_out_checks_where_that_is_free(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, "anna", "bert")
    await table.check_or_call()
    late = await table.time_out()
    assert not late.legal.call_amount
    (checked,) = table.heard(ev.Checked)
    assert (checked.seat, checked.cause) == (late.seat, ev.Cause.TIME_OUT)


@simulated()
async def test_decision_time_is_halved_after_a_time_out_until_the_player_acts(
    runtime: SimulatedRuntime,
) -> None:
    table = await seated(runtime, "anna", "bert")
    assert table.seconds_left() == 20
    await table.check_or_call()
    late = await table.time_out()
    while table.decision.player_id != late.player_id:
        assert table.seconds_left() == 20
        await table.check_or_call()
    assert table.seconds_left() == 10
    await table.check_or_call()
    while table.decision.player_id != late.player_id:
        await table.check_or_call()
    assert table.seconds_left() == 20


async def sat_out(table: SimulatedTable, player_id: str) -> None:
    """Everybody acts but one player, until that one is sat out."""
    while not table.heard(tev.SatOut):
        if table.decision.player_id == player_id:
            await table.time_out()
        else:
            await table.check_or_call()


@simulated()
async def test_two_time_outs_running_sit_the_player_out(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS)
    late = table.decision
    await sat_out(table, late.player_id)
    (event,) = table.heard(tev.SatOut)
    assert (event.seat, event.reason) == (late.seat, tev.SitOutReason.TIMED_OUT)
    assert {timed_out.seat for timed_out in table.heard(tev.TimedOut)} == {late.seat}
    second = [noted.sequence for noted in table.noted if isinstance(noted.event, tev.TimedOut)][1]
    ends = [noted.sequence for noted in table.noted if isinstance(noted.event, ev.HandEnded)]
    assert table.sequence_of(tev.SatOut) == next(end for end in ends if end >= second)
    assert late.seat not in table.heard(ev.HandStarted)[-1].seats
    assert len(table.heard(ev.HandStarted)[-1].seats) == 2


@simulated()
async def test_sitting_out_player_keeps_the_seat_for_ten_minutes(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, "anna", "bert")
    late = table.decision
    await sat_out(table, late.player_id)
    (since,) = table.times_of(tev.SatOut)
    assert table.actor.decision() is None
    stack = table.actor.table.seats[late.seat].stack
    await table.runtime.sleep_until(since + 600 * NS - 1)
    assert late.seat in table.actor.table.seats
    await table.sleep(1)
    (left,) = table.heard(tev.PlayerLeft)
    assert (left.reason, left.amount) == (tev.LeaveReason.SAT_OUT_TOO_LONG, stack)
    assert table.times_of(tev.PlayerLeft) == [since + 600 * NS]
    assert await table.wallet_of(late.player_id) == WEALTH - 200 + stack


# R-T18: hands start by themselves


@simulated()
async def test_first_hand_waits_for_two_players_and_the_pause(runtime: SimulatedRuntime) -> None:
    """R-T18."""
    table = await seated(runtime, "anna", hand_pause_ms=None)
    await table.sleep(100)
    assert not table.heard(ev.HandStarted)
    await table.sit("bert", 2)
    await table.sleep(3)
    assert table.times_of(ev.HandStarted) == [table.times_of(tev.BoughtIn)[1] + 3 * NS]


@simulated()
async def test_draining_table_starts_no_hand_and_rests(runtime: SimulatedRuntime) -> None:
    table = await seated(runtime, *PLAYERS, hand_pause_ms=None)
    table.actor.drain()
    rings = runtime.timers_set
    await table.sleep(60)
    assert table.actor.table.carried.hand_number == 0
    assert runtime.timers_set - rings < 10


@simulated()
async def test_next_hand_starts_a_pause_after_the_last(runtime: SimulatedRuntime) -> None:
    """R-T18."""
    table = await seated(runtime, *PLAYERS, hand_pause_ms=None)
    for _ in range(3):
        await table.sleep(3)
        await table.check_down()
    starts, ends = table.times_of(ev.HandStarted), table.times_of(ev.HandEnded)
    assert len(ends) == 3
    assert [start - end for end, start in zip(ends, starts[1:], strict=False)] == [3 * NS, 3 * NS]
