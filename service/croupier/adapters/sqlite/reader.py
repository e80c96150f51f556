"""Reads of journal, tables and request index. Read-only, in short transactions, in whatever thread calls."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from croupier.room.ports import Record, RequestRecord, TableJournal

_COLUMNS: Final = """
table_id, journal.epoch, journal_sequence, sequence, prev_hash, hash, recorded_time, principal, request_id,
format, body, sealed, journal.checkpoint"""
_FIRST: Final = f"""
SELECT {_COLUMNS} FROM tables CROSS JOIN journal USING (table_key)
WHERE closed = 0 AND journal_sequence = 1"""
_TAIL: Final = f"""
SELECT {_COLUMNS} FROM tables CROSS JOIN journal USING (table_key)
WHERE closed = 0 AND journal_sequence >= tables.checkpoint"""
_AFTER: Final = f"""
SELECT {_COLUMNS} FROM tables CROSS JOIN journal USING (table_key)
WHERE table_id = ? AND journal_sequence > ? ORDER BY journal_sequence LIMIT ?"""
_SEQUENCE_AT: Final = """
SELECT sequence FROM tables CROSS JOIN journal USING (table_key)
WHERE table_id = ? AND journal_sequence = ?"""


def open_tables(connection: sqlite3.Connection) -> list[TableJournal]:
    """Every open table, in the order of their creation, as of one moment."""
    connection.execute("BEGIN")
    try:
        firsts = connection.execute(f"{_FIRST} ORDER BY table_key").fetchall()
        tails = connection.execute(f"{_TAIL} ORDER BY table_key, journal_sequence").fetchall()
    finally:
        connection.execute("COMMIT")
    records: dict[str, list[Record]] = {row[0]: [] for row in firsts}
    for row in tails:
        records[row[0]].append(_record(row))
    return [TableJournal(row[0], _record(row), records[row[0]]) for row in firsts]


def open_table(connection: sqlite3.Connection, table_id: str) -> TableJournal | None:
    """One open table; None where there is none of that id or it is closed."""
    connection.execute("BEGIN")
    try:
        first = connection.execute(f"{_FIRST} AND table_id = ?", (table_id,)).fetchone()
        tail = connection.execute(
            f"{_TAIL} AND table_id = ? ORDER BY journal_sequence", (table_id,)
        ).fetchall()
    finally:
        connection.execute("COMMIT")
    return TableJournal(table_id, _record(first), [_record(row) for row in tail]) if first else None


def records(connection: sqlite3.Connection, table_id: str, after_sequence: int, limit: int) -> list[Record]:
    """Records whose public sequence is greater, oldest first.

    The public sequence has no index of its own: it never falls from one record to the next, so the place
    is found by halving.
    """
    found = connection.execute(
        "SELECT last_journal_sequence FROM tables WHERE table_id = ?", (table_id,)
    ).fetchone()
    low, high = 0, found[0] if found else 0
    while low < high:
        middle = (low + high + 1) // 2
        if connection.execute(_SEQUENCE_AT, (table_id, middle)).fetchone()[0] > after_sequence:
            high = middle - 1
        else:
            low = middle
    return [_record(row) for row in connection.execute(_AFTER, (table_id, low, limit)).fetchall()]


def find_request(
    connection: sqlite3.Connection, principal: str, method: str, request_id: str
) -> RequestRecord | None:
    key = (principal, method, request_id)
    row = connection.execute(
        "SELECT digest, answer FROM requests WHERE principal = ? AND method = ? AND request_id = ?", key
    ).fetchone()
    return RequestRecord(*key, *row) if row else None


def _record(row: tuple[Any, ...]) -> Record:
    values: tuple[Any, ...] = (*row[:-1], bool(row[-1]))
    return Record(*values)
