"""Ranks high hands and eight-or-better lows; what they win is not its business.

A hand rank is an int, larger is stronger, equal ties; `classes` holds the scale of high hands, `lows` that
of lows, on which 0 is no low. The native evaluator does the work; CROUPIER_EVALUATOR=reference puts the
slow one in its place.

    rank(cards)                         best five among 5 to 7 cards
    rank_low(cards)                     best low of five among 5 to 7 cards
    rank_holdem(hole_cards, board)      one rank for each hand of a showdown
    rank_omaha(hole_cards, board)       the same where two of 4, 5 or 6 hole cards play with three of the board
    rank_omaha_low(hole_cards, board)   one low rank for each such hand
    rank_five(hole_cards, board)        one rank for each five cards held, without a board
    best_five(cards)                    the cards that make the rank
    best_omaha(hole, board)             the same for an Omaha hand
    best_omaha_low(hole, board)         the cards that make the low, None without one
    hand_class(rank)                    what kind of hand it is
    low_ranks(rank)                     which five ranks a low is

Cards that are out of range, repeated, too few or too many raise ValueError.
"""

from croupier.handrank.active import ACTIVE
from croupier.handrank.classes import STRONGEST, WEAKEST, HandClass, hand_class
from croupier.handrank.lows import NO_LOW, STRONGEST_LOW, WEAKEST_LOW, low_ranks
from croupier.handrank.showing import best_five, best_omaha, best_omaha_low

__all__ = [
    "NO_LOW",
    "STRONGEST",
    "STRONGEST_LOW",
    "WEAKEST",
    "WEAKEST_LOW",
    "HandClass",
    "best_five",
    "best_omaha",
    "best_omaha_low",
    "hand_class",
    "implementation",
    "low_ranks",
    "rank",
    "rank_five",
    "rank_holdem",
    "rank_low",
    "rank_omaha",
    "rank_omaha_low",
]

rank = ACTIVE.rank
rank_low = ACTIVE.rank_low
rank_holdem = ACTIVE.rank_holdem
rank_omaha = ACTIVE.rank_omaha
rank_omaha_low = ACTIVE.rank_omaha_low
rank_five = ACTIVE.rank_five


def implementation() -> str:
    """Name of the evaluator in use, "native" or "reference"."""
    return ACTIVE.name
