"""The native evaluator behind Python types; the rules and tables are in native/."""

from collections.abc import Callable, Sequence

from croupier.handrank._native import ffi, lib
from croupier.handrank.checks import (
    check_draw_showdown,
    check_hand,
    check_omaha_showdown,
    check_showdown,
)

_rank = lib.croupier_rank
_rank_low = lib.croupier_rank_low
_rank_five = lib.croupier_rank_five
_rank_holdem = lib.croupier_rank_holdem
_rank_omaha = lib.croupier_rank_omaha
_rank_omaha_low = lib.croupier_rank_omaha_low
_new_ranks = ffi.new_allocator(should_clear_after_alloc=False)
_RANKS_TYPE = ffi.typeof("uint16_t[]")
_REFUSED = "the native evaluator refused cards that are well-formed"


def rank(cards: bytes) -> int:
    """Hand rank of the best five among 5 to 7 cards. Raises ValueError unless they are so many and differ."""
    value = _rank(cards, len(cards))
    if not value:
        check_hand(cards)
        raise ValueError(_REFUSED)
    return value


def rank_low(cards: bytes) -> int:
    """Low rank of the best five among 5 to 7 cards, NO_LOW where none qualifies. Raises ValueError as `rank`."""
    value = _rank_low(cards, len(cards))
    if value < 0:
        check_hand(cards)
        raise ValueError(_REFUSED)
    return value


def rank_five(hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    """A hand rank for each five cards held; the board is empty (R-C7). Raises ValueError as `rank`."""
    hand_count = len(hole_cards)
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    for hole in hole_cards:
        if len(hole) != 5:
            check_draw_showdown(hole_cards, board)
    if board or not _rank_five(b"".join(hole_cards), hand_count, ranks):
        check_draw_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)


def rank_holdem(hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    """A hand rank for each two hole cards with the board of 3 to 5 (R-C4). Raises ValueError as `rank`."""
    hand_count = len(hole_cards)
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    for hole in hole_cards:
        if len(hole) != 2:
            check_showdown(hole_cards, board)
    if not _rank_holdem(b"".join(hole_cards), hand_count, board, len(board), ranks):
        check_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)


def rank_omaha(hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    """A hand rank for each 4, 5 or 6 hole cards, the same number for all, of which exactly two play with
    exactly three of the board of 3 to 5 (R-C5). Raises ValueError as `rank`."""
    return _omaha_ranks(_rank_omaha, hole_cards, board)


def rank_omaha_low(hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    """A low rank, NO_LOW where none qualifies, for hands as in `rank_omaha` (R-C6)."""
    return _omaha_ranks(_rank_omaha_low, hole_cards, board)


def _omaha_ranks(ranked: Callable[..., bool], hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    hand_count = len(hole_cards)
    hole_count = len(hole_cards[0]) if hole_cards else 4
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    for hole in hole_cards:
        if len(hole) != hole_count:
            check_omaha_showdown(hole_cards, board)
    if not ranked(b"".join(hole_cards), hand_count, hole_count, board, len(board), ranks):
        check_omaha_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)
