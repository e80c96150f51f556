"""The native evaluator behind Python types; the rules and tables are in native/."""

from __future__ import annotations

from croupier.handrank import _native
from croupier.handrank._native import ffi, lib
from croupier.handrank.checks import (
    bytes_of,
    check_draw_showdown,
    check_hand,
    check_omaha_showdown,
    check_showdown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final, SupportsIndex

    from _cffi_backend import _CDataBase
    from _typeshed import ReadableBuffer

    from croupier.handrank.checks import Hands, Showdown

_rank_low = lib.croupier_rank_low
_rank_five = lib.croupier_rank_five
_rank_holdem = lib.croupier_rank_holdem
_rank_omaha = lib.croupier_rank_omaha
_rank_omaha_low = lib.croupier_rank_omaha_low
_new_ranks = ffi.new_allocator(should_clear_after_alloc=False)
_RANKS_TYPE = ffi.typeof("uint16_t[]")
_REFUSED = "the native evaluator refused cards that are well-formed"


def _load_rank() -> Callable[[ReadableBuffer | SupportsIndex], int]:
    """The extension holds a second module, of one function: cffi would take longer to call it than it runs."""
    spec: Any = _native.__spec__
    loader = type(spec.loader)("croupier.handrank._face", spec.origin)
    face = loader.create_module(type(spec)(loader.name, loader, origin=spec.origin))
    loader.exec_module(face)
    ranked: Callable[[ReadableBuffer | SupportsIndex], int] = face.rank
    return ranked


rank: Final = _load_rank()
"""Hand rank of the best five among 5 to 7 cards, which are bytes, or an int with the bit 16 * suit + rank for each.
Raises ValueError unless they are so many and differ, TypeError for what is neither."""

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

    def apart(self, read: memoryview, written: memoryview) -> bool:
        """Whether they have no byte in common."""
        first, second = _bytes(read), _bytes(written)
        start, other = int(ffi.cast("uintptr_t", first)), int(ffi.cast("uintptr_t", second))
        return start + len(first) <= other or other + len(second) <= start

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


def rank_low(cards: ReadableBuffer) -> int:
    """Low rank of the best five among 5 to 7 cards, NO_LOW where none qualifies. Raises ValueError and TypeError as
    `rank`."""
    hand = cards if type(cards) is bytes else bytes(bytes_of(cards))
    value = _rank_low(hand, len(hand))
    if value < 0:
        check_hand(hand)
        raise ValueError(_REFUSED)
    return value


def rank_five(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each five cards held; the board is empty (R-C7). Raises ValueError and TypeError as `rank`."""
    holes, lying = _bytes_of_showdown(hole_cards, board, 5, check_draw_showdown)
    hand_count = len(hole_cards)
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    if lying or not _rank_five(holes, hand_count, ranks):
        check_draw_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)


def rank_holdem(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each two hole cards with the board of 3 to 5 (R-C4). Raises ValueError and TypeError as
    `rank`."""
    holes, lying = _bytes_of_showdown(hole_cards, board, 2, check_showdown)
    hand_count = len(hole_cards)
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    if not _rank_holdem(holes, hand_count, lying, len(lying), ranks):
        check_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)


def rank_omaha(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A hand rank for each 4, 5 or 6 hole cards, the same number for all, of which exactly two play with
    exactly three of the board of 3 to 5 (R-C5). Raises ValueError and TypeError as `rank`."""
    return _omaha_ranks(_rank_omaha, hole_cards, board)


def rank_omaha_low(hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    """A low rank, NO_LOW where none qualifies, for hands as in `rank_omaha` (R-C6)."""
    return _omaha_ranks(_rank_omaha_low, hole_cards, board)


def _omaha_ranks(ranked: Callable[..., bool], hole_cards: Hands, board: ReadableBuffer) -> list[int]:
    hand_count = len(hole_cards)
    first = hole_cards[0] if hand_count else b""
    holes, lying = _bytes_of_showdown(
        hole_cards, board, len(first) if type(first) is bytes else 0, check_omaha_showdown
    )
    hole_count = len(holes) // hand_count if hand_count else 4
    ranks = _new_ranks(_RANKS_TYPE, hand_count)
    if not ranked(holes, hand_count, hole_count, lying, len(lying), ranks):
        check_omaha_showdown(hole_cards, board)
        raise ValueError(_REFUSED)
    return list(ranks)


def _bytes_of_showdown(
    hole_cards: Hands,
    board: ReadableBuffer,
    hole_count: int,
    check: Callable[[Hands, ReadableBuffer], Showdown],
) -> tuple[bytes, bytes]:
    """Hole cards joined, so many of each hand, and the board. Where they are not that as they come, `check` says what
    is wrong with them."""
    for hole in hole_cards:
        if type(hole) is not bytes or len(hole) != hole_count:
            break
    else:
        if type(board) is bytes:
            return b"".join(hole_cards), board
    holes, lying = check(hole_cards, board)
    return b"".join(holes), lying
