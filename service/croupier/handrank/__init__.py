"""Ranks poker hands; what they win is not its business.

Cards are bytes: 4 * rank + suit, the deuce being rank 0 and the ace 12, clubs, diamonds, hearts and spades 0 to 3;
`croupier.cards` turns text into them. A **hand rank** is an int from 1 to 7462: larger is stronger, equal ties. A
**low rank** goes from 1 to 56 for eight-or-better lows, larger is stronger, and 0 is no low. `classes` and `lows`
hold these scales.

    >>> from croupier.cards import cards_text, parse_cards
    >>> from croupier.handrank import best_five, hand_class, rank, words
    >>> seven = parse_cards("KsKd 5h5c5d 2c3d")
    >>> rank(seven), hand_class(rank(seven))
    (7187, <HandClass.FULL_HOUSE: 6>)
    >>> cards_text(best_five(seven)), words.describe(rank(seven))
    (['5h', '5d', '5c', 'Ks', 'Kd'], 'Full house, fives full of kings')
    >>> rank(parse_cards("AsAd KsKd Qc")) < rank(seven)
    True

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

    >>> from croupier.handrank import low_ranks, rank_holdem, rank_omaha, rank_omaha_low
    >>> board = parse_cards("2c 7d 8h 3s Kd")
    >>> rank_holdem([parse_cards("AsKs"), parse_cards("QdQc")], board)
    [3883, 3618]
    >>> rank_omaha([parse_cards("As4sKhKc")], board)
    [5742]
    >>> low_ranks(rank_omaha_low([parse_cards("As4sKhKc")], board)[0])
    (5, 2, 1, 0, 12)

Many hands, in buffers that are read without a copy (bytes, bytearray, array, memoryview, NumPy), with the interpreter
lock free; ranks come as array("H"), or in the buffer of 16-bit numbers that is given as `out`:

    rank_rows(rows, card_count=7)       hands as rows of 5, 6 or 7 bytes
    rank_columns(columns)               hands as seven columns of bytes
    rank_masks(masks)                   hands as 64-bit sets of seven cards, bit 16 * suit + rank for each
    rank_omaha_rows(rows, hole_count=4) hands as rows of hole cards and the five of their own board
    rank_omaha_low_rows, rank_omaha_hi_lo_rows   low ranks of these, and both

    >>> from array import array
    >>> from croupier.handrank import rank_masks, rank_omaha_hi_lo_rows, rank_rows
    >>> rank_rows(seven + parse_cards("AsKsQsJsTs 2c3d"))
    array('H', [7187, 7462])
    >>> royal_flush_of_clubs_and_two_deuces = 0b1111100000000 | 1 << 16 | 1 << 32
    >>> ranks = array("H", [0])
    >>> rank_masks(array("Q", [royal_flush_of_clubs_and_two_deuces]), out=ranks)
    array('H', [7462])
    >>> rank_omaha_hi_lo_rows(parse_cards("As4sKhKc 2c7d8h3sKd"))
    (array('H', [5742]), array('H', [50]))

Cards that are out of range, repeated, too few or too many raise ValueError, and so does a buffer of another shape;
what is neither cards nor a set of them raises TypeError.

What share of a pot each hand wins, `equity` calculates:

    >>> from croupier.handrank.equity import Question, calculate, game_named
    >>> hands = [parse_cards("AsKs"), parse_cards("QdQc")]
    >>> equity = calculate(Question(game_named("holdem"), hands, board=parse_cards("2c7d9h")))
    >>> equity.deals, equity.exact, [hand.per(100) for hand in equity.hands]
    (990, True, [24, 76])

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
