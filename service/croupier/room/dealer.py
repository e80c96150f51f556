"""One table's decks: drawn and committed to, for the coming hand ahead of it where players have a share in the deal.

It draws no order itself and writes no record; what it holds is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from croupier.engine.entropy import entropy_of
from croupier.engine.events import Event, HandStarted
from croupier.engine.rotation import ready
from croupier.engine.table import Table
from croupier.room.folding import Folded
from croupier.room.hand_id import hand_id_of
from croupier.room.openings import Followed, to_keep
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
    """`rules_digest` binds decks to the table's rules; it is known once the table's first record is made.

    Where keys of settled hands are not kept (`key_goes`), it follows the hand, to open what that has shown.
    """

    def __init__(self, services: Services, folded: Folded) -> None:
        self._runtime = services.runtime
        self._seal = services.seal
        self._game = folded.table.hand_rules.game
        self.rules_digest = folded.rules_digest
        self.key_goes = folded.table.rules.hand_keys != "keep"
        self._deck = folded.deck if self.key_goes or folded.table.hand is None else None
        self._followed: Followed | None = None
        for event in folded.told:
            self.follow((event,))

    def prepare(self, table: Table, orders: Orders) -> tuple[Deck, bytes | None]:
        """Decks for the coming hand, whoever may be dealt in; and what the store is to keep of its key."""
        deck, hand_key = self._fresh(table, orders, table.rules.seat_count)
        return deck, hand_key

    def deal(self, table: Table, orders: Orders) -> Dealing:
        """The decks prepared, or new ones, and the order that they are dealt in."""
        deck, hand_key, coming = self._deck, None, table.carried.coming
        if deck is None or coming is None or deck.roots != coming.roots:
            deck, hand_key = self._fresh(table, orders, ready(table))
        return Dealing(deck, dealt(deck, entropy_of(table.carried.coming, deck.roots)), hand_key)

    def started(self) -> None:
        """The hand was dealt: its decks are remembered no longer than they are needed."""
        if not self.key_goes:
            self._deck = None

    def follow(self, events: Iterable[Event]) -> None:
        """What happened at the table."""
        if not self.key_goes:
            return
        for event in events:
            if isinstance(event, HandStarted):
                self._followed = Followed(self._game, event)
            elif self._followed is not None:
                self._followed.take(event)

    def settle(self, table_id: str) -> bytes:
        """The hand is over and its key forgotten: what opens the cards it has shown; nothing where that is kept."""
        self._seal.end(table_id)
        deck, followed = self._deck, self._followed
        self._deck = self._followed = None
        if deck is None or followed is None or followed.started.roots != deck.roots:
            return b""
        return to_keep(followed.openings(deck))

    def _fresh(self, table: Table, orders: Orders, players: int) -> tuple[Deck, bytes | None]:
        """In draw games as many decks as the hand may need (R-H8)."""
        rules = table.hand_rules
        number = table.carried.hand_number + 1
        cards = orders(rules.game.decks_needed(players, rules.most_drawn))
        secret = self._runtime.entropy(SECRET_BYTES)
        hand_key = self._seal.begin(table.table_id, number, table.rules, self._runtime.entropy(ENTROPY_BYTES))
        self._deck = Deck(hand_id_of(table.table_id, number), self.rules_digest, secret, cards)
        return self._deck, hand_key or None
