"""A table's hands read from its journal, many at once: each record is read and decoded once. Tells nobody anything."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final, NamedTuple

from croupier.engine import events as ev
from croupier.numbers import NS_PER_MS
from croupier.room import codec
from croupier.room.hand_ports import HandPlace
from croupier.room.journal import body_of
from croupier.room.ports import Record, Store

PAGE: Final = 256
"""Records read at once at most: as many as are decoded before others have their turn."""
_BEYOND: Final = 32
"""Records read beyond as many as hands have sequences: such as the whole table does not hear of."""
_APART: Final = 64
"""Sequences between two hands that are rather read too than looked for anew."""
_CLOCK_SLACK_NS: Final = 1000 * NS_PER_MS

Read = tuple[Record, codec.Body]


class _Run(NamedTuple):
    """Hands that lie together, by public sequences; until when cards of the last may have been shown."""

    first: int
    last: int
    until: int


async def pages(store: Store, places: Sequence[HandPlace], show_window_ms: int) -> AsyncIterator[list[Read]]:
    """Every record of hands of one table, in the order of their numbers, and what lies between or was shown after.

    Cards are shown until the window is over, or the next hand is.
    """
    runs = _runs(places, show_window_ms * NS_PER_MS)
    ends = [run.first for run in runs[1:]]
    for run, end in zip(runs, [*ends, None], strict=True):
        async for page in _pages(store, places[0].table_id, run, end):
            yield page


async def _pages(store: Store, table_id: str, run: _Run, end: int | None) -> AsyncIterator[list[Read]]:
    after, after_record = run.first - 1, 0
    while True:
        limit = min(PAGE, max(0, run.last - after) + _BEYOND)
        found = await store.records(table_id, after, limit, after_record=after_record)
        page: list[Read] = []
        for record in found:
            body = _within(record, run, end)
            if body is None:
                yield page
                return
            page.append((record, body))
        yield page
        if len(found) < limit:
            return
        after_record, after = found[-1].journal_sequence, found[-1].sequence - 1


def _within(record: Record, run: _Run, end: int | None) -> codec.Body | None:
    """The record's body; None for the first that has nothing to do with the run's hands."""
    if end is not None and record.sequence >= end:
        return None
    beyond = record.sequence > run.last
    if beyond and record.recorded_time > run.until:
        return None
    body = body_of(record)
    if beyond and any(type(event) is ev.HandEnded for event in body.events):
        return None
    return body


def _runs(places: Sequence[HandPlace], window: int) -> list[_Run]:
    runs: list[_Run] = []
    for place in places:
        first = place.first_sequence
        if runs and first - runs[-1].last <= _APART:
            first = runs.pop().first
        until = place.ended_time + window + _CLOCK_SLACK_NS if window else 0
        runs.append(_Run(first, place.last_sequence, until))
    return runs
