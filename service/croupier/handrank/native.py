"""The native evaluator behind Python types; the rules and tables are in native/."""

from collections.abc import Sequence

from croupier.handrank._native import ffi, lib
from croupier.handrank.checks import check_hand, check_showdown

_rank = lib.croupier_rank
_rank_holdem = lib.croupier_rank_holdem
_new_ranks = ffi.new_allocator(should_clear_after_alloc=False)
_RANKS_TYPE = ffi.typeof("uint16_t[]")


def rank(cards: bytes) -> int:
    """Hand rank of the best five among 5 to 7 cards. Raises ValueError unless they are so many and differ."""
    value = _rank(cards, len(cards))
    if not value:
        check_hand(cards)
        raise ValueError("the native evaluator refused a hand that is well-formed")
    return value


def rank_holdem(hole_cards: Sequence[bytes], board: bytes) -> list[int]:
    """A hand rank for each two hole cards with the board of 3 to 5 (R-C4). Raises ValueError as `rank`."""
    hand_count = len(hole_cards)
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    for hole in hole_cards:
        if len(hole) != 2:
            check_showdown(hole_cards, board)
    if not _rank_holdem(b"".join(hole_cards), hand_count, board, len(board), ranks):
        check_showdown(hole_cards, board)
        raise ValueError("the native evaluator refused a showdown that is well-formed")
    return list(ranks)
