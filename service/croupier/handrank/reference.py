"""A slow evaluator that is right at a glance: the oracle of the native one, with which it shares no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, TypeAlias

from croupier.handrank.checks import (
    bytes_of,
    cards_or_set,
    check_draw_showdown,
    check_hand,
    check_omaha_showdown,
    check_set,
    check_showdown,
)
from croupier.handrank.classes import HandClass
from croupier.handrank.lows import NO_LOW

if TYPE_CHECKING:
    from typing import SupportsIndex

    from _typeshed import ReadableBuffer

    from croupier.handrank.checks import Hands

Key: TypeAlias = tuple[int, ...]

_ACE, _FIVE = 12, 3
_ACE_LOW = 1
_WHEEL = [_ACE, 3, 2, 1, 0]

# By how often each rank occurs, most often first.
_PAIRED_CLASSES = {
    (4, 1): HandClass.FOUR_OF_A_KIND,
    (3, 2): HandClass.FULL_HOUSE,
    (3, 1, 1): HandClass.THREE_OF_A_KIND,
    (2, 2, 1): HandClass.TWO_PAIR,
    (2, 1, 1, 1): HandClass.PAIR,
}


def five_card_key(cards: Sequence[int]) -> Key:
    """Class, then the ranks that break ties in order: the hand with the greater key wins (R-C2, R-C3)."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    tie_breakers = [rank for _, rank in groups]
    if len(groups) < 5:
        return (_PAIRED_CLASSES[tuple(count for count, _ in groups)], *tie_breakers)
    flush = len({card % 4 for card in cards}) == 1
    straight = ranks[0] - ranks[4] == 4 or ranks == _WHEEL
    if straight:
        high = _FIVE if ranks == _WHEEL else ranks[0]
        if flush:
            return (HandClass.ROYAL_FLUSH if high == _ACE else HandClass.STRAIGHT_FLUSH, high)
        return (HandClass.STRAIGHT, high)
    return (HandClass.FLUSH if flush else HandClass.HIGH_CARD, *tie_breakers)


def key(cards: Sequence[int]) -> Key:
    """The best key of any five of the cards."""
    return max(five_card_key(five) for five in combinations(cards, 5))


def rank(cards: ReadableBuffer | SupportsIndex) -> int:
    """Hand rank of the best five among 5 to 7 cards: bytes, or an int with the bit 16 * suit + rank for each. Raises
    ValueError unless they are so many and differ, TypeError for what is neither."""
    hand = cards_or_set(cards)
    if isinstance(hand, int):
        check_set(hand)
        hand = bytes(
            4 * place + suit for suit in range(4) for place in range(13) if hand >> 16 * suit + place & 1
        )
    check_hand(hand)
    return scale()[key(hand)]


def rank_holdem(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each two hole cards with the board of 3 to 5 (R-C4). Raises ValueError and TypeError as
    `rank`."""
    holes, lying = check_showdown(hole_cards, board)
    return [rank(hole + lying) for hole in holes]


def rank_five(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each five cards held; the board is empty (R-C7). Raises ValueError and TypeError as `rank`."""
    holes, _ = check_draw_showdown(hole_cards, board)
    return [rank(hole) for hole in holes]


def rank_omaha(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each 4, 5 or 6 hole cards, the same number for all, of which exactly two play with
    exactly three of the board of 3 to 5 (R-C5). Raises ValueError and TypeError as `rank`."""
    holes, lying = check_omaha_showdown(hole_cards, board)
    return [scale()[max(map(five_card_key, omaha_hands(hole, lying)))] for hole in holes]


def omaha_hands(hole: bytes, board: bytes) -> Iterator[tuple[int, ...]]:
    """Every two hole cards with every three of the board."""
    return (two + three for two in combinations(hole, 2) for three in combinations(board, 3))


def rank_omaha_low(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A low rank, NO_LOW where none qualifies, for hands as in `rank_omaha` (R-C6)."""
    holes, lying = check_omaha_showdown(hole_cards, board)
    return [max(map(five_card_low_rank, omaha_hands(hole, lying))) for hole in holes]


def rank_low(cards: ReadableBuffer) -> int:
    """Low rank of the best five among 5 to 7 cards, NO_LOW where none qualifies. Raises ValueError and TypeError as
    `rank`."""
    hand = bytes(bytes_of(cards))
    check_hand(hand)
    return max(map(five_card_low_rank, combinations(hand, 5)))


def five_card_low_rank(cards: Sequence[int]) -> int:
    """Place among all lows, the weakest being 1: the less the highest card the better, then the next (R-C6)."""
    places = (_ACE_LOW if card // 4 == _ACE else card // 4 + 2 for card in cards)
    return low_scale().get(tuple(sorted(places, reverse=True)), NO_LOW)


@cache
def low_scale() -> dict[Key, int]:
    """From the five ranks of every low, 1 for the ace to 8 and highest first, to its low rank."""
    lows = [tuple(sorted(places, reverse=True)) for places in combinations(range(_ACE_LOW, 9), 5)]
    return {low: place for place, low in enumerate(sorted(lows, reverse=True), start=1)}


@cache
def scale() -> dict[Key, int]:
    """From every key there is to its hand rank."""
    keys = sorted({five_card_key(cards) for cards in hands_of_every_kind()})
    return {key: place for place, key in enumerate(keys, start=1)}


def hands_of_every_kind() -> Iterator[list[int]]:
    """Five cards of each of the 7,462 kinds that differ once suits no longer matter."""
    for ranks in combinations_with_replacement(range(_ACE + 1), 5):
        if ranks[0] == ranks[4]:
            continue  # five of a kind takes a fifth suit
        # Neighbours take different suits, so equal ranks are different cards and no five share a suit.
        yield [4 * rank + place % 4 for place, rank in enumerate(ranks)]
        if len(set(ranks)) == 5:
            yield [4 * rank for rank in ranks]
