"""What the reference gives every hand there is, and any hands, many at a time; it calls nothing native.

The reference judges each of the 2,598,960 hands of five cards once. What more cards are worth is the best of their
fives, as in the reference. Hands of one size have places: they go by their highest card, then by the next, and so on.
A hand's place is the sum of comb(card, i) over its cards, `i` being 1 for the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from math import comb
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK
from croupier.handrank import reference

Bytes: TypeAlias = NDArray[np.uint8]
Places: TypeAlias = NDArray[np.uint32]
Ranks: TypeAlias = NDArray[np.uint16]

_CHOICES = np.array([[comb(card, size) for card in DECK] for size in range(6)], np.uint32)


class Hands(NamedTuple):
    """All hands of a size, or the first of them, in order."""

    cards: Sequence[Bytes]
    """A column for each card, the lowest first."""
    without: Sequence[Places]
    """For each card, the places that the hands have without it."""

    def up_to(self, highest: int) -> Hands:
        """Those whose cards are all lower."""
        count = comb(highest, len(self.cards))
        return Hands([each[:count] for each in self.cards], [each[:count] for each in self.without])

    def beside(self, highest: int) -> Hands:
        """These, all of lower cards, each with one more."""
        count, size = len(self.cards[0]), len(self.cards)
        card = np.full(count, highest, np.uint8)
        without = [comb(highest, size) + each for each in self.without]
        return Hands([*self.cards, card], [*without, np.arange(count, dtype=np.uint32)])

    def of_one_more(self) -> Hands:
        parts = [self.up_to(highest).beside(highest) for highest in range(len(self.cards), len(DECK))]
        return Hands(
            *(list(map(np.concatenate, zip(*each, strict=True))) for each in zip(*parts, strict=True))
        )

    def best(self, fewer: Ranks) -> Ranks:
        """The best rank of each hand without one of its cards, by the ranks of all hands of one card fewer."""
        return reduce(np.maximum, (fewer[places] for places in self.without))


ONE_CARD = Hands([np.arange(len(DECK), dtype=np.uint8)], [np.zeros(len(DECK), np.uint32)])


class Fives(NamedTuple):
    """High and low ranks of all hands of five cards, by place."""

    highs: Ranks
    lows: Ranks


def judge_fives(fives: Hands) -> Fives:
    """Asks the reference for each of them."""
    scale, hands = reference.scale(), np.stack(fives.cards, axis=1).tolist()
    highs = np.fromiter((scale[reference.five_card_key(hand)] for hand in hands), np.uint16, len(hands))
    lows = np.fromiter(map(reference.five_card_low_rank, hands), np.uint16, len(hands))
    return Fives(highs, lows)


def best_of(ranks: Ranks, rows: Bytes) -> Ranks:
    """The best five of each row, by the ranks of all hands of five."""
    return _best(ranks, rows, combinations(range(rows.shape[1]), 5))


def best_of_two_and_three(ranks: Ranks, rows: Bytes, hole_count: int) -> Ranks:
    """The best five of each row of which two are hole cards and three of the board behind these (R-C5, R-C6)."""
    holes, board = range(hole_count), range(hole_count, rows.shape[1])
    return _best(
        ranks, rows, ((*two, *three) for two in combinations(holes, 2) for three in combinations(board, 3))
    )


def _best(ranks: Ranks, rows: Bytes, choices: Any) -> Ranks:
    return reduce(np.maximum, (ranks[_places(rows[:, choice])] for choice in choices))


def _places(fives: Bytes) -> Places:
    """The places of hands of five cards in any order."""
    ordered = np.sort(fives, axis=1)
    return reduce(np.add, (_CHOICES[i + 1][ordered[:, i]] for i in range(5)))
