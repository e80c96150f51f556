"""Cards that players show unasked, for a while after a hand (R-H9). It remembers them no longer than that."""

from __future__ import annotations

from typing import NamedTuple

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.hand import Hand
from croupier.engine.rejection import Rejected


class EndedHand(NamedTuple):
    """Who held what at the end of a hand, folded or not, seat by seat; until when it may be shown."""

    hand_number: int
    until: int
    seats: tuple[int, ...]
    players: tuple[str, ...]
    hole_cards: tuple[bytes, ...]


def ended_hand(hand: Hand, until: int) -> EndedHand:
    """What may be shown of a hand, `until` a time in nanoseconds since the epoch."""
    return EndedHand(hand.number, until, hand.seats, hand.started.players, tuple(hand.hole_cards))


def show_cards(ended: EndedHand | None, command: cmd.ShowCards) -> list[ev.Event] | Rejected:
    """Show one or more cards of the hand that has just ended to everybody; the player may have left since."""
    refused = Rejected("SHOW_NOT_ALLOWED", hand_number=command.hand_number)
    if ended is None or command.hand_number != ended.hand_number or command.now > ended.until:
        return refused
    if command.player_id not in ended.players:
        return refused
    place = ended.players.index(command.player_id)
    held = ended.hole_cards[place]
    cards = command.cards or held
    if len(set(cards)) != len(cards) or not set(cards) <= set(held):
        return refused
    return [tev.CardsShown(ended.hand_number, ended.seats[place], command.player_id, cards)]
