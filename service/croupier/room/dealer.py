"""One table's decks: drawn and committed to, for the coming hand ahead of it where players have a share in the deal.

It draws no order itself and writes no record; what it holds is secret.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from croupier.engine.entropy import entropy_of
from croupier.engine.events import HandStarted
from croupier.engine.rotation import ready
from croupier.engine.table import Table
from croupier.room.folding import Folded
from croupier.room.proofs import SECRET_BYTES, Deck, dealt
from croupier.room.seal import ENTROPY_BYTES
from croupier.room.services import Services

Orders = Callable[[int], bytes]
"""Makes so many whole decks, one after the other, each from fresh entropy."""


class Dealing(NamedTuple):
    """A hand about to be dealt: its decks, the order that cards come in, what the store is to keep of its key."""

    deck: Deck
    order: bytes
    hand_key: bytes | None


class Dealer:
    """`rules_digest` binds decks to the table's rules; it is known once the table's first record is made."""

    def __init__(self, services: Services, folded: Folded) -> None:
        self._runtime = services.runtime
        self._seal = services.seal
        self.rules_digest = folded.rules_digest
        self._coming = folded.deck

    def prepare(self, table: Table, orders: Orders) -> tuple[Deck, bytes | None]:
        """Decks for the coming hand, whoever may be dealt in; and what the store is to keep of its key."""
        self._coming, hand_key = self._fresh(table, orders, table.rules.seat_count)
        return self._coming, hand_key

    def deal(self, table: Table, orders: Orders) -> Dealing:
        """The decks prepared, or new ones, and the order that they are dealt in."""
        deck, hand_key = self._coming, None
        if deck is None:
            deck, hand_key = self._fresh(table, orders, ready(table))
        return Dealing(deck, dealt(deck, entropy_of(table.carried.coming, deck.roots)), hand_key)

    def started(self, _: HandStarted) -> None:
        """The hand was dealt."""
        self._coming = None

    def _fresh(self, table: Table, orders: Orders, players: int) -> tuple[Deck, bytes | None]:
        """In draw games as many decks as the hand may need (R-H8)."""
        rules = table.hand_rules
        number = table.carried.hand_number + 1
        cards = orders(rules.game.decks_needed(players, rules.most_drawn))
        secret = self._runtime.entropy(SECRET_BYTES)
        hand_key = self._seal.begin(table.table_id, number, table.rules, self._runtime.entropy(ENTROPY_BYTES))
        return Deck(f"{table.table_id}/{number}", self.rules_digest, secret, cards), hand_key or None
