"""Seats and their chips between hands: reserving, buying in, leaving, sitting out (R-T8 to R-T13, R-T17)."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.rejection import Rejected
from croupier.engine.rotation import near_button
from croupier.engine.table import Table

Decided = list[Event] | Rejected
NS_PER_MS = 1_000_000


def reserve_seat(table: Table, command: cmd.ReserveSeat) -> Decided:
    """Hold a free seat for a player who has none here (R-T8)."""
    refused = _must_be_open(table)
    if refused is not None:
        return refused
    if not 1 <= command.seat <= table.rules.seat_count:
        return Rejected("FIELD_OUT_OF_RANGE", field="seat_number", min=1, max=table.rules.seat_count)
    held = table.seat_of(command.player_id)
    if held:
        return Rejected("PLAYER_ALREADY_SEATED", seat_number=held)
    if command.seat in table.seats:
        if len(table.seats) >= table.rules.seat_count:
            return Rejected("TABLE_FULL", seat_count=table.rules.seat_count)
        return Rejected("SEAT_TAKEN", seat_number=command.seat)
    until = command.now + table.rules.reservation_ms * NS_PER_MS
    return [tev.SeatReserved(command.seat, command.player_id, until)]


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


def request_buy_in(table: Table, command: cmd.RequestBuyIn) -> Decided:
    """Begin the buy-in of a reserved seat; the wallet is asked next (R-T8)."""
    refused = _must_be_open(table)
    if refused is not None:
        return refused
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    if table.seats[number].bought_in:
        return Rejected("SEAT_NOT_RESERVED", seat_number=number)
    if pending_to(table, number):
        return Rejected("TRANSFER_PENDING", seat_number=number)
    rules = table.rules
    if not rules.min_buy_in <= command.amount <= rules.max_buy_in:
        return Rejected("BUY_IN_NOT_LEGAL", min_buy_in=rules.min_buy_in, max_buy_in=rules.max_buy_in)
    return [_requested(command, "buy_in", number)]


def request_rebuy(table: Table, command: cmd.RequestRebuy) -> Decided:
    """Begin a rebuy up to the maximum buy-in (R-T12)."""
    refused = _must_be_open(table)
    if refused is not None:
        return refused
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    seat = table.seats[number]
    if not seat.bought_in:
        return Rejected("SEAT_NOT_BOUGHT_IN", seat_number=number)
    if seat.leaving:
        return Rejected("PLAYER_LEAVING", seat_number=number)
    if pending_to(table, number):
        return Rejected("TRANSFER_PENDING", seat_number=number)
    most = max(0, table.rules.max_buy_in - table.chips_at(number) - seat.queued_rebuy)
    if not 1 <= command.amount <= most:
        return Rejected("REBUY_NOT_LEGAL", max_rebuy=most)
    return [_requested(command, "rebuy", number)]


def accept_transfer(table: Table, command: cmd.AcceptTransfer) -> Decided:
    """The chips are reserved and come to the seat; refused where that is gone or the table closes."""
    transfer = table.carried.transfers.get(command.transfer_id)
    if transfer is None or transfer.kind == "payout":
        return Rejected("UNKNOWN_TRANSFER")
    refused = _must_be_open(table)
    if refused is not None:
        return refused
    seat = table.seats.get(transfer.seat)
    if seat is None or seat.player_id != transfer.player_id:
        return Rejected("PLAYER_NOT_SEATED")
    if transfer.kind == "rebuy":
        return _rebought(table, transfer)
    rules = table.rules
    waits = rules.wait_near_button and near_button(table.carried.button_seat, transfer.seat, rules.seat_count)
    return [
        tev.BoughtIn(
            transfer.seat, seat.player_id, transfer.amount, transfer.transfer_id, waits, rules.bring_in
        )
    ]


def _rebought(table: Table, transfer: tev.PendingTransfer) -> Decided:
    """To the stack; during a hand after it; what does not fit by now returns to the wallet (R-T12)."""
    number, player_id, amount = transfer.seat, transfer.player_id, transfer.amount
    if not table.seats[number].bought_in:
        return Rejected("SEAT_NOT_BOUGHT_IN", seat_number=number)
    if table.in_hand(number):
        return [tev.Rebought(number, player_id, amount, transfer.transfer_id, queued=True)]
    fits = max(0, table.rules.max_buy_in - table.seats[number].stack)
    if amount <= fits:
        return [tev.Rebought(number, player_id, amount, transfer.transfer_id, queued=False)]
    return [
        tev.Rebought(number, player_id, amount, transfer.transfer_id, queued=True),
        tev.RebuyApplied(number, player_id, fits, amount - fits, table.next_payout_id()),
    ]


def confirm_payout(table: Table, command: cmd.ConfirmPayout) -> Decided:
    """A payout has reached the wallet."""
    if command.transfer_id not in table.carried.transfers:
        return Rejected("UNKNOWN_TRANSFER")
    return [tev.PayoutPosted(command.transfer_id)]


def sit_out(table: Table, command: cmd.SitOut) -> Decided:
    """Not dealt in from the next hand on; at once where the player is in none (R-T17)."""
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    seat = table.seats[number]
    if not seat.bought_in:
        return Rejected("SEAT_NOT_BOUGHT_IN", seat_number=number)
    if seat.sitting_out or seat.sit_out_next:
        return Rejected("PLAYER_SITTING_OUT", seat_number=number)
    if table.in_hand(number):
        return [tev.SitOutRequested(number)]
    return [tev.SatOut(number, tev.SitOutReason.ASKED, command.now)]


def sit_in(table: Table, command: cmd.SitIn) -> Decided:
    """Be dealt in again, posting what is owed or waiting for the big blind (R-T17)."""
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    seat = table.seats[number]
    if not (seat.sitting_out or seat.sit_out_next):
        return Rejected("PLAYER_NOT_SITTING_OUT", seat_number=number)
    return [tev.SatIn(number, command.wait_for_big_blind and seat.missed_big_blind)]


def _requested(command: cmd.RequestBuyIn | cmd.RequestRebuy, kind: tev.TransferKind, seat: int) -> Event:
    return tev.TransferRequested(
        tev.PendingTransfer(
            command.transfer_id, kind, seat, command.player_id, command.amount, command.answers
        )
    )


def pending_to(table: Table, number: int) -> bool:
    """Whether a buy-in or rebuy for the seat waits for the wallet."""
    seat = table.seats.get(number)
    return seat is not None and any(
        transfer.seat == number and transfer.kind != "payout" and transfer.player_id == seat.player_id
        for transfer in table.carried.transfers.values()
    )


def _must_be_open(table: Table) -> Rejected | None:
    if table.carried.state is tev.TableState.CLOSING:
        return Rejected("TABLE_CLOSING", table_id=table.table_id)
    return None
