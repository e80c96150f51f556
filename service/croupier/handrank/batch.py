"""Ranks of many hands over buffers, by the evaluator in use; it finds what is wrong with a buffer, and no rank.

Buffers are whatever shows its bytes in one piece: bytes, bytearray, memoryview, array, a NumPy array. None is
copied, unless `out` lies over it. Ranks go to `out` where one is given, a buffer of 16-bit numbers such as array("H"),
else to a new array.
"""

from __future__ import annotations

import sys

from croupier.handrank.checks import bytes_of, check_hand, check_omaha_showdown, check_set, in_one_piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Sequence
    from typing import NoReturn, Protocol, TypeVar, overload

    from _typeshed import ReadableBuffer, WriteableBuffer

    Out = TypeVar("Out", bound=WriteableBuffer)
    _Hand = TypeVar("_Hand")

    class Kernels(Protocol):
        """Ranks hands in buffers of the right sizes; False, with ranks undefined, where one is no hand."""

        def apart(self, read: memoryview, written: memoryview, /) -> bool: ...
        def rows(self, rows: memoryview, card_count: int, hand_count: int, ranks: memoryview, /) -> bool: ...
        def columns(self, columns: Sequence[memoryview], hand_count: int, ranks: memoryview, /) -> bool: ...
        def masks(self, masks: memoryview, hand_count: int, ranks: memoryview, /) -> bool: ...
        def omaha(
            self,
            rows: memoryview,
            hole_count: int,
            hand_count: int,
            highs: memoryview | None,
            lows: memoryview | None,
            /,
        ) -> bool: ...


_SEVEN = 7
_WHOLE_64 = frozenset("QqLlNn")
_WHOLE_16 = frozenset("Hh")
_BOARD = 5


class Batches:
    """The batch calls of one evaluator."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels = kernels

    if TYPE_CHECKING:

        @overload
        def rank_rows(self, rows: ReadableBuffer, card_count: int = 7) -> array[int]: ...
        @overload
        def rank_rows(self, rows: ReadableBuffer, card_count: int = 7, *, out: Out) -> Out: ...

    def rank_rows(
        self, rows: ReadableBuffer, card_count: int = 7, *, out: WriteableBuffer | None = None
    ) -> WriteableBuffer:
        """A hand rank for each row of 5, 6 or 7 bytes, which are cards. Raises ValueError for a row that is no
        hand, as `rank` does, and for buffers that do not fit."""
        if not 5 <= card_count <= _SEVEN:
            raise ValueError(f"a hand is ranked from 5 to 7 cards, not {card_count}")
        view = bytes_of(rows)
        hand_count = _row_count(view, card_count)
        ranks, told = _ranks(out, hand_count)
        view = self._kept(view, out, told)
        if not self._kernels.rows(view, card_count, hand_count, told):
            _refuse(check_hand, (bytes(view[at : at + card_count]) for at in range(0, len(view), card_count)))
        return ranks

    if TYPE_CHECKING:

        @overload
        def rank_columns(self, columns: Sequence[ReadableBuffer]) -> array[int]: ...
        @overload
        def rank_columns(self, columns: Sequence[ReadableBuffer], *, out: Out) -> Out: ...

    def rank_columns(
        self, columns: Sequence[ReadableBuffer], *, out: WriteableBuffer | None = None
    ) -> WriteableBuffer:
        """A hand rank for each place in seven buffers, of which each holds one card of every hand. Raises
        ValueError as `rank_rows` does."""
        views = [bytes_of(column) for column in columns]
        if len(views) != _SEVEN or len({len(view) for view in views}) != 1:
            raise ValueError("hands in columns are seven buffers of one length")
        hand_count = len(views[0])
        ranks, told = _ranks(out, hand_count)
        views = [self._kept(view, out, told) for view in views]
        if not self._kernels.columns(views, hand_count, told):
            _refuse(check_hand, map(bytes, zip(*views, strict=True)))
        return ranks

    if TYPE_CHECKING:

        @overload
        def rank_masks(self, masks: ReadableBuffer) -> array[int]: ...
        @overload
        def rank_masks(self, masks: ReadableBuffer, *, out: Out) -> Out: ...

    def rank_masks(self, masks: ReadableBuffer, *, out: WriteableBuffer | None = None) -> WriteableBuffer:
        """A hand rank for each set of seven cards: 64-bit numbers, with the bit 16 * suit + rank for each card.
        Raises ValueError as `rank_rows` does."""
        view = memoryview(masks)
        if view.itemsize != 8 or _kind(view) not in _WHOLE_64:
            raise ValueError(f"sets of cards are numbers of 8 bytes, not {view.itemsize} of {view.format}")
        view = in_one_piece(view)
        hand_count = len(view) // 8
        ranks, told = _ranks(out, hand_count)
        view = self._kept(view, out, told)
        if not self._kernels.masks(view, hand_count, told):
            _refuse(_check_seven, view.cast("Q"))
        return ranks

    if TYPE_CHECKING:

        @overload
        def rank_omaha_rows(self, rows: ReadableBuffer, hole_count: int = 4) -> array[int]: ...
        @overload
        def rank_omaha_rows(self, rows: ReadableBuffer, hole_count: int = 4, *, out: Out) -> Out: ...

    def rank_omaha_rows(
        self, rows: ReadableBuffer, hole_count: int = 4, *, out: WriteableBuffer | None = None
    ) -> WriteableBuffer:
        """A hand rank for each row of 4, 5 or 6 hole cards and the five of its own board, of which two and three
        play. Raises ValueError as `rank_rows` does."""
        view, hand_count = _omaha_rows(rows, hole_count)
        ranks, told = _ranks(out, hand_count)
        view = self._kept(view, out, told)
        self._rank_omaha(view, hole_count, hand_count, told, None)
        return ranks

    if TYPE_CHECKING:

        @overload
        def rank_omaha_low_rows(self, rows: ReadableBuffer, hole_count: int = 4) -> array[int]: ...
        @overload
        def rank_omaha_low_rows(self, rows: ReadableBuffer, hole_count: int = 4, *, out: Out) -> Out: ...

    def rank_omaha_low_rows(
        self, rows: ReadableBuffer, hole_count: int = 4, *, out: WriteableBuffer | None = None
    ) -> WriteableBuffer:
        """A low rank, 0 where none qualifies, for each row as in `rank_omaha_rows`."""
        view, hand_count = _omaha_rows(rows, hole_count)
        ranks, told = _ranks(out, hand_count)
        view = self._kept(view, out, told)
        self._rank_omaha(view, hole_count, hand_count, None, told)
        return ranks

    def rank_omaha_hi_lo_rows(
        self, rows: ReadableBuffer, hole_count: int = 4
    ) -> tuple[array[int], array[int]]:
        """Hand ranks and low ranks of rows as in `rank_omaha_rows`, in less than two calls would take."""
        view, hand_count = _omaha_rows(rows, hole_count)
        highs, lows = _zeros(hand_count), _zeros(hand_count)
        self._rank_omaha(
            view, hole_count, hand_count, memoryview(highs).cast("B"), memoryview(lows).cast("B")
        )
        return highs, lows

    def _kept(self, view: memoryview, out: WriteableBuffer | None, told: memoryview) -> memoryview:
        """The bytes to read, which writing the ranks does not change."""
        return view if out is None or self._kernels.apart(view, told) else memoryview(bytes(view))

    def _rank_omaha(
        self,
        view: memoryview,
        hole_count: int,
        hand_count: int,
        highs: memoryview | None,
        lows: memoryview | None,
    ) -> None:
        if not self._kernels.omaha(view, hole_count, hand_count, highs, lows):
            size = hole_count + _BOARD
            rows = (bytes(view[at : at + size]) for at in range(0, len(view), size))
            _refuse(lambda row: check_omaha_showdown([row[:hole_count]], row[hole_count:]), rows)


def _kind(view: memoryview) -> str:
    """What a buffer's numbers are, by struct's letter; with its order before it where that is not the machine's."""
    return view.format.lstrip("@=<" if sys.byteorder == "little" else "@=>")


def _row_count(view: memoryview, size: int) -> int:
    hand_count, rest = divmod(len(view), size)
    if rest:
        raise ValueError(f"{len(view)} bytes are no rows of {size} cards")
    return hand_count


def _omaha_rows(rows: ReadableBuffer, hole_count: int) -> tuple[memoryview, int]:
    if not 4 <= hole_count <= 6:
        raise ValueError(f"an Omaha hand has 4, 5 or 6 hole cards, not {hole_count}")
    view = bytes_of(rows)
    return view, _row_count(view, hole_count + _BOARD)


def _zeros(count: int) -> array[int]:
    from array import array

    return array("H", bytes(2)) * count


def _ranks(out: WriteableBuffer | None, hand_count: int) -> tuple[WriteableBuffer, memoryview]:
    """What is returned, and its bytes."""
    ranks = _zeros(hand_count) if out is None else out
    view = memoryview(ranks)
    fits = view.itemsize == 2 and _kind(view) in _WHOLE_16 and view.nbytes == 2 * hand_count
    if view.readonly or not fits or not view.c_contiguous:
        raise ValueError(f"ranks of {hand_count} hands go to as many 16-bit numbers that can be written to")
    return ranks, view.cast("B") if hand_count else memoryview(bytearray())


def _check_seven(cards: int) -> None:
    check_set(cards)
    if cards.bit_count() != _SEVEN:
        raise ValueError(f"hands are sets of 7 cards, not {cards.bit_count()}")


def _refuse(check: Callable[[_Hand], object], hands: Iterable[_Hand]) -> NoReturn:
    """Raises ValueError for the first of the hands that is none."""
    for place, hand in enumerate(hands):
        try:
            check(hand)
        except ValueError as error:
            raise ValueError(f"hand {place}, the first being 0: {error}") from None
    raise ValueError("the evaluator refused cards that are well-formed")
