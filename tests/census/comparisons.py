"""The evaluator beside the reference: all hands, hands by lot, Omaha deals; what differs raises Difference.

`deck` is how many cards there are, from the deuces up: fewer than 52 are a smaller proof of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from tests.census.reference_ranks import ONE_CARD, Bytes, Fives, Hands, Ranks, best_of, best_of_two_and_three
from tests.census.ways import Ranked, ranked, ranked_holdem, ranked_omaha, split

from croupier.cards import cards_text
from croupier.handrank import STRONGEST, HandClass, hand_class, reference

BLOCK = 500_000
"""Hands in memory at once."""
SAMPLE = 20
"""Hands of a block for which the reference's own calls are asked too."""

Told: TypeAlias = Callable[[str, int], None]
"""Takes what was compared without a difference, and how many."""
Counts: TypeAlias = NDArray[np.int64]


class Difference(Exception):
    """Raised where the evaluator and the reference do not agree."""


def fives_of(deck: int) -> Hands:
    hands = ONE_CARD
    for _ in range(4):
        hands = hands.of_one_more()
    return hands.up_to(deck)


def every_hand(highs: Ranks, deck: int, told: Told) -> Iterator[tuple[int, dict[HandClass, int]]]:
    """Compares every hand of 5, 6 and 7 cards; yields for each size how many hands are of each class.

    `highs` are the ranks of all hands of five."""
    hands = fives_of(deck)
    yield 5, classes(_compared(hands, highs, told))
    hands = hands.of_one_more().up_to(deck)
    sixes = hands.best(highs)
    yield 6, classes(_compared(hands, sixes, told))
    histogram = _histogram(sixes[:0])
    for highest in range(6, deck):
        sevens = hands.up_to(highest).beside(highest)
        histogram += _compared(sevens, sevens.best(sixes), told)
    yield 7, classes(histogram)


def random_hands(highs: Ranks, deck: int, size: int, count: int, told: Told) -> None:
    """Compares so many hands dealt by lot, their cards in the order dealt."""
    for rows in _dealt(deck, size, count):
        expected = best_of(highs, rows)
        _compare(ranked(rows), expected, rows)
        few = rows[:SAMPLE]
        _compare(ranked_holdem(few), expected[:SAMPLE], few)
        own = np.array([reference.rank(row) for row in split(few)], np.uint16)
        _compare([("the reference's own call", own)], expected[:SAMPLE], few)
        told(f"random hands of {size}", len(rows))


def omaha_deals(fives: Fives, deck: int, hole_count: int, count: int, told: Told) -> None:
    """Compares so many deals with boards of five cards, highs and lows, and a tenth as many of flops and turns."""
    for board_count, deals in ((5, count), (4, count // 10), (3, count // 10)):
        for rows in _dealt(deck, hole_count + board_count, deals):
            highs, lows = ranked_omaha(rows, hole_count)
            _compare(highs, best_of_two_and_three(fives.highs, rows, hole_count), rows)
            _compare(lows, best_of_two_and_three(fives.lows, rows, hole_count), rows)
            told(f"Omaha hands of {hole_count} with a board of {board_count}", len(rows))


def classes(histogram: Iterable[int]) -> dict[HandClass, int]:
    """From how often each rank occurs, that of 0 first."""
    counts = dict.fromkeys(HandClass, 0)
    for rank, count in enumerate(histogram):
        if count:
            counts[hand_class(rank)] += int(count)
    return counts


def _compared(hands: Hands, ranks: Ranks, told: Told) -> Counts:
    """How often each rank occurs, once all ways of ranking have given it."""
    for first in range(0, len(ranks), BLOCK):
        rows = np.stack([each[first : first + BLOCK] for each in hands.cards], axis=1)
        _compare(ranked(rows), ranks[first : first + BLOCK], rows)
        told(f"hands of {rows.shape[1]}, all there are", len(rows))
    return _histogram(ranks)


def _compare(ways: Iterable[Ranked], expected: Ranks, rows: Bytes) -> None:
    for name, ranks in ways:
        if not np.array_equal(ranks, expected):
            place = int(np.argmax(ranks != expected))
            raise Difference(
                f"{name}: {cards_text(rows[place].tolist())} has the rank {ranks[place]}, "
                f"and by the reference {expected[place]}"
            )


def _histogram(ranks: Ranks) -> Counts:
    return np.bincount(ranks, minlength=STRONGEST + 1)


def _dealt(deck: int, size: int, count: int) -> Iterator[Bytes]:
    """Rows of so many cards from the top of shuffled decks, the same in every run."""
    dice = np.random.default_rng([deck, size, count])
    for first in range(0, count, BLOCK):
        decks = np.tile(np.arange(deck, dtype=np.uint8), (min(BLOCK, count - first), 1))
        yield np.ascontiguousarray(dice.permuted(decks, axis=1)[:, :size])
