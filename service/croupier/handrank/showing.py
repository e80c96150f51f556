"""Which five cards make a hand's rank, as one would lay them on the table; it judges none itself."""

from __future__ import annotations

from itertools import combinations

from croupier.handrank.active import ACTIVE
from croupier.handrank.lows import NO_LOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WHEEL = [12, 3, 2, 1, 0]


def best_five(cards: bytes) -> bytes:
    """The strongest five of 5 to 7 cards, in whatever order those come: pairs and the like first, then from
    high to low, the ace of 5-4-3-2-A last. Of equal choices it takes the higher suits. Raises ValueError as
    `rank` does."""
    best = ACTIVE.rank(cards)
    descending = bytes(sorted(cards, reverse=True))
    fives = (bytes(five) for five in combinations(descending, 5))
    return _laid_out(next(five for five in fives if ACTIVE.rank(five) == best))


def best_omaha(hole: bytes, board: bytes) -> bytes:
    """The strongest two of the hole cards with three of the board, laid out and chosen as in `best_five`.
    Raises ValueError as `rank_omaha` does."""
    best = ACTIVE.rank_omaha([hole], board)[0]
    return _laid_out(
        max(_descending(five) for five in _omaha_fives(hole, board) if ACTIVE.rank(five) == best)
    )


def best_omaha_low(hole: bytes, board: bytes) -> bytes | None:
    """The two hole cards and three of the board that make the best low, from the highest down with the ace
    last, chosen as in `best_five`; None where none qualifies. Raises ValueError as `rank_omaha` does."""
    best = ACTIVE.rank_omaha_low([hole], board)[0]
    if best == NO_LOW:
        return None
    fives = _omaha_fives(hole, board)
    return _ace_last(max(_descending(five) for five in fives if ACTIVE.rank_low(five) == best))


def _omaha_fives(hole: bytes, board: bytes) -> Iterator[bytes]:
    threes = [bytes(three) for three in combinations(board, 3)]
    for two in map(bytes, combinations(hole, 2)):
        for three in threes:
            yield two + three


def _descending(five: bytes) -> bytes:
    return bytes(sorted(five, reverse=True))


def _laid_out(five: bytes) -> bytes:
    ranks = [card // 4 for card in five]
    if ranks == _WHEEL:
        return _ace_last(five)

    laid_out = sorted(five, key=lambda card: (ranks.count(card // 4), card), reverse=True)
    return bytes(laid_out)


def _ace_last(five: bytes) -> bytes:
    return five[1:] + five[:1] if five[0] // 4 == _WHEEL[0] else five
