"""Draws as players ask for them, by cards, and the cards that one moves; what is legal the engine says.

The engine and the journal speak of places in the hand, so that no card stands there in clear.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from croupier.engine import commands as cmd
from croupier.engine.actions import Action, Draw
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.table import Table
from croupier.room.ports import Record
from croupier.room.seal import KeyGone, Seal

_NO_PLACE: Final = 255
"""What stands for a card that is not held: the engine refuses it, once it has looked at whose turn it is."""


class Discard(msgspec.Struct, frozen=True):
    """Exchange these cards; none is standing pat (R-H7)."""

    cards: bytes


class Exchange(NamedTuple):
    """A draw about to be made: whose, the hand, and the actor's cards as they are before it."""

    player_id: str
    hand: Hand
    position: int
    places: bytes
    before: bytes

    def cards(self) -> bytes:
        """Once it is made: the cards discarded, then as many drawn for them, in the order of the places."""
        after = self.hand.hole_cards[self.position]
        return bytes([cards[place] for cards in (self.before, after) for place in self.places])


def by_places(table: Table, action: Action | Discard) -> Action:
    """The action as the engine takes it: a draw by the places that its cards have in the actor's hand."""
    if not isinstance(action, Discard):
        return action
    hand = table.hand
    held = b"" if hand is None or hand.actor == NOBODY else hand.hole_cards[hand.actor]
    return Draw(bytes([held.index(card) if card in held else _NO_PLACE for card in action.cards]))


def exchange(table: Table, command: cmd.Command) -> Exchange | None:
    """The draw that the command is; None where it exchanges nothing."""
    if type(command) is not cmd.Act or type(command.action) is not Draw or not command.action.places:
        return None
    hand = table.hand
    if hand is None or hand.actor == NOBODY:
        return None
    return Exchange(command.player_id, hand, hand.actor, command.action.places, hand.hole_cards[hand.actor])


def exchanged(record: Record, command: cmd.Act, seal: Seal) -> bytes:
    """What `Exchange.cards` was of a draw in the journal; empty where none was exchanged."""
    if record.sealed is None:
        return b""
    return seal.open(record, command.hand_number)


def by_cards(record: Record, command: cmd.Act, seal: Seal) -> Action | Discard | None:
    """The action in the journal as it was asked for; None where the hand's key, and so its cards, are gone."""
    action = command.action
    if not isinstance(action, Draw):
        return action
    try:
        return Discard(exchanged(record, command, seal)[: len(action.places)])
    except KeyGone:
        return None
