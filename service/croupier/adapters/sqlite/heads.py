"""The journal as its writer sees it: each table's head, which the next record must follow.

Heads are remembered so that an append reads nothing. What makes it safe is the file itself: the unique index
of the journal, and an update of the table's row that finds it only where it was.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.sqlite.unfit import Conflict, Unfit
from croupier.room.ports import Record, TableRow, Unit

_APPEND = """
INSERT INTO journal (table_key, epoch, journal_sequence, sequence, prev_hash, hash, recorded_time, principal,
                     request_id, format, body, sealed, checkpoint) {rows}"""
_CREATE = """
INSERT INTO tables (table_key, table_id, house_id, name, currency, created_time, epoch,
                    last_journal_sequence, last_sequence, checkpoint, closed) {rows}"""
_ADVANCE = """
UPDATE tables SET last_journal_sequence = row.column4, last_sequence = row.column5, checkpoint = row.column6,
                  closed = row.column7
FROM ({rows}) AS row
WHERE table_key = row.column1 AND epoch = row.column2 AND last_journal_sequence = row.column3
  AND closed = 0"""
_HEAD = """
SELECT table_key, epoch, last_journal_sequence, last_sequence, tables.checkpoint, closed, journal.hash
FROM tables JOIN journal USING (table_key)
WHERE table_id = ? AND journal_sequence = last_journal_sequence"""


class Head:
    """The last record of a table, with what this batch has staged; `stored` is the sequence on disk."""

    __slots__ = (
        "checkpoint",
        "closed",
        "epoch",
        "hash",
        "journal_sequence",
        "sequence",
        "stored",
        "table_key",
    )

    def __init__(self, *row: Any) -> None:
        self.table_key, self.epoch, self.journal_sequence, self.sequence, self.checkpoint = row[:5]
        self.closed, self.hash = row[5:]
        self.stored = self.journal_sequence


class Heads:
    """Checks and stages units, then writes what is staged; `forget` is for a batch that failed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._heads: dict[str, Head] = {}
        self._next_key = 0
        self._records: list[tuple[Any, ...]] = []
        self._created: list[tuple[Any, ...]] = []
        self._changed: dict[str, Head] = {}

    def check(self, unit: Unit) -> Head | None:
        """The head that the unit's records follow, if it has any; raises Unfit where they do not follow."""
        if unit.created is not None:
            return self._unborn(unit.created, unit.records)
        table_id = unit.records[0].table_id if unit.records else unit.closed
        if not table_id:
            return None
        head = self._heads.get(table_id) or self._load(table_id)
        if head.closed:
            raise Unfit(f"table {table_id} is closed")
        _require_chain(head, unit.records)
        return head

    def stage(self, head: Head, unit: Unit) -> None:
        """Takes in a unit that `check` has let pass, with the head it gave."""
        table_id = unit.closed
        for record in unit.records:
            table_id = record.table_id
            head.journal_sequence, head.sequence, head.hash = (
                record.journal_sequence,
                record.sequence,
                record.hash,
            )
            if record.checkpoint:
                head.checkpoint = record.journal_sequence
            self._records.append(_row(head.table_key, record))
        if unit.closed:
            head.closed = 1
        if unit.created is None:
            self._changed[table_id] = head
        else:
            self._create(head, unit.created)

    def write(self) -> None:
        """Puts what is staged into the open transaction; raises Conflict where the file has moved on."""
        write_rows(self._connection, _CREATE, self._created)
        write_rows(self._connection, _APPEND, self._records)
        rows = [
            (
                head.table_key,
                head.epoch,
                head.stored,
                head.journal_sequence,
                head.sequence,
                head.checkpoint,
                head.closed,
            )
            for head in self._changed.values()
        ]
        if write_rows(self._connection, _ADVANCE, rows) != len(rows):
            raise Conflict("a table's row is not where its last record left it")

    def settle(self) -> None:
        """After the commit: what was staged is stored."""
        for table_id, head in self._changed.items():
            head.stored = head.journal_sequence
            if head.closed:
                del self._heads[table_id]
        self._records, self._created, self._changed = [], [], {}

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and heads are read from the file again."""
        self._heads, self._next_key = {}, 0
        self._records, self._created, self._changed = [], [], {}

    def forget_table(self, table_id: str) -> None:
        """Between batches: reads this table's head from the file when it is next needed."""
        self._heads.pop(table_id, None)

    def _load(self, table_id: str) -> Head:
        row = self._connection.execute(_HEAD, (table_id,)).fetchone()
        if row is None:
            raise Unfit(f"there is no table {table_id}")
        head = self._heads[table_id] = Head(*row)
        return head

    def _unborn(self, created: TableRow, records: tuple[Record, ...]) -> Head:
        table_id = created.table_id
        known = self._connection.execute("SELECT 1 FROM tables WHERE table_id = ?", (table_id,)).fetchone()
        if known or table_id in self._heads:
            raise Unfit(f"there is a table {table_id} already")
        head = Head(0, records[0].epoch, 0, 0, 0, 0, records[0].prev_hash)
        _require_chain(head, records)
        if not self._next_key:
            last = self._connection.execute("SELECT coalesce(max(table_key), 0) FROM tables").fetchone()[0]
            self._next_key = last + 1
        head.table_key = self._next_key
        return head

    def _create(self, head: Head, row: TableRow) -> None:
        self._next_key += 1
        self._heads[row.table_id] = head
        head.stored = head.journal_sequence
        named = (head.table_key, row.table_id, row.house_id, row.name, row.currency, row.created_time)
        self._created.append((*named, head.epoch, head.stored, head.sequence, head.checkpoint, head.closed))


def _require_chain(head: Head, records: tuple[Record, ...]) -> None:
    last, last_hash, sequence = head.journal_sequence, head.hash, head.sequence
    for record in records:
        if record.journal_sequence != last + 1 or record.sequence < sequence:
            raise Unfit(
                f"record {record.journal_sequence} ({record.sequence}) of {record.table_id} follows {last}"
            )
        if record.epoch != head.epoch:
            raise Unfit(
                f"{record.table_id} is in epoch {head.epoch}, its record {last + 1} in {record.epoch}"
            )
        if record.prev_hash != last_hash:
            raise Unfit(f"record {last + 1} of {record.table_id} follows another record {last}")
        last, last_hash, sequence = record.journal_sequence, record.hash, record.sequence


def _row(table_key: int, record: Record) -> tuple[Any, ...]:
    return (
        table_key,
        record.epoch,
        record.journal_sequence,
        record.sequence,
        record.prev_hash,
        record.hash,
        record.recorded_time,
        record.principal,
        record.request_id,
        record.format,
        record.body,
        record.sealed,
        record.checkpoint,
    )
