"""The batch calls of the reference: one hand after the other, for comparison alone."""

import sys
from collections.abc import Iterable, Iterator, Sequence

from croupier.handrank import reference


def apart(read: memoryview, written: memoryview) -> bool:
    """Says no, so that the batch calls read from a copy: this cannot know."""
    del read, written
    return False


def rows(rows: memoryview, card_count: int, hand_count: int, ranks: memoryview) -> bool:
    return _fill(ranks, (reference.rank(row) for row in _split(rows, card_count, hand_count)))


def columns(columns: Sequence[memoryview], hand_count: int, ranks: memoryview) -> bool:
    del hand_count
    return _fill(ranks, (reference.rank(bytes(cards)) for cards in zip(*columns, strict=True)))


def masks(masks: memoryview, hand_count: int, ranks: memoryview) -> bool:
    sets = memoryview(bytes(masks)).cast("Q") if hand_count else ()
    return all(cards.bit_count() == 7 for cards in sets) and _fill(ranks, map(reference.rank, sets))


def omaha(
    rows: memoryview, hole_count: int, hand_count: int, highs: memoryview | None, lows: memoryview | None
) -> bool:
    deals = [(row[:hole_count], row[hole_count:]) for row in _split(rows, hole_count + 5, hand_count)]
    return all(
        ranks is None or _fill(ranks, (rank([hole], board)[0] for hole, board in deals))
        for ranks, rank in ((highs, reference.rank_omaha), (lows, reference.rank_omaha_low))
    )


def _split(rows: memoryview, size: int, hand_count: int) -> Iterator[bytes]:
    return (bytes(rows[size * place : size * (place + 1)]) for place in range(hand_count))


def _fill(ranks: memoryview, values: Iterable[int]) -> bool:
    try:
        for place, value in enumerate(values):
            ranks[2 * place : 2 * place + 2] = value.to_bytes(2, sys.byteorder)
    except ValueError:
        return False
    return True
