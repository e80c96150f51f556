"""What opens the cards of one hand that a viewer may know: followed event by event, worked out once it has ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import DECK_SIZE, Game
from croupier.room.decoding import decoded
from croupier.room.proofs import Deck, permutation
from croupier.room.slots import BOARD, Slot, Slots


class CardOpening(msgspec.Struct, frozen=True, array_like=True):
    """What proves one card: whose it was (BOARD: everybody's), when it is dealt, where it lay, and its leaf's path."""

    seat: int
    card: int
    deck: int
    place: int
    position: int
    salt: bytes
    path: list[bytes]


class Exchange(msgspec.Struct, frozen=True):
    """Cards at `places` of a hand exchanged; `reshuffled` are the next deck's places of those shuffled in before."""

    seat: int
    places: bytes
    reshuffled: bytes


class Followed:
    """A hand's public events, and so which cards everybody has seen."""

    def __init__(self, game: Game, started: ev.HandStarted) -> None:
        self.started = started
        self.exchanges: list[Exchange] = []
        self._slots = Slots(game, started)
        self._kept: list[dict[int, list[Slot]]] = []
        """What those still in held at each reshuffle."""
        self._folded: set[int] = set()
        self._shown: dict[int, bytes | None] = {}
        """By seat the cards shown by choice; None where the whole hand was turned up."""
        self._reshuffled = b""

    def take(self, event: ev.Event) -> None:
        """Follow one event after HandStarted, cards shown after the hand's end included.

        Cards of the hand before may be shown meanwhile: they say nothing of this one.
        """
        match event:
            case ev.Folded():
                self._folded.add(event.seat)
            case ev.StubReshuffled():
                held = self._slots.held
                self._kept.append({seat: list(held[seat]) for seat in held if seat not in self._folded})
                self._reshuffled = event.places
            case ev.CardsDrawn():
                self.exchanges.append(Exchange(event.seat, event.places, self._reshuffled))
                self._reshuffled = b""
            case ev.HoleCardsShown():
                self._shown[event.seat] = None
            case tev.CardsShown() if event.hand_number == self.started.hand_number:
                before = self._shown.get(event.seat, b"")
                self._shown[event.seat] = None if before is None else before + event.cards
            case _:
                pass
        self._slots.take(event)

    def openings(self, deck: Deck, viewer: str = "") -> list[CardOpening]:
        """For the board, hands shown, and whatever the viewer (empty: nobody) was dealt."""
        return list(_Opener(self.started, deck).open(self._known(deck, viewer), self._kept))

    def _known(self, deck: Deck, viewer: str) -> list[tuple[int, Slot]]:
        """Whose which places were, as far as the viewer may know the cards."""
        cards = _Opener(self.started, deck)
        known = [(BOARD, slot) for slot in self._slots.board]
        for seat, player_id in sorted(zip(self.started.seats, self.started.players, strict=True)):
            if viewer and player_id == viewer:
                known += [(seat, slot) for slot in self._slots.ever[seat]]
            elif seat in self._shown:
                chosen = self._shown[seat]
                held = self._slots.held[seat]
                known += [(seat, slot) for slot in held if chosen is None or cards.card(slot) in chosen]
        return known


class _Opener:
    """Goes from places in dealing order to leaves of the trees."""

    def __init__(self, started: ev.HandStarted, deck: Deck) -> None:
        self._deck = deck
        self._places = [
            permutation(deck.context, started.roots, started.entropy, number)
            for number in range(len(deck.orders) // DECK_SIZE)
        ]

    def card(self, slot: Slot) -> int:
        return self._deck.card(slot.deck, self._places[slot.deck][slot.place])

    def open(
        self, known: Sequence[tuple[int, Slot]], kept: Sequence[dict[int, list[Slot]]]
    ) -> Iterator[CardOpening]:
        """Each card known, and that it was left out of every reshuffle while its seat held it."""
        for seat, slot in known:
            yield self._opening(seat, slot)
        for number, hands in enumerate(kept, start=1):
            for seat, slot in known:
                if slot in hands.get(seat, ()):
                    yield self._opening(seat, self._slot_of(number, self.card(slot)))

    def _slot_of(self, number: int, card: int) -> Slot:
        """When a card comes in a deck."""
        start = number * DECK_SIZE
        position = self._deck.orders.index(card, start, start + DECK_SIZE) - start
        return Slot(number, self._places[number].index(position))

    def _opening(self, seat: int, slot: Slot) -> CardOpening:
        position = self._places[slot.deck][slot.place]
        salt, path = self._deck.opening(slot.deck, position)
        return CardOpening(seat, self.card(slot), slot.deck, slot.place, position, salt, path)


def to_keep(openings: list[CardOpening]) -> bytes:
    """Openings as the journal has them."""
    return _encoder.encode(openings)


def kept(openings: bytes) -> list[CardOpening]:
    """What `to_keep` was of. Raises msgspec.DecodeError."""
    return decoded(_decoder.decode, openings)


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(list[CardOpening])
