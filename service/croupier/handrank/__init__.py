"""Ranks poker hands; what they win is not its business.

Cards are bytes: 4 * rank + suit, the deuce being rank 0 and the ace 12, clubs, diamonds, hearts and spades 0 to 3;
`croupier.cards` turns text into them. A **hand rank** is an int from 1 to 7462: larger is stronger, equal ties. A
**low rank** goes from 1 to 56 for eight-or-better lows, larger is stronger, and 0 is no low. `classes` and `lows`
hold these scales.

    >>> from croupier.cards import parse_cards
    >>> from croupier.handrank import hand_class, rank
    >>> hand_class(rank(parse_cards("AsKsQsJsTs 2c3d")))
    <HandClass.ROYAL_FLUSH: 9>

One hand, or the hands of one showdown:

    rank(cards)                         best five among 5 to 7 cards: bytes, or a set of them as an int
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
    words.describe(rank, language)      the hand in words

Many hands, in buffers that are read without a copy (bytes, bytearray, array, memoryview, NumPy), with the interpreter
lock free; ranks come as array("H"), or in the buffer of 16-bit numbers that is given as `out`:

    rank_rows(rows, card_count=7)       hands as rows of 5, 6 or 7 bytes
    rank_columns(columns)               hands as seven columns of bytes
    rank_masks(masks)                   hands as 64-bit sets of seven cards, bit 16 * suit + rank for each
    rank_omaha_rows(rows, hole_count=4) hands as rows of hole cards and the five of their own board
    rank_omaha_low_rows, rank_omaha_hi_lo_rows   low ranks of these, and both

Cards that are out of range, repeated, too few or too many raise ValueError, and so does a buffer of another shape.

`implementation()` names the evaluator: the best of "portable", "avx2" and "avx512" that the processor can run, or
what the environment variable CROUPIER_EVALUATOR names, which may be the slow "reference" too.
"""

from __future__ import annotations

from croupier.handrank.active import ACTIVE
from croupier.handrank.lows import NO_LOW, STRONGEST_LOW, WEAKEST_LOW, low_ranks
from croupier.handrank.showing import best_five, best_omaha, best_omaha_low

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.handrank.classes import STRONGEST, WEAKEST, HandClass, hand_class

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
    "rank_columns",
    "rank_five",
    "rank_holdem",
    "rank_low",
    "rank_masks",
    "rank_omaha",
    "rank_omaha_hi_lo_rows",
    "rank_omaha_low",
    "rank_omaha_low_rows",
    "rank_omaha_rows",
    "rank_rows",
]

rank = ACTIVE.rank
rank_low = ACTIVE.rank_low
rank_holdem = ACTIVE.rank_holdem
rank_omaha = ACTIVE.rank_omaha
rank_omaha_low = ACTIVE.rank_omaha_low
rank_five = ACTIVE.rank_five
rank_rows = ACTIVE.batches.rank_rows
rank_columns = ACTIVE.batches.rank_columns
rank_masks = ACTIVE.batches.rank_masks
rank_omaha_rows = ACTIVE.batches.rank_omaha_rows
rank_omaha_low_rows = ACTIVE.batches.rank_omaha_low_rows
rank_omaha_hi_lo_rows = ACTIVE.batches.rank_omaha_hi_lo_rows


def implementation() -> str:
    """Name of the evaluator in use: "portable", "avx2", "avx512" or "reference"."""
    return ACTIVE.name


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The classes come with the first who asks for them: enum takes longer to import than all else here."""
        if name not in ("STRONGEST", "WEAKEST", "HandClass", "hand_class"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from croupier.handrank import classes

        value = getattr(classes, name)
        globals()[name] = value
        return value
