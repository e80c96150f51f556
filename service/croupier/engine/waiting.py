"""The list of players who wait for a seat at a full table: joining it, leaving it, seats offered (R-T8)."""

from __future__ import annotations

from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.joining import not_admitted
from croupier.engine.rejection import Rejected
from croupier.engine.seating import Decided, must_be_open
from croupier.engine.table import Table, apply
from croupier.engine.unseated import waiting_of
from croupier.numbers import NS_PER_MS

MOST_WAITING: Final = 50


def join_waiting_list(table: Table, command: cmd.JoinWaitingList) -> Decided:
    """Wait for a seat, behind all who wait already; only where no seat can be reserved at once."""
    refused = must_be_open(table)
    if refused is not None:
        return refused
    held = table.seat_of(command.player_id)
    if held:
        return Rejected("PLAYER_ALREADY_SEATED", seat_number=held)
    place = place_of(table, command.player_id)
    if place:
        return Rejected("PLAYER_ALREADY_WAITING", place=place)
    refused = not_admitted(table, command.vouched, free_day=command.free_day)
    if refused is not None:
        return refused
    free = free_seats(table)
    if free:
        return Rejected("SEAT_AVAILABLE", seat_number=free[0])
    if len(table.carried.waiting) >= MOST_WAITING:
        return Rejected("WAITING_LIST_FULL", max_waiting=MOST_WAITING)
    return [tev.WaitingListJoined(command.player_id, command.vouched)]


def leave_waiting_list(table: Table, command: cmd.LeaveWaitingList) -> Decided:
    """Wait no longer; a seat held for the player goes to the next."""
    if waiting_of(table.carried, command.player_id) is None:
        return Rejected("PLAYER_NOT_WAITING")
    return [tev.WaitingListLeft(command.player_id, tev.WaitReason.ASKED)]


def expire_offer(table: Table, command: cmd.ExpireOffer) -> Decided:
    """A seat offered and not taken in time goes to the next; whoever let it go waits no longer."""
    one = waiting_of(table.carried, command.player_id)
    if one is None or not one.seat or one.until > command.now:
        return []
    return [tev.WaitingListLeft(command.player_id, tev.WaitReason.OFFER_EXPIRED)]


def place_of(table: Table, player_id: str) -> int:
    """A player's place in the list, counting from 1; 0 where the player does not wait."""
    for place, one in enumerate(table.carried.waiting, start=1):
        if one.player_id == player_id:
            return place
    return 0


def free_seats(table: Table) -> list[int]:
    """The seats that nobody has and that are held for nobody."""
    held = {one.seat for one in table.carried.waiting}
    return [
        number
        for number in range(1, table.rules.seat_count + 1)
        if number not in table.seats and number not in held
    ]


def offer_seats(table: Table, happened: list[Event], now: int) -> None:
    """Hold each free seat for the first who waits and is offered none."""
    waiting = table.carried.waiting
    if not waiting or table.carried.state in (tev.TableState.CLOSING, tev.TableState.CLOSED):
        return
    unoffered = [one.player_id for one in waiting if not one.seat]
    until = now + table.rules.offer_ms * NS_PER_MS
    for player_id, number in zip(unoffered, free_seats(table), strict=False):
        apply(table, happened, tev.SeatOffered(player_id, number, until))


def dissolve(table: Table, happened: list[Event]) -> None:
    """Nobody waits at a table that closes."""
    for one in list(table.carried.waiting):
        apply(table, happened, tev.WaitingListLeft(one.player_id, tev.WaitReason.TABLE_CLOSED))
