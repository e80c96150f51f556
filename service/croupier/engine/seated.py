"""What happens to seats and to money on its way, where it concerns nothing else of the table. It decides nothing."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.engine import table_events as tev

GOING_ON: Final = (tev.TransferRequested, tev.PostRequested, tev.VoidRequested)
ENDED: Final = (tev.TransferRefused, tev.PayoutPosted)
TO_A_SEAT: Final = ("buy_in", "rebuy", "void")
NO_SEAT: Final = 0


def seat_reserved(carried: tev.TableCarried, event: tev.SeatReserved) -> None:
    """The seat is held."""
    carried.seats[event.seat] = tev.Seat(event.player_id, reserved_until=event.until)


def transfer_goes_on(
    carried: tev.TableCarried, event: tev.TransferRequested | tev.PostRequested | tev.VoidRequested
) -> None:
    """Money is on its way, and the wallet is asked next."""
    carried.transfers[event.transfer.transfer_id] = event.transfer


def transfer_ended(carried: tev.TableCarried, event: tev.TransferRefused | tev.PayoutPosted) -> None:
    """It is no longer."""
    carried.transfers.pop(event.transfer_id)


def transfer_posted(carried: tev.TableCarried, event: tev.TransferPosted) -> None:
    """The wallet knows; whoever bought in by this transfer, and is still there, is in play (R-T8)."""
    transfer = carried.transfers.pop(event.transfer_id)
    seat = carried.seats.get(transfer.seat)
    if seat is not None and seat.posting == event.transfer_id:
        seat.posting = ""


def transfers_outlive(carried: tev.TableCarried, number: int) -> None:
    """Chips on their way to a seat that its player has left are nobody's at the table, whoever takes it next."""
    for transfer_id, transfer in carried.transfers.items():
        if transfer.seat == number and transfer.kind in TO_A_SEAT:
            carried.transfers[transfer_id] = msgspec.structs.replace(transfer, seat=NO_SEAT)


def leave_requested(carried: tev.TableCarried, event: tev.LeaveRequested) -> None:
    """The player leaves after the hand."""
    seat = carried.seats[event.seat]
    seat.leaving = "remove" if event.removed else "dismiss" if event.dismiss else "cash_out"


def sit_out_requested(carried: tev.TableCarried, event: tev.SitOutRequested) -> None:
    """The player sits out after the hand."""
    carried.seats[event.seat].sit_out_next = True


def sat_out(carried: tev.TableCarried, event: tev.SatOut) -> None:
    """The player is not dealt in; a run of time-outs is over where it led to this (R-T15)."""
    seat = carried.seats[event.seat]
    seat.sitting_out = True
    seat.sit_out_next = False
    seat.sitting_out_since = event.since
    if event.reason is tev.SitOutReason.TIMED_OUT:
        seat.time_outs = 0


def sat_in(carried: tev.TableCarried, event: tev.SatIn) -> None:
    """The player is dealt in again."""
    seat = carried.seats[event.seat]
    seat.sitting_out = False
    seat.sit_out_next = False
    seat.sitting_out_since = 0
    seat.sat_out_for = event.sat_out_for
    seat.waiting_for_big_blind = event.waiting_for_big_blind


def timed_out(carried: tev.TableCarried, event: tev.TimedOut) -> None:
    """One more in the run of time-outs."""
    carried.seats[event.seat].time_outs += 1


def blinds_missed(carried: tev.TableCarried, event: tev.BlindsMissed) -> None:
    """The blinds passed seats whose players sit out."""
    for number in event.big:
        carried.seats[number].missed_big_blind = True
    for number in event.small:
        carried.seats[number].missed_small_blind = True


def button_passed(carried: tev.TableCarried, event: tev.ButtonPassed) -> None:
    """Newcomers wait for the button no longer."""
    for number in event.seats:
        carried.seats[number].waiting_for_button = False
