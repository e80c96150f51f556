"""What of a hand's cards was seen in one world, and decks for the other that have these cards in their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import DECK_SIZE, Game

_TRIES: Final = 60
SAME: Final = bytes(range(256))
"""For `bytes.translate`: every card stays what it is."""


class Seen:
    """One hand as it was played in the first world: who held which cards, and which everybody saw."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.board = b""
        self.shown: set[int] = set()
        self.ever: dict[str, set[int]] = {}
        """By player every card held, discarded ones included."""
        self._last: dict[str, bytes] = {}
        self._players: dict[int, str] = {}
        self._folded: set[int] = set()
        self._turned_up: set[int] = set()

    def heard(self, event: ev.Event, cards: Mapping[str, bytes]) -> None:
        """An event, and the cards that players learned of by its record."""
        match event:
            case ev.HandStarted():
                self._players = dict(zip(event.seats, event.players, strict=True))
                self._last = dict(cards)
                self.ever = {player_id: set(dealt) for player_id, dealt in cards.items()}
            case ev.CardsDrawn() if event.places and (moved := cards.get(self._players[event.seat])):
                self._drew(self._players[event.seat], event.places, moved[len(event.places) :])
            case ev.StreetDealt():
                self.board += event.cards
            case ev.Folded():
                self._folded.add(event.seat)
            case ev.HoleCardsShown():
                self.shown.update(event.cards)
                self._turned_up.add(event.seat)
            case tev.CardsShown():
                self.shown.update(event.cards)
            case _:
                pass

    def _drew(self, player_id: str, places: bytes, drawn: bytes) -> None:
        self.ever[player_id].update(drawn)
        held = bytearray(self._last[player_id])
        for place, card in zip(places, drawn, strict=True):
            held[place] = card
        self._last[player_id] = bytes(held)

    def other(self, random: Random, sees: Sequence[str], *, through: bool) -> bytes:
        """Which card each card becomes: what the viewer sees stays, and so do, `through` a showdown, those who win it.

        A hand that was mucked becomes one that is no better, so that whoever was shown and paid still is.
        """
        kept = set(self.board).union(*[self.ever.get(player_id, ()) for player_id in sees])
        if not through:
            return _mixed(random, kept)
        kept |= self.shown
        mucked = self._mucked()
        for _ in range(_TRIES):
            mixed = _mixed(random, kept)
            if all(self._no_better(cards, cards.translate(mixed)) for cards in mucked):
                return mixed
        return _mixed(random, kept.union(*mucked))

    def _mucked(self) -> list[bytes]:
        """Hands that were in at a showdown and nobody saw."""
        if not self._turned_up:
            return []
        return [
            self._last[player_id]
            for seat, player_id in self._players.items()
            if seat not in self._folded and seat not in self._turned_up
        ]

    def _no_better(self, cards: bytes, other: bytes) -> bool:
        """High and low alike."""
        ranks = [rank for rank in (self._game.rank_hands, self._game.rank_lows) if rank is not None]
        return all(rank([other], self.board) <= rank([cards], self.board) for rank in ranks)


def _mixed(random: Random, kept: set[int]) -> bytes:
    """A table of all cards in which those kept are themselves, and the others each other."""
    free = [card for card in range(DECK_SIZE) if card not in kept]
    others = random.sample(free, len(free))
    mixed = bytearray(SAME)
    for card, other in zip(free, others, strict=True):
        mixed[card] = other
    return bytes(mixed)
