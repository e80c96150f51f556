"""Ranks high hands of 5, 6 and 7 cards; what they win is not its business.

A hand rank is an int, larger is stronger, equal ties; `classes` holds the scale. The native evaluator does
the work; CROUPIER_EVALUATOR=reference puts the slow one in its place.

    rank(cards)                      best five among 5 to 7 cards
    rank_holdem(hole_cards, board)   one rank for each hand of a showdown
    best_five(cards)                 the cards that make the rank
    hand_class(rank)                 what kind of hand it is

Cards that are out of range, repeated or too few raise ValueError.
"""

from croupier.handrank.active import ACTIVE
from croupier.handrank.classes import STRONGEST, WEAKEST, HandClass, hand_class
from croupier.handrank.showing import best_five

__all__ = [
    "STRONGEST",
    "WEAKEST",
    "HandClass",
    "best_five",
    "hand_class",
    "implementation",
    "rank",
    "rank_holdem",
]

rank = ACTIVE.rank
rank_holdem = ACTIVE.rank_holdem


def implementation() -> str:
    """Name of the evaluator in use, "native" or "reference"."""
    return ACTIVE.name
