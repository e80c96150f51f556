"""What an operator decides at a table: a hand voided, a standstill ended, a player removed."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import leaving
from croupier.engine import table_events as tev
from croupier.engine.hand import Hand
from croupier.engine.rejection import Rejected
from croupier.engine.seating import Decided
from croupier.engine.table import Table, apply
from croupier.engine.unseated import waiting_of


def resolve_table(table: Table, command: cmd.ResolveTable) -> Decided:
    """Void the hand in play, after which the table is paused; or let a paused one go on."""
    happened: list[ev.Event] = []
    if not command.void:
        if table.carried.state is not tev.TableState.PAUSED:
            return Rejected("TABLE_NOT_PAUSED", table_id=table.table_id)
        apply(table, happened, tev.TableResumed())
        return happened
    if table.hand is None:
        return Rejected("HAND_NOT_IN_PROGRESS", table_id=table.table_id)
    _void(table, table.hand, happened)
    if table.carried.state is tev.TableState.OPEN:
        apply(table, happened, tev.TablePaused())
    leaving.clear(table, happened, command.now)
    return happened


def _void(table: Table, hand: Hand, happened: list[ev.Event]) -> None:
    """Nobody shows cards of the hand afterwards: it was none."""
    stacks = hand.started.stacks
    returned = tuple([before - now for before, now in zip(stacks, hand.stack, strict=True)])
    nothing = (0,) * len(stacks)
    apply(table, happened, ev.HandVoided(hand.number, hand.seats, returned))
    apply(table, happened, ev.HandEnded(hand.number, 0, stacks, nothing, hand.seats, nothing))


def not_at_the_table(table: Table, command: cmd.RemovePlayer) -> Decided | None:
    """Removes a player who only waits for a seat, or has one reserved; None for one who has bought in.

    A buy-in under way finds no seat, and comes to nothing.
    """
    number = table.seat_of(command.player_id)
    if number:
        if table.seats[number].bought_in:
            return None
        left: ev.Event = tev.PlayerLeft(number, command.player_id, 0, "", tev.LeaveReason.REMOVED)
    elif waiting_of(table.carried, command.player_id) is None:
        return Rejected("PLAYER_NOT_SEATED")
    else:
        left = tev.WaitingListLeft(command.player_id, tev.WaitReason.REMOVED)
    happened: list[ev.Event] = []
    apply(table, happened, left)
    return happened
