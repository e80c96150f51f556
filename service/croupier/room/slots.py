"""Which place of which deck every card of a hand came from, as everybody can follow it from the events."""

from __future__ import annotations

from typing import NamedTuple

from croupier.engine import events as ev
from croupier.engine.game import DECK_SIZE, Game

BOARD = 0
"""Stands for the board where others are seats."""


class Slot(NamedTuple):
    """A place in the order that a deck is dealt in, counting from 0; decks count from 0 too."""

    deck: int
    place: int


class Slots:
    """Fed with a hand's public events in order; cards themselves are unknown to it."""

    def __init__(self, game: Game, started: ev.HandStarted) -> None:
        count = len(started.seats)
        self._game = game
        self.held: dict[int, list[Slot]] = {
            seat: [Slot(0, at + count * card) for card in range(game.hole_cards)]
            for at, seat in enumerate(started.seats)
        }
        """What every seat holds, folded or not, in the order of its cards."""
        self.ever: dict[int, list[Slot]] = {seat: list(slots) for seat, slots in self.held.items()}
        """What every seat was ever dealt, in that order."""
        self.board: list[Slot] = []
        self._next = count * game.hole_cards
        self._stub = [Slot(0, place) for place in range(self._next, DECK_SIZE)]
        self._decks = 1

    def take(self, event: ev.Event) -> None:
        """Follow one event after HandStarted; most move no card."""
        match event:
            case ev.StreetDealt() if event.cards:
                first = self._next + 1
                self.board += [Slot(0, place) for place in range(first, first + len(event.cards))]
                self._next = first + len(event.cards)
            case ev.StubReshuffled():
                self._stub = [Slot(self._decks, place) for place in event.places]
                self._decks += 1
            case ev.CardsDrawn():
                for place in event.places:
                    slot = self._stub.pop(0)
                    self.held[event.seat][place] = slot
                    self.ever[event.seat].append(slot)
            case _:
                pass
