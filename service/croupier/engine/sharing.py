"""The deal of the coming hand while players have a share in it: entropy committed to, decks fixed, entropy revealed.

In that order alone (the deck is committed to before any entropy is known). What follows from it is the room's.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.entropy import place_of
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table

ENTROPY_BYTES: Final = 32

Decided = list[ev.Event] | Rejected


def commit_entropy(table: Table, command: cmd.CommitEntropy) -> Decided:
    """A seated player's, once a hand, until the deck is committed to."""
    coming = table.carried.coming
    if not table.seat_of(command.player_id):
        return Rejected("PLAYER_NOT_SEATED")
    if coming is not None and (coming.roots or place_of(coming.entropy, command.player_id) is not None):
        return Rejected("ENTROPY_NOT_ALLOWED", hand_number=_coming(table))
    return [tev.EntropyCommitted(_coming(table), command.player_id, command.commitment)]


def commit_deck(table: Table, command: cmd.CommitDeck) -> Decided:
    """Where players have committed to entropy, and no hand is in progress."""
    coming = table.carried.coming
    if coming is None or coming.roots or table.hand is not None:
        return []
    return [tev.DeckCommitted(_coming(table), command.roots, command.rules_digest)]


def reveal_entropy(table: Table, command: cmd.RevealEntropy) -> Decided:
    """What was committed to, between the deck's commitment and the hand."""
    coming = table.carried.coming
    place = None if coming is None else place_of(coming.entropy, command.player_id)
    if coming is None or not coming.roots or place is None or command.hand_number != _coming(table):
        return Rejected("ENTROPY_NOT_ALLOWED", hand_number=_coming(table))
    if sha256(command.entropy).digest() != coming.entropy[place].commitment:
        return Rejected("ENTROPY_MISMATCHED", hand_number=_coming(table))
    return [tev.EntropyRevealed(_coming(table), command.player_id, command.entropy)]


def open_deck(table: Table, command: cmd.OpenDeck) -> Decided:
    """For the hand that has just ended."""
    if table.hand is not None or command.hand_number != table.carried.hand_number:
        return []
    return [tev.DeckOpened(command.hand_number, command.openings)]


def _coming(table: Table) -> int:
    return table.carried.hand_number + 1
