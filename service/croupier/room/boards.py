"""The board that a hand had when something of it happened, for whoever reads records from the middle of a hand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.engine import events as ev
from croupier.room.journal import body_of
from croupier.room.ports import Record, Store

_STEP: Final = 64
"""Sequences read at once on the way back to a hand's start."""
_PAGE: Final = 2 * _STEP


class Boards:
    """Follows a table's records, read in order from anywhere."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._board: bytes | None = None
        """None while the hand's start has not been seen."""

    async def after(self, record: Record, events: Sequence[ev.Event]) -> bytes:
        """The board after the record's events; read from before it only where hands are shown in it."""
        for event in events:
            if isinstance(event, ev.HandStarted):
                self._board = b""
            elif isinstance(event, ev.HoleCardsShown) and self._board is None:
                self._board = await self._before(record)
        if self._board is None:
            return b""
        self._board += b"".join([event.cards for event in events if isinstance(event, ev.StreetDealt)])
        return self._board

    async def _before(self, record: Record) -> bytes:
        """The board of the hand in progress before a record."""
        board, first, until = b"", record.sequence, record.journal_sequence
        while first > 0:
            first = max(0, first - _STEP)
            records = await self._between(record.table_id, first, until)
            for one in reversed(records):
                for event in reversed(body_of(one).events):
                    if isinstance(event, ev.HandStarted):
                        return board
                    if isinstance(event, ev.StreetDealt):
                        board = event.cards + board
            until = records[0].journal_sequence if records else until
        return board

    async def _between(self, table_id: str, after_sequence: int, until: int) -> list[Record]:
        """Records after a sequence and before a journal_sequence, in order."""
        found: list[Record] = []
        while True:
            last = found[-1].journal_sequence if found else 0
            page = await self._store.records(table_id, after_sequence, _PAGE, after_record=last)
            found += [record for record in page if record.journal_sequence < until]
            if len(page) < _PAGE or page[-1].journal_sequence >= until:
                return found
