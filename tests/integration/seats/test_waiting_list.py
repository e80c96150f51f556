"""Waiting for a seat at a full table: first come first served, a freed seat is held for the first who waits."""

from __future__ import annotations

from typing import Any

from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support.houses import HOUSES
from tests.support.seated import fold_out, refused, seat_in, table_of

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.table_events import LeaveReason, TableState, Vouched, WaitReason
from croupier.engine.waiting import MOST_WAITING


async def full_table(runtime: SimulatedRuntime, *waiting: str) -> SimulatedTable:
    """A table of two seats at which anna and bert play, and others wait."""
    table = await table_of(runtime, "anna", "bert", seat_count=2)
    for player in waiting:
        await table.fund(player)
        await table.join_waiting_list(player)
    return table


def waiting(table: SimulatedTable) -> list[tuple[str, int]]:
    """Who waits, and for which seat that is held."""
    return [(one.player_id, one.seat) for one in table.actor.view("").waiting]


def left(table: SimulatedTable) -> list[tuple[str, WaitReason]]:
    return [(event.player_id, event.reason) for event in table.heard(tev.WaitingListLeft)]


async def leave_at_once(table: SimulatedTable, player: str) -> None:
    await table.cash_out(player)
    await fold_out(table)
    await table.sleep(0.01)


# joining and leaving the list


@simulated()
async def test_players_wait_in_the_order_in_which_they_came(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime)
    places = []
    for player in ("cleo", "dora", "emil"):
        await table.fund(player)
        places.append((await table.join_waiting_list(player)).place)
    assert places == [1, 2, 3]
    assert waiting(table) == [("cleo", 0), ("dora", 0), ("emil", 0)]
    assert [event.player_id for event in table.heard(tev.WaitingListJoined)] == ["cleo", "dora", "emil"]


@simulated()
async def test_nobody_waits_while_a_seat_is_free(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert", seat_count=4)
    await table.fund("cleo")
    refusal = await refused(table.join_waiting_list("cleo"))
    assert (refusal.reason, refusal.facts) == ("SEAT_AVAILABLE", {"seat_number": 3})


@simulated()
async def test_a_player_waits_once_and_not_while_seated(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    refusal = await refused(table.join_waiting_list("dora"))
    assert (refusal.reason, refusal.facts) == ("PLAYER_ALREADY_WAITING", {"place": 2})
    assert (await refused(table.join_waiting_list("anna"))).reason == "PLAYER_ALREADY_SEATED"


@simulated()
async def test_fifty_wait_and_no_more(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, *(f"player {number}" for number in range(50)))
    await table.fund("cleo")
    refusal = await refused(table.join_waiting_list("cleo"))
    assert (refusal.reason, refusal.facts) == ("WAITING_LIST_FULL", {"max_waiting": 50})
    assert MOST_WAITING == 50


@simulated()
async def test_it_takes_to_wait_what_it_takes_to_reserve(runtime: SimulatedRuntime) -> None:
    """R-T5 to R-T8: the wallet covers the least buy-in, and the player may join."""
    rules: dict[str, Any] = {
        "local_scene": "inn",
        "free_days": (5,),
        "time_zone": "UTC",
        "experience_levels": ("none", "some"),
    }
    table = await SimulatedTable.open(runtime, seat_count=2, min_experience=1, **rules)
    good = Vouched("some", "inn", has_pass=True)
    for seat, player in enumerate(("anna", "bert"), start=1):
        await table.fund(player)
        await table.reserve(player, seat, good)
    assert (await refused(table.join_waiting_list("cleo", good))).reason == "INSUFFICIENT_FUNDS"
    await table.fund("cleo")
    reasons = [
        (await refused(table.join_waiting_list("cleo", vouched))).reason
        for vouched in (
            Vouched("some", "inn"),
            Vouched("none", "inn", has_pass=True),
            Vouched("some", has_pass=True),
            Vouched("much", "inn", has_pass=True),
        )
    ]
    assert reasons == ["PASS_REQUIRED", "EXPERIENCE_TOO_LOW", "PLAYER_ELSEWHERE", "FIELD_MALFORMED"]
    assert (await table.join_waiting_list("cleo", good)).place == 1


@simulated()
async def test_whoever_waits_may_stop_waiting(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    await table.leave_waiting_list("cleo")
    assert waiting(table) == [("dora", 0)]
    assert left(table) == [("cleo", WaitReason.ASKED)]
    assert (await refused(table.leave_waiting_list("cleo"))).reason == "PLAYER_NOT_WAITING"


# offers


@simulated()
async def test_a_freed_seat_is_held_for_the_first_who_waits(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    await leave_at_once(table, "bert")
    (offer,) = table.heard(tev.SeatOffered)
    assert (offer.player_id, offer.seat) == ("cleo", 2)
    assert offer.until == table.times_of(tev.SeatOffered)[0] + 30 * NS
    assert waiting(table) == [("cleo", 2), ("dora", 0)]
    for player, reason in (("dora", "TABLE_FULL"), ("emil", "TABLE_FULL")):
        await table.fund(player)
        assert (await refused(table.reserve(player, 2))).reason == reason
    assert seat_in(await table.reserve("cleo", 2)).state == "RESERVED"
    assert left(table) == [("cleo", WaitReason.SEATED)]
    assert waiting(table) == [("dora", 0)]


@simulated()
async def test_a_seat_held_for_somebody_is_taken_to_all_others(runtime: SimulatedRuntime) -> None:
    table = await table_of(runtime, "anna", "bert", "cleo", seat_count=3)
    for player in ("dora", "emil"):
        await table.fund(player)
    await table.join_waiting_list("dora")
    await leave_at_once(table, "cleo")
    await table.cash_out("bert")
    await fold_out(table)
    await table.sleep(0.01)
    refusal = await refused(table.reserve("emil", 3))
    assert (refusal.reason, refusal.facts) == ("SEAT_TAKEN", {"seat_number": 3})
    await table.reserve("emil", 2)


@simulated()
async def test_the_seat_comes_with_the_hand_that_frees_it(runtime: SimulatedRuntime) -> None:
    """One record: whoever reads the end of the hand reads that the seat is held."""
    table = await full_table(runtime, "cleo")
    await table.cash_out("bert")
    await fold_out(table)
    await table.sleep(0.01)
    assert table.sequence_of(tev.SeatOffered) == table.sequence_of(ev.HandEnded)


@simulated()
async def test_an_offer_that_runs_out_goes_to_the_next(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    await leave_at_once(table, "bert")
    await table.sleep(29.9)
    assert waiting(table) == [("cleo", 2), ("dora", 0)]
    await table.sleep(0.2)
    assert left(table) == [("cleo", WaitReason.OFFER_EXPIRED)]
    assert waiting(table) == [("dora", 2)]
    await table.sleep(30)
    assert waiting(table) == []
    await table.fund("emil")
    assert (await refused(table.join_waiting_list("emil"))).reason == "SEAT_AVAILABLE"


@simulated()
async def test_whoever_declines_an_offer_passes_it_on(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    await leave_at_once(table, "bert")
    await table.leave_waiting_list("cleo")
    assert waiting(table) == [("dora", 2)]


@simulated()
async def test_a_reservation_given_up_or_run_out_goes_to_the_next(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora", "emil")
    await leave_at_once(table, "bert")
    await table.reserve("cleo", 2)
    await table.change_seat("cleo", cmd.ReleaseSeat("cleo", runtime.now()))
    assert waiting(table) == [("dora", 2), ("emil", 0)]
    await table.reserve("dora", 2)
    await table.sleep(61)
    assert [event.reason for event in table.heard(tev.PlayerLeft)][-1] is LeaveReason.RESERVATION_EXPIRED
    assert waiting(table) == [("emil", 2)]


@simulated()
async def test_two_seats_are_held_for_two(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora", "emil")
    for player in ("anna", "bert"):
        await table.cash_out(player)
    await fold_out(table)
    await table.sleep(0.01)
    assert waiting(table) == [("cleo", 1), ("dora", 2), ("emil", 0)]


@simulated()
async def test_a_closing_table_has_nobody_wait(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora")
    await table.close()
    assert waiting(table) == []
    assert left(table) == [("cleo", WaitReason.TABLE_CLOSED), ("dora", WaitReason.TABLE_CLOSED)]
    await table.fund("emil")
    assert (await refused(table.join_waiting_list("emil"))).reason == "TABLE_CLOSING"
    await fold_out(table)
    await table.sleep(1)
    assert table.actor.table.carried.state is TableState.CLOSED
    assert not table.heard(tev.SeatOffered)


@simulated()
async def test_the_list_and_its_offers_outlive_a_crash(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo", "dora", "emil")
    await leave_at_once(table, "bert")
    await table.sleep(10)
    await table.restart()
    assert waiting(table) == [("cleo", 2), ("dora", 0), ("emil", 0)]
    await table.sleep(20.1)
    assert waiting(table) == [("dora", 2), ("emil", 0)]
    await table.restart()
    await table.reserve("dora", 2)
    assert waiting(table) == [("emil", 0)]


@simulated()
async def test_a_request_to_wait_made_again_gets_its_first_answer(runtime: SimulatedRuntime) -> None:
    table = await full_table(runtime, "cleo")
    await table.fund("dora")
    key = table.key("JoinWaitingList")
    first = await table.room.seats.join_waiting_list(key, table.table_id, "dora", Vouched())
    await table.leave_waiting_list("cleo")
    await table.restart()
    again = await table.room.seats.join_waiting_list(key, table.table_id, "dora", Vouched())
    assert first == again
    assert waiting(table) == [("dora", 0)]


def test_every_house_holds_a_seat_for_half_a_minute() -> None:
    """As JoinWaitingList's comment in the contract says."""
    assert {house.file.seat.offer_s for house in HOUSES.values()} == {30}
