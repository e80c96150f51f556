"""Chips that come to a table's seats from wallets, and leave them again. It decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.engine import entropy, seated, unseated
from croupier.engine import table_events as tev
from croupier.numbers import NS_PER_MS

if TYPE_CHECKING:
    from croupier.engine.table import Table


def bought_in(table: Table, event: tev.BoughtIn) -> None:
    """The seat has its first chips, which may have yet to post."""
    table.carried.transfers.pop(event.transfer_id)
    seat = table.carried.seats[event.seat]
    table.carried.chips += event.amount
    seat.stack = event.amount
    seat.bought_in = True
    seat.reserved_until = 0
    seat.waiting_for_button = event.waiting_for_button
    seat.owes_bring_in = event.owes_bring_in
    seat.waiting_for_big_blind = event.waiting_for_big_blind
    seat.brought = event.brought
    seat.posting = event.transfer_id if event.posting else ""
    table.carried.cashed_out.pop(event.player_id, None)


def rebought(table: Table, event: tev.Rebought) -> None:
    """More chips for a seat, which wait where it is in a hand."""
    table.carried.transfers.pop(event.transfer_id)
    seat = table.carried.seats[event.seat]
    table.carried.chips += event.amount
    if table.rules.banking_window_ms:
        seat.brought += event.amount
    if event.queued:
        seat.queued_rebuy += event.amount
    else:
        seat.stack += event.amount


def rebuy_applied(table: Table, event: tev.RebuyApplied) -> None:
    """What waited for a seat comes to it, as far as it fits."""
    seat = table.carried.seats[event.seat]
    seat.queued_rebuy = 0
    seat.stack += event.amount
    if table.rules.banking_window_ms:
        seat.brought -= event.returned
    _owe_payout(table, event.seat, event.player_id, event.returned, event.transfer_id)


def _owe_payout(table: Table, number: int, player_id: str, amount: int, transfer_id: str) -> None:
    if amount:
        table.carried.chips -= amount
        table.carried.payout_count += 1
        transfer = tev.PendingTransfer(transfer_id, "payout", number, player_id, amount)
        table.carried.transfers[transfer_id] = transfer


def player_left(table: Table, event: tev.PlayerLeft) -> None:
    """The seat is free, and its chips are on their way to the wallet."""
    seat = table.carried.seats.pop(event.seat)
    seated.transfers_outlive(table.carried, event.seat)
    if table.before is not None:
        table.before.seats.pop(event.seat, None)
    entropy.player_left(table.carried, event.player_id)
    if event.banked_until:
        window = table.rules.banking_window_ms * NS_PER_MS
        unseated.remember(table.carried, event, seat.brought, window)
    _owe_payout(table, event.seat, event.player_id, event.amount, event.transfer_id)
