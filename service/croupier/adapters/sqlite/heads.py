"""The journal as its writer sees it: each table's head, which the next record must follow.

Heads are remembered so that an append reads nothing. What makes it safe is the file itself: the update of a
table's row, in the transaction that appends, finds it only in its epoch and at the position remembered.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.sqlite.schema import MARK_EVERY
from croupier.adapters.units.chain import require_chain
from croupier.adapters.units.unfit import Conflict, Unfit
from croupier.room.ports import Record, TableRow, Unit

_APPEND = """
INSERT INTO journal (position, table_key, previous, epoch, journal_sequence, sequence, prev_hash, hash,
                     recorded_time, principal, request_id, format, body, sealed, checkpoint) {rows}"""
_MARK = "INSERT INTO marks (table_key, sequence, journal_sequence, position) {rows}"
_CREATE = """
INSERT INTO tables (table_key, epoch, last_journal_sequence, last_sequence, last_position,
                    checkpoint_position, closed, first_position, table_id, house_id, name, currency,
                    created_time) {rows}"""
_ADVANCE = """
UPDATE tables SET last_journal_sequence = row.column4, last_sequence = row.column5,
                  last_position = row.column6, checkpoint_position = row.column7, closed = row.column8
FROM ({rows}) AS row
WHERE table_key = row.column1 AND epoch = row.column2 AND last_position = row.column3 AND closed = 0"""
_KEEP_KEY = """
INSERT INTO hand_keys (table_key, hand_key) {rows}
ON CONFLICT (table_key) DO UPDATE SET hand_key = excluded.hand_key"""
_HEAD = """
SELECT tables.table_key, tables.epoch, last_journal_sequence, last_sequence, last_position,
       checkpoint_position, closed, hash
FROM tables JOIN journal ON position = last_position
WHERE table_id = ?"""
_LAST_KEYS = """
SELECT (SELECT coalesce(max(table_key), 0) FROM tables), (SELECT coalesce(max(position), 0) FROM journal)"""

Row = tuple[Any, ...]


class Head:
    """A table's last record, on disk or staged; `stored` is the position of the last one on disk."""

    __slots__ = (
        "checkpoint",
        "closed",
        "epoch",
        "hash",
        "journal_sequence",
        "position",
        "sequence",
        "stored",
        "table_key",
    )

    def __init__(self, *row: Any) -> None:
        self.table_key, self.epoch, self.journal_sequence, self.sequence, self.position = row[:5]
        self.checkpoint, self.closed, self.hash = row[5:]
        self.stored = self.position

    def row(self) -> Row:
        """What the table's row says once the head is on disk."""
        return self.journal_sequence, self.sequence, self.position, self.checkpoint, self.closed


class Heads:
    """Checks and stages units, then writes what is staged; `forget` is for a batch that failed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.forget()

    def check(self, table_id: str, unit: Unit) -> Head:
        """The head of the unit's table; raises Unfit where the unit's records do not follow it."""
        records = unit.records
        if unit.created is not None:
            return self._unborn(table_id, records)
        head = self._heads.get(table_id) or self._load(table_id)
        if head.closed:
            raise Unfit(f"table {table_id} is closed")
        require_chain(head, records)
        return head

    def stage(self, head: Head, unit: Unit) -> None:
        """Takes in a unit that `check` has let pass, with the head it gave."""
        if unit.created is not None:
            self._last_key += 1
            self._heads[unit.created.table_id] = head
            head.table_key = self._last_key
            head.checkpoint = self._last_position + 1
        for record in unit.records:
            self._append(head, record)
        if unit.hand_key is not None:
            self._hand_keys[head.table_key] = unit.hand_key
        if unit.closed:
            head.closed = 1
            self._over.append(unit.closed)
        if unit.created is None:
            self._changed[head.table_key] = head
        else:
            self._create(head, unit.created)

    def write(self) -> None:
        """Puts what is staged into the open transaction; raises Conflict where the file has moved on."""
        write_rows(self._connection, _CREATE, self._created)
        write_rows(self._connection, _APPEND, self._records)
        write_rows(self._connection, _MARK, self._marks)
        write_rows(self._connection, _KEEP_KEY, list(self._hand_keys.items()))
        rows = [(head.table_key, head.epoch, head.stored, *head.row()) for head in self._changed.values()]
        if write_rows(self._connection, _ADVANCE, rows) != len(rows):
            raise Conflict("a table's row is not where its last record left it")

    def settle(self) -> None:
        """After the commit: what was staged is stored. Heads of closed tables need not be known any more."""
        for head in self._changed.values():
            head.stored = head.position
        for table_id in self._over:
            self.forget_table(table_id)
        self._clear()

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and heads are read from the file again."""
        self._heads: dict[str, Head] = {}
        self._last_key = self._last_position = -1
        self._clear()

    def forget_table(self, table_id: str) -> None:
        """Between batches: reads this table's head from the file when it is next needed."""
        self._heads.pop(table_id, None)

    def _clear(self) -> None:
        self._created: list[Row] = []
        self._over: list[str] = []
        self._records: list[Row] = []
        self._marks: list[Row] = []
        self._changed: dict[int, Head] = {}
        self._hand_keys: dict[int, bytes] = {}

    def _load(self, table_id: str) -> Head:
        row = self._connection.execute(_HEAD, (table_id,)).fetchone()
        if row is None:
            raise Unfit(f"there is no table {table_id}")
        self._count_on()
        head = self._heads[table_id] = Head(*row)
        return head

    def _unborn(self, table_id: str, records: tuple[Record, ...]) -> Head:
        """The head before a table's first record, which follows whatever it says."""
        known = self._connection.execute("SELECT 1 FROM tables WHERE table_id = ?", (table_id,)).fetchone()
        if known or table_id in self._heads:
            raise Unfit(f"there is a table {table_id} already")
        self._count_on()
        head = Head(0, records[0].epoch, 0, 0, 0, 0, 0, records[0].prev_hash)
        require_chain(head, records)
        return head

    def _count_on(self) -> None:
        if self._last_position < 0:
            self._last_key, self._last_position = self._connection.execute(_LAST_KEYS).fetchone()

    def _append(self, head: Head, record: Record) -> None:
        self._last_position = position = self._last_position + 1
        if record.checkpoint:
            head.checkpoint = position
        if record.journal_sequence % MARK_EVERY == 0:
            self._marks.append((head.table_key, record.sequence, record.journal_sequence, position))
        row = (
            position,
            head.table_key,
            head.position,
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
        self._records.append(row)
        head.position = position
        head.journal_sequence = record.journal_sequence
        head.sequence = record.sequence
        head.hash = record.hash

    def _create(self, head: Head, row: TableRow) -> None:
        head.stored = head.position
        first = head.position - head.journal_sequence + 1
        named = (row.table_id, row.house_id, row.name, row.currency, row.created_time)
        self._created.append((head.table_key, head.epoch, *head.row(), first, *named))
