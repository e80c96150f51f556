"""Every way in which the package ranks many hands, so that all can be compared; it knows no right answer."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from tests.census.reference_ranks import Bytes, Ranks

from croupier.cards import DECK
from croupier.handrank import active, native

Ranked: TypeAlias = tuple[str, Ranks]

_BITS = np.array([1 << 16 * (card % 4) + card // 4 for card in DECK], np.uint64)


def names() -> list[str]:
    """What `ranked` compares hands of seven cards by."""
    return [name for name, _ in ranked(np.arange(7, dtype=np.uint8)[None])]


def ranked(rows: Bytes) -> Iterator[Ranked]:
    """Hands of 5, 6 or 7 cards, by each implementation in each layout, and one by one."""
    size = rows.shape[1]
    sets: NDArray[np.uint64] = _BITS[rows].sum(axis=1, dtype=np.uint64)
    columns = [np.ascontiguousarray(rows[:, card]) for card in range(size)]
    for name in native.supported():
        batches = active.load(name).batches
        yield f"{name} rows", _ranks(batches.rank_rows(rows.data, size))
        if size == 7:
            yield f"{name} columns", _ranks(batches.rank_columns([each.data for each in columns]))
            yield f"{name} sets", _ranks(batches.rank_masks(sets.data))
    yield "one by one, bytes", _ranks(map(native.rank, split(rows)))
    yield "one by one, sets", _ranks(map(native.rank, sets.tolist()))


def ranked_holdem(rows: Bytes) -> Iterator[Ranked]:
    """The same hands as showdowns of one, the first two being hole cards."""
    showdowns = ((row[:2], row[2:]) for row in split(rows))
    yield "hold'em", _ranks(native.rank_holdem([hole], board)[0] for hole, board in showdowns)


def ranked_omaha(rows: Bytes, hole_count: int) -> tuple[list[Ranked], list[Ranked]]:
    """Highs and lows of hole cards and a board behind them; in rows where the board has five cards, one by one too."""
    showdowns = [([row[:hole_count]], row[hole_count:]) for row in split(rows)]
    highs = [("one by one", _ranks(native.rank_omaha(*each)[0] for each in showdowns))]
    lows = [("one by one", _ranks(native.rank_omaha_low(*each)[0] for each in showdowns))]
    if rows.shape[1] == hole_count + 5:
        batches = active.ACTIVE.batches
        both = batches.rank_omaha_hi_lo_rows(rows.data, hole_count)
        highs += [
            ("rows", _ranks(batches.rank_omaha_rows(rows.data, hole_count))),
            ("hi-lo rows", _ranks(both[0])),
        ]
        lows += [
            ("low rows", _ranks(batches.rank_omaha_low_rows(rows.data, hole_count))),
            ("hi-lo rows", _ranks(both[1])),
        ]
    return highs, lows


def split(rows: Bytes) -> Sequence[bytes]:
    return [row for (row,) in struct.iter_unpack(f"{rows.shape[1]}s", rows.data)]


def _ranks(ranks: Any) -> Ranks:
    return np.fromiter(ranks, np.uint16) if iter(ranks) is ranks else np.asarray(ranks)
