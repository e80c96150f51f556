"""Which cards a hand rank stands for, suits apart: the scale of high hands read backwards; it ranks no cards."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

from croupier.handrank.classes import WEAKEST, HandClass, hand_class

Ranks: TypeAlias = tuple[int, ...]
"""Ranks of cards, 0 for the deuce to 12 for the ace, those that count most first (R-C3)."""

_FIVE, _ACE = 3, 12


def high_kind(rank: int) -> tuple[HandClass, Ranks]:
    """The class and what breaks ties within it; of a straight that is its highest card alone. Raises ValueError
    off the scale."""
    return hand_class(rank), _high_kinds()[rank - WEAKEST]


@cache
def _high_kinds() -> tuple[Ranks, ...]:
    """Of every hand rank, weakest first."""
    straights = [(high,) for high in range(_FIVE, _ACE + 1)]
    unpaired = [ranks for ranks in _choices(5, 0) if not _in_a_row(ranks)]
    return (
        *unpaired,
        *_choices(1, 3),
        *_choices(2, 1),
        *_choices(1, 2),
        *straights,
        *unpaired,
        *_choices(1, 1),
        *_choices(1, 1),
        *straights,
    )


def _choices(leading: int, others: int) -> Iterator[Ranks]:
    """All choices of so many ranks that come first and so many others to break ties after them."""
    for first in _descending(range(_ACE + 1), leading):
        for rest in _descending((rank for rank in range(_ACE + 1) if rank not in first), others):
            yield first + rest


def _descending(ranks: Iterable[int], count: int) -> list[Ranks]:
    """All choices of so many ranks, each from its highest down, the weakest choice first."""
    return sorted(choice[::-1] for choice in combinations(ranks, count))


def _in_a_row(ranks: Ranks) -> bool:
    return ranks[0] - ranks[4] == 4 or ranks == (_ACE, _FIVE, 2, 1, 0)
