"""The native evaluator behind Python types; the rules and tables are in native/."""

from __future__ import annotations

from croupier.handrank import _native
from croupier.handrank._native import ffi, lib
from croupier.handrank.checks import (
    check_draw_showdown,
    check_hand,
    check_omaha_showdown,
    check_showdown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from _cffi_backend import _CDataBase

_rank_low = lib.croupier_rank_low
_rank_five = lib.croupier_rank_five
_rank_holdem = lib.croupier_rank_holdem
_rank_omaha = lib.croupier_rank_omaha
_rank_omaha_low = lib.croupier_rank_omaha_low
_new_ranks = ffi.new_allocator(should_clear_after_alloc=False)
_RANKS_TYPE = ffi.typeof("uint16_t[]")
_REFUSED = "the native evaluator refused cards that are well-formed"


def _load_rank() -> Callable[[bytes | int], int]:
    """The extension holds a second module, of one function: cffi would take longer to call it than it runs."""
    spec: Any = _native.__spec__
    loader = type(spec.loader)("croupier.handrank._face", spec.origin)
    face = loader.create_module(type(spec)(loader.name, loader, origin=spec.origin))
    loader.exec_module(face)
    ranked: Callable[[bytes | int], int] = face.rank
    return ranked


rank: Final = _load_rank()
"""Hand rank of the best five among 5 to 7 cards, which are bytes, or an int with the bit 16 * suit + rank for each.
Raises ValueError unless they are so many and differ."""

IMPLEMENTATIONS: Final = {
    "portable": lib.CROUPIER_PORTABLE,
    "avx2": lib.CROUPIER_AVX2,
    "avx512": lib.CROUPIER_AVX512,
}
"""From the slowest on, by name; all rank one hand alike."""


def supported() -> list[str]:
    """The implementations that the processor can run, from the slowest on."""
    return [name for name, number in IMPLEMENTATIONS.items() if lib.croupier_supported(number)]


class Kernels:
    """The batch calls of a supported implementation. The interpreter lock is free while they run."""

    def __init__(self, implementation: str) -> None:
        self._number = IMPLEMENTATIONS[implementation]

    def rows(self, rows: memoryview, card_count: int, hand_count: int, ranks: memoryview) -> bool:
        if card_count == 7:
            return lib.croupier_rank_rows(self._number, _bytes(rows), hand_count, _ranks(ranks))
        return lib.croupier_rank_rows_of(_bytes(rows), card_count, hand_count, _ranks(ranks))

    def columns(self, columns: Sequence[memoryview], hand_count: int, ranks: memoryview) -> bool:
        starts = ffi.new("uint8_t *[]", [_bytes(column) for column in columns])
        return lib.croupier_rank_columns(self._number, starts, hand_count, _ranks(ranks))

    def masks(self, masks: memoryview, hand_count: int, ranks: memoryview) -> bool:
        sets = ffi.cast("uint64_t *", _bytes(masks))
        return lib.croupier_rank_masks(self._number, sets, hand_count, _ranks(ranks))

    def omaha(
        self,
        rows: memoryview,
        hole_count: int,
        hand_count: int,
        highs: memoryview | None,
        lows: memoryview | None,
    ) -> bool:
        return lib.croupier_rank_omaha_rows(_bytes(rows), hole_count, hand_count, _ranks(highs), _ranks(lows))


def _bytes(view: memoryview) -> _CDataBase:
    return ffi.from_buffer("uint8_t[]", view)


def _ranks(view: memoryview | None) -> _CDataBase:
    return ffi.NULL if view is None else ffi.cast("uint16_t *", ffi.from_buffer("uint8_t[]", view))


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
