"""Decks that can be checked: what a hand commits to before its first card, and what opens a card of it.

Each place of a deck is a leaf: hand, deck, place, card and a salt of 256 bits. In which order the places are dealt
follows from the entropy that players revealed, so that nobody chooses the deal alone. Bytes are laid out as
`deploy/verify/README.md` says; whoever checks needs no secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256, shake_256
from typing import Final, NamedTuple

import msgspec

from croupier.engine.events import Entropy, HandStarted
from croupier.engine.game import DECK_SIZE
from croupier.room import merkle
from croupier.room.deck import shuffled
from croupier.room.hand_id import hand_id_of

SECRET_BYTES: Final = 32
SALT_BYTES: Final = 32
_IDENTITY: Final = bytes(range(DECK_SIZE))
_encoder = msgspec.json.Encoder(order="sorted")


class Opening(NamedTuple):
    """What opens one leaf: its salt, and the siblings up to the root."""

    salt: bytes
    path: list[bytes]


class Deck:
    """A hand's decks as their places were filled, and the secret that the salts come from.

    `orders` are whole decks, one after the other: more than one where a stub may be shuffled anew (R-H8).
    """

    __slots__ = ("_trees", "context", "orders", "roots", "secret")

    def __init__(self, hand_id: str, rules_digest: bytes, secret: bytes, orders: bytes) -> None:
        self.secret = secret
        self.orders = orders
        self.context = context(hand_id, rules_digest)
        self._trees = [self._tree(deck) for deck in range(len(orders) // DECK_SIZE)]
        self.roots = tuple([levels[-1][0] for levels in self._trees])

    @classmethod
    def unsealed(cls, hand_id: str, rules_digest: bytes, sealed: bytes) -> Deck:
        """The deck that `to_seal` was of."""
        return cls(hand_id, rules_digest, sealed[:SECRET_BYTES], sealed[SECRET_BYTES:])

    def to_seal(self) -> bytes:
        """All that is to be kept secret of it."""
        return self.secret + self.orders

    def card(self, deck: int, position: int) -> int:
        return self.orders[deck * DECK_SIZE + position]

    def opening(self, deck: int, position: int) -> Opening:
        """What proves the card at a place, and tells nothing of any other."""
        at = position * SALT_BYTES
        return Opening(self._salts(deck)[at : at + SALT_BYTES], merkle.path(self._trees[deck], position))

    def _salts(self, deck: int) -> bytes:
        name = b"croupier salts 1\0" + bytes((deck,))
        return shake_256(name + self.secret).digest(DECK_SIZE * SALT_BYTES)

    def _tree(self, deck: int) -> merkle.Tree:
        salts = self._salts(deck)
        start = b"\0" + self.context + bytes((deck,))
        cards = self.orders[deck * DECK_SIZE : (deck + 1) * DECK_SIZE]
        return merkle.tree(
            [
                sha256(
                    start
                    + bytes((position, card))
                    + salts[position * SALT_BYTES : (position + 1) * SALT_BYTES]
                ).digest()
                for position, card in enumerate(cards)
            ]
        )


def rules_text(first_body: bytes) -> bytes:
    """A table's rules as its first record has them: JSON, whatever fields later versions add."""
    _, events = msgspec.msgpack.decode(first_body)
    return _encoder.encode(events[0][3])


def rules_digest(first_body: bytes) -> bytes:
    """What binds a hand's decks to its table's rules."""
    return sha256(rules_text(first_body)).digest()


def context(hand_id: str, digest: bytes) -> bytes:
    """What every leaf of a hand's decks begins with."""
    return sha256(b"croupier deck 1\0" + hand_id.encode() + b"\0" + digest).digest()


def permutation(deal_context: bytes, roots: Sequence[bytes], entropy: Sequence[Entropy], deck: int) -> bytes:
    """Which place is dealt when: as they lie where nobody revealed anything, else as the entropy has it."""
    if not any(part.revealed for part in entropy):
        return _IDENTITY
    seed = sha256(b"croupier permutation 1\0" + deal_context + _told(roots, entropy)).digest()
    return shuffled(bytes((deck,)) + seed)


def dealt(deck: Deck, entropy: Sequence[Entropy]) -> bytes:
    """The order that a hand's cards come in."""
    return _in_order(deck.context, deck.roots, entropy, deck.orders)


def unsealed_order(table_id: str, started: HandStarted, sealed: bytes) -> bytes:
    """The deal order from what is sealed at a hand's start; in the first format that is the order itself."""
    if not started.roots:
        return sealed
    bound = context(hand_id_of(table_id, started.hand_number), started.rules_digest)
    return _in_order(bound, started.roots, started.entropy, sealed[SECRET_BYTES:])


def _in_order(bound: bytes, roots: Sequence[bytes], entropy: Sequence[Entropy], orders: bytes) -> bytes:
    if not any(part.revealed for part in entropy):
        return orders
    order = bytearray()
    for deck in range(len(orders) // DECK_SIZE):
        start = deck * DECK_SIZE
        order += bytes([orders[start + place] for place in permutation(bound, roots, entropy, deck)])
    return bytes(order)


def deal_digest(hand_id: str, started: HandStarted) -> bytes:
    """Binds together all that is public of a deal: hand, rules, roots, entropy, and who is dealt to in turn."""
    seats = [bytes((len(started.seats),))]
    for number, player_id in zip(started.seats, started.players, strict=True):
        seats.append(bytes((number,)) + _name(player_id))
    bound = context(hand_id, started.rules_digest)
    return sha256(
        b"".join((b"croupier deal 1\0", bound, _told(started.roots, started.entropy), *seats))
    ).digest()


def _told(roots: Sequence[bytes], entropy: Sequence[Entropy]) -> bytes:
    parts = [bytes((len(roots),)), *roots, bytes((len(entropy),))]
    for part in entropy:
        parts += (_name(part.player_id), part.commitment, bytes((bool(part.revealed),)), part.revealed)
    return b"".join(parts)


def _name(player_id: str) -> bytes:
    text = player_id.encode()
    return len(text).to_bytes(2, "big") + text
