"""The scale of eight-or-better lows; it ranks no cards.

A low rank is an int from 1 (8-7-6-5-4) to 56 (5-4-3-2-A): larger is stronger, equal ties, and 0 is no low
(R-C6). So many are the sets of five different ranks eight or lower, ace low.
"""

from __future__ import annotations

from itertools import combinations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

NO_LOW: Final = 0
WEAKEST_LOW: Final = 1
STRONGEST_LOW: Final = 56

_ACE = 12
# Deuce to eight are 0 to 6, as in cards, and the ace comes below them.
_FROM_EIGHT_DOWN = (6, 5, 4, 3, 2, 1, 0, _ACE)
_LOWS = tuple(combinations(_FROM_EIGHT_DOWN, 5))
"""Weakest first: combinations come out compared from their first, highest rank down."""


def low_ranks(rank: int) -> tuple[int, ...]:
    """The five ranks of a low, 0 for the deuce to 12 for the ace, from the highest down with the ace last.
    Raises ValueError off the scale, and for NO_LOW."""
    if not WEAKEST_LOW <= rank <= STRONGEST_LOW:
        raise ValueError(f"no low has the rank {rank}: they go from {WEAKEST_LOW} to {STRONGEST_LOW}")
    return _LOWS[rank - 1]
