"""Chips that come to a seat, and whether its player is dealt in: buy-in, rebuy, sitting out (R-T8 to R-T12, R-T17)."""

from __future__ import annotations

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.rejection import Rejected
from croupier.engine.rotation import near_button
from croupier.engine.table import Table

Decided = list[Event] | Rejected


def request_buy_in(table: Table, command: cmd.RequestBuyIn) -> Decided:
    """Begin the buy-in of a reserved seat; the wallet is asked next (R-T8)."""
    refused = must_be_open(table)
    if refused is not None:
        return refused
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    if table.seats[number].bought_in:
        return Rejected("SEAT_NOT_RESERVED", seat_number=number)
    if pending_to(table, number):
        return Rejected("TRANSFER_PENDING", seat_number=number)
    if command.wait_for_big_blind and not table.rules.newcomers_may_wait:
        return Rejected("FIELD_NOT_ALLOWED", field="wait_for_big_blind")
    least, most = buy_in_bounds(table, command.player_id, command.now)
    if not least <= command.amount <= most:
        return Rejected("BUY_IN_NOT_LEGAL", min_buy_in=least, max_buy_in=most)
    transfer = msgspec.structs.replace(
        _transfer(command, "buy_in", number),
        wait_for_big_blind=command.wait_for_big_blind,
        brought=_brought(table, command),
    )
    return [tev.TransferRequested(transfer)]


def _brought(table: Table, command: cmd.RequestBuyIn) -> int:
    """What a player has brought, all in all, once this has come; a return goes on where the player left (R-T20)."""
    if not table.rules.banking_window_ms:
        return 0
    banked = banked_by(table, command.player_id, command.now)
    return command.amount if banked is None else banked.brought + command.amount - banked.amount


def banked_by(table: Table, player_id: str, now: int) -> tev.CashedOut | None:
    """What a player who left ahead not long ago must bring back, None for everybody else (R-T20)."""
    banked = table.carried.cashed_out.get(player_id)
    return banked if banked is not None and banked.until > now else None


def buy_in_bounds(table: Table, player_id: str, now: int) -> tuple[int, int]:
    """The least and the greatest buy-in for a player; what was banked comes back, above the maximum too (R-T20)."""
    rules = table.rules
    banked = banked_by(table, player_id, now)
    if banked is None:
        return rules.min_buy_in, rules.max_buy_in
    return max(rules.min_buy_in, banked.amount), max(rules.max_buy_in, banked.amount)


def request_rebuy(table: Table, command: cmd.RequestRebuy) -> Decided:
    """Begin a rebuy up to the maximum buy-in (R-T12)."""
    refused = must_be_open(table)
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
    return [tev.TransferRequested(_transfer(command, "rebuy", number))]


def accept_transfer(table: Table, command: cmd.AcceptTransfer) -> Decided:
    """The chips are reserved and come to the seat; refused where that is gone or the table closes."""
    transfer = _awaited(table, command.transfer_id)
    if transfer is None:
        return Rejected("UNKNOWN_TRANSFER")
    refused = must_be_open(table)
    if refused is not None:
        return refused
    seat = table.seats.get(transfer.seat)
    if seat is None or seat.player_id != transfer.player_id:
        return Rejected("PLAYER_NOT_SEATED")
    if transfer.kind == "rebuy":
        decided = _rebought(table, transfer)
    else:
        decided = [_bought_in(table, transfer, posting=command.post and command.awaited)]
    if command.post and isinstance(decided, list):
        posting = msgspec.structs.replace(transfer, kind="post", answers=None)
        decided.append(tev.PostRequested(posting))
    return decided


def _bought_in(table: Table, transfer: tev.PendingTransfer, *, posting: bool) -> Event:
    """A newcomer waits for the button or the big blind, and owes a bring-in where the house has one (R-T9, R-T10)."""
    rules, number = table.rules, transfer.seat
    near = rules.wait_near_button and near_button(table.carried.button_seat, number, rules.seat_count)
    return tev.BoughtIn(
        number,
        transfer.player_id,
        transfer.amount,
        transfer.transfer_id,
        near and not transfer.wait_for_big_blind,
        rules.bring_in and rules.big_blind > 0,
        transfer.wait_for_big_blind,
        transfer.brought,
        posting,
    )


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


def confirm_post(table: Table, command: cmd.ConfirmPost) -> Decided:
    """The wallet has posted what came to a seat."""
    transfer = table.carried.transfers.get(command.transfer_id)
    if transfer is None or transfer.kind != "post":
        return Rejected("UNKNOWN_TRANSFER")
    return [tev.TransferPosted(command.transfer_id)]


def void_transfer(table: Table, command: cmd.VoidTransfer) -> Decided:
    """Nothing comes of a buy-in or rebuy, whatever happens to its seat from now on."""
    transfer = _awaited(table, command.transfer_id)
    if transfer is None:
        return Rejected("UNKNOWN_TRANSFER")
    return [tev.VoidRequested(msgspec.structs.replace(transfer, kind="void", refusal=command.refusal))]


def confirm_payout(table: Table, command: cmd.ConfirmPayout) -> Decided:
    """A payout has reached the wallet."""
    transfer = table.carried.transfers.get(command.transfer_id)
    if transfer is None or transfer.kind != "payout":
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
    return [goes_out(table, number, tev.SitOutReason.ASKED, command.now)]


def goes_out(table: Table, number: int, reason: tev.SitOutReason, now: int) -> tev.SatOut:
    """A seat is kept for a while in all until its player is dealt in again, however often that sits in (R-T15)."""
    return tev.SatOut(number, reason, now - table.seats[number].sat_out_for)


def sit_in(table: Table, command: cmd.SitIn) -> Decided:
    """Be dealt in again, posting what is owed or waiting for the big blind (R-T17)."""
    number = table.seat_of(command.player_id)
    if not number:
        return Rejected("PLAYER_NOT_SEATED")
    seat = table.seats[number]
    if not (seat.sitting_out or seat.sit_out_next):
        return Rejected("PLAYER_NOT_SITTING_OUT", seat_number=number)
    may_wait = seat.missed_big_blind or (seat.owes_bring_in and table.rules.newcomers_may_wait)
    waits = command.wait_for_big_blind and may_wait
    sat_out_for = max(0, command.now - seat.sitting_out_since) if seat.sitting_out else 0
    return [tev.SatIn(number, waits, seat.waiting_for_button, sat_out_for)]


def _transfer(
    command: cmd.RequestBuyIn | cmd.RequestRebuy, kind: tev.TransferKind, seat: int
) -> tev.PendingTransfer:
    return tev.PendingTransfer(
        command.transfer_id, kind, seat, command.player_id, command.amount, command.answers
    )


def _awaited(table: Table, transfer_id: str) -> tev.PendingTransfer | None:
    """The buy-in or rebuy that is neither accepted nor refused yet."""
    transfer = table.carried.transfers.get(transfer_id)
    return transfer if transfer is not None and transfer.kind in ("buy_in", "rebuy") else None


def pending_to(table: Table, number: int) -> bool:
    """Whether a buy-in or rebuy for the seat waits for the wallet."""
    seat = table.seats.get(number)
    return seat is not None and any(
        transfer.seat == number
        and transfer.kind not in ("payout", "post")
        and transfer.player_id == seat.player_id
        for transfer in table.carried.transfers.values()
    )


def must_be_open(table: Table) -> Rejected | None:
    """The refusal of whatever brings players or chips to a table that closes."""
    if table.carried.state is tev.TableState.CLOSING:
        return Rejected("TABLE_CLOSING", table_id=table.table_id)
    return None
