"""The scale of hand ranks and its ten classes; it ranks no cards.

A hand rank is an int from 1 (7-5-4-3-2 without a flush) to 7462 (royal flush): larger is stronger, equal
ties (R-C3). So many five-card hands differ once it matters no more which suit is which.
"""

from bisect import bisect_right
from enum import IntEnum
from itertools import accumulate

WEAKEST = 1
STRONGEST = 7462


class HandClass(IntEnum):
    """R-C2, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


# Weakest class first; 1,277 is the C(13, 5) sets of ranks less the 10 that are straights.
_DISTINCT_HANDS = (1277, 2860, 858, 858, 10, 1277, 156, 156, 9, 1)
_LAST_RANKS = tuple(accumulate(_DISTINCT_HANDS))
_CLASSES = tuple(HandClass)


def hand_class(rank: int) -> HandClass:
    """Raises ValueError off the scale."""
    if not WEAKEST <= rank <= STRONGEST:
        raise ValueError(f"no hand has the rank {rank}: they go from {WEAKEST} to {STRONGEST}")
    return _CLASSES[bisect_right(_LAST_RANKS, rank - 1)]
