"""Who may come to a table: what is vouched for a player, and the seat held until the buy-in (R-T5 to R-T8)."""

from __future__ import annotations

from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.rejection import Rejected
from croupier.engine.seating import Decided, must_be_open, pending_to
from croupier.engine.table import Table
from croupier.engine.unseated import waiting_of
from croupier.numbers import NS_PER_MS

WEEKDAYS: Final = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")


def not_admitted(table: Table, vouched: tev.Vouched, *, free_day: bool) -> Rejected | None:
    """Why a player may not join: elsewhere, too little experience, or no pass on a day that takes one."""
    rules = table.rules
    if rules.local_scene and vouched.scene != rules.local_scene:
        return Rejected("PLAYER_ELSEWHERE", local_scene=rules.local_scene)
    levels = rules.experience_levels
    if vouched.experience and vouched.experience not in levels:
        return Rejected("FIELD_MALFORMED", field="vouched.experience")
    level = levels.index(vouched.experience) if vouched.experience else 0
    if level < rules.min_experience:
        return Rejected(
            "EXPERIENCE_TOO_LOW", experience=levels[level], min_experience=levels[rules.min_experience]
        )
    if not free_day and not vouched.has_pass:
        days = ",".join(WEEKDAYS[day - 1] for day in rules.free_days)
        return Rejected("PASS_REQUIRED", free_days=days, time_zone=rules.time_zone)
    return None


def reserve_seat(table: Table, command: cmd.ReserveSeat) -> Decided:
    """Hold a free seat for a player who has none here (R-T8); one that is offered, for that player alone."""
    refused = must_be_open(table)
    if refused is not None:
        return refused
    if not 1 <= command.seat <= table.rules.seat_count:
        return Rejected("FIELD_OUT_OF_RANGE", field="seat_number", min=1, max=table.rules.seat_count)
    held = table.seat_of(command.player_id)
    if held:
        return Rejected("PLAYER_ALREADY_SEATED", seat_number=held)
    refused = not_admitted(table, command.vouched, free_day=command.free_day)
    if refused is not None:
        return refused
    waits = waiting_of(table.carried, command.player_id)
    others = {one.seat for one in table.carried.waiting if one.seat and one is not waits}
    if command.seat in table.seats or command.seat in others:
        if len(table.seats) + len(others) >= table.rules.seat_count:
            return Rejected("TABLE_FULL", seat_count=table.rules.seat_count)
        return Rejected("SEAT_TAKEN", seat_number=command.seat)
    until = command.now + table.rules.reservation_ms * NS_PER_MS
    happened: list[Event] = [tev.SeatReserved(command.seat, command.player_id, until, command.vouched)]
    if waits is not None:
        happened.append(tev.WaitingListLeft(command.player_id, tev.WaitReason.SEATED))
    return happened


def release_seat(table: Table, command: cmd.ReleaseSeat) -> Decided:
    """Give a reserved seat up before buying in."""
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    if table.seats[number].bought_in:
        return Rejected("SEAT_NOT_RESERVED", seat_number=number)
    if pending_to(table, number):
        return Rejected("TRANSFER_PENDING", seat_number=number)
    return [tev.PlayerLeft(number, command.player_id, 0, "", tev.LeaveReason.RELEASED)]


def expire_reservation(table: Table, command: cmd.ExpireReservation) -> Decided:
    """Free a seat whose reservation ran out; a buy-in on its way keeps it."""
    seat = table.seats.get(command.seat)
    if seat is None or seat.bought_in or seat.reserved_until > command.now or pending_to(table, command.seat):
        return []
    return [tev.PlayerLeft(command.seat, seat.player_id, 0, "", tev.LeaveReason.RESERVATION_EXPIRED)]
