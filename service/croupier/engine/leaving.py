"""Seats that become free, by a hand's end, by time or as the table closes, and what the end of a hand means to all."""

from __future__ import annotations

from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import seating, waiting
from croupier.engine import table_events as tev
from croupier.engine.rejection import Rejected
from croupier.engine.seating import Decided
from croupier.engine.table import Table, apply
from croupier.numbers import NS_PER_MS

REASONS: Final = {
    "cash_out": tev.LeaveReason.CASHED_OUT,
    "dismiss": tev.LeaveReason.DISMISSED,
    "remove": tev.LeaveReason.REMOVED,
}
"""Why a seat becomes free, by how its player leaves."""


def clear(table: Table, happened: list[ev.Event], now: int) -> None:
    """After a hand: rebuys that waited, players who leave, bust or sit out, seats offered; then the checkpoint."""
    for number in sorted(table.seats):
        seat = table.seats[number]
        if seat.queued_rebuy:
            _apply_rebuy(table, happened, number)
        if seat.leaving:
            free_seat(table, happened, number, REASONS[seat.leaving], now)
        elif seat.bought_in and not seat.stack and not seating.pending_to(table, number):
            free_seat(table, happened, number, tev.LeaveReason.OUT_OF_CHIPS, now)
        elif seat.time_outs >= table.rules.time_outs_to_sit_out and not seat.sitting_out:
            apply(table, happened, seating.goes_out(table, number, tev.SitOutReason.TIMED_OUT, now))
        elif seat.sit_out_next:
            apply(table, happened, seating.goes_out(table, number, tev.SitOutReason.ASKED, now))
    finish_closing(table, happened)
    waiting.offer_seats(table, happened, now)
    happened.append(tev.TableCheckpointed(table.carried))


def _apply_rebuy(table: Table, happened: list[ev.Event], number: int) -> None:
    """A queued rebuy comes to the stack as far as it fits; the rest returns to the wallet (R-T12)."""
    seat = table.seats[number]
    fits = min(seat.queued_rebuy, max(0, table.rules.max_buy_in - seat.stack))
    returned = seat.queued_rebuy - fits
    transfer_id = table.next_payout_id() if returned else ""
    apply(table, happened, tev.RebuyApplied(number, seat.player_id, fits, returned, transfer_id))


def free_seat(table: Table, happened: list[ev.Event], number: int, reason: tev.LeaveReason, now: int) -> None:
    """Send the stack to the wallet; whoever leaves ahead must bring it back for a while (R-T20)."""
    seat = table.seats[number]
    transfer_id = table.next_payout_id() if seat.stack else ""
    window = table.rules.banking_window_ms * NS_PER_MS
    banked_until = now + window if window and seat.stack > seat.brought else 0
    apply(
        table,
        happened,
        tev.PlayerLeft(number, seat.player_id, seat.stack, transfer_id, reason, banked_until),
    )


def finish_closing(table: Table, happened: list[ev.Event]) -> None:
    """Free every seat of a closing table between hands; it is closed once no money is on its way."""
    if table.carried.state is not tev.TableState.CLOSING or table.hand is not None:
        return
    for number in sorted(table.seats):
        free_seat(table, happened, number, tev.LeaveReason.TABLE_CLOSED, 0)
    if not table.carried.transfers:
        apply(table, happened, tev.TableClosed())


def refuse_transfer(table: Table, command: cmd.RefuseTransfer) -> Decided:
    """No chips come; a player who has none at the seat either leaves it (R-T13)."""
    transfer = table.carried.transfers.get(command.transfer_id)
    if transfer is None or transfer.kind in ("payout", "post"):
        return Rejected("UNKNOWN_TRANSFER")
    happened: list[ev.Event] = []
    apply(table, happened, tev.TransferRefused(command.transfer_id, command.available))
    seat = table.seats.get(transfer.seat)
    if seat is not None and seat.bought_in and not seat.stack and not table.in_hand(transfer.seat):
        free_seat(table, happened, transfer.seat, tev.LeaveReason.OUT_OF_CHIPS, command.now)
    finish_closing(table, happened)
    return happened


def expire_kept_seat(table: Table, command: cmd.ExpireKeptSeat) -> Decided:
    """Free the seat of a player who has sat out for too long (R-T15)."""
    seat = table.seats.get(command.seat)
    kept = table.rules.seat_kept_ms * NS_PER_MS
    if seat is None or not seat.sitting_out or command.now < seat.sitting_out_since + kept:
        return []
    happened: list[ev.Event] = []
    free_seat(table, happened, command.seat, tev.LeaveReason.SAT_OUT_TOO_LONG, command.now)
    return happened


def close_table(table: Table, _: cmd.CloseTable) -> Decided:
    """No further hand; the one in play is concluded, then everybody is paid out."""
    if table.carried.state is tev.TableState.CLOSING:
        return Rejected("TABLE_CLOSING", table_id=table.table_id)
    happened: list[ev.Event] = []
    apply(table, happened, tev.TableClosing())
    waiting.dissolve(table, happened)
    finish_closing(table, happened)
    return happened
