"""Reads of journal, tables and request index. Read-only, in short transactions, in whatever thread calls."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from croupier.adapters.sqlite.schema import MARK_EVERY
from croupier.room.ports import Record, RequestRecord, TableJournal, missing_record

_COLUMNS: Final = """
journal.epoch, journal_sequence, sequence, prev_hash, hash, recorded_time, principal, request_id, format,
body, sealed, checkpoint"""
_CHOSEN: Final = "WITH RECURSIVE chosen AS (SELECT * FROM tables WHERE closed = 0)"
_CHOSEN_ONE: Final = "WITH RECURSIVE chosen AS (SELECT * FROM tables WHERE table_id = :table_id)"
_FIRST: Final = f"""
SELECT table_id, {_COLUMNS},
       closed, last_journal_sequence, (SELECT hand_key FROM hand_keys WHERE hand_keys.table_key = chosen.table_key)
FROM chosen LEFT JOIN journal
  ON position = first_position AND journal.table_key = chosen.table_key ORDER BY chosen.table_key"""
_TAIL: Final = f""",
  tail (table_id, key, floor, place) AS (
    SELECT table_id, table_key, checkpoint_position, last_position FROM chosen
    UNION ALL
    SELECT table_id, key, floor, previous FROM tail CROSS JOIN journal ON position = place WHERE previous >= floor)
SELECT table_id, {_COLUMNS} FROM tail CROSS JOIN journal ON position = place AND table_key = key ORDER BY position"""
# Where to begin the walk back: at a mark so far on that `limit` records lie before it, or at the end.
_MARK_BEFORE: Final = """
SELECT sequence, journal_sequence FROM marks WHERE table_key = ? AND sequence <= ?
ORDER BY sequence DESC, journal_sequence DESC LIMIT 1"""
_MARK_BEHIND: Final = """
SELECT position FROM marks WHERE table_key = ? AND sequence >= ? AND journal_sequence >= ?
ORDER BY sequence, journal_sequence LIMIT 1"""
_BACK: Final = f"""
WITH RECURSIVE back (place) AS (
    VALUES (:place)
    UNION ALL
    SELECT previous FROM back CROSS JOIN journal ON position = place
    WHERE sequence > :after AND journal_sequence > :record AND previous > 0)
SELECT :table_id, {_COLUMNS} FROM back CROSS JOIN journal ON position = place
WHERE sequence > :after AND journal_sequence > :record ORDER BY position LIMIT :limit"""


def tables(connection: sqlite3.Connection, table_id: str | None = None) -> list[TableJournal]:
    """Every open table in the order of their creation, or the one asked for, open or closed."""
    chosen = _CHOSEN if table_id is None else _CHOSEN_ONE
    connection.execute("BEGIN")
    try:
        firsts = connection.execute(chosen + _FIRST, {"table_id": table_id}).fetchall()
        tails = connection.execute(chosen + _TAIL, {"table_id": table_id}).fetchall()
    finally:
        connection.execute("COMMIT")
    records: dict[str, list[Record]] = {row[0]: [] for row in firsts}
    for row in tails:
        records[row[0]].append(_record(row))
    return [
        TableJournal(
            table_id,
            _record((table_id, *record)) if record[0] is not None else missing_record(table_id),
            records[table_id],
            hand_key=hand_key or b"",
            last=last,
            closed=bool(closed),
        )
        for table_id, *record, closed, last, hand_key in firsts
    ]


def records(
    connection: sqlite3.Connection, table_id: str, after_sequence: int, limit: int, *, after_record: int
) -> list[Record]:
    """Records whose public sequence and whose journal_sequence are greater, oldest first."""
    connection.execute("BEGIN")
    try:
        table = connection.execute(
            "SELECT table_key, last_position FROM tables WHERE table_id = ?", (table_id,)
        ).fetchone()
        if table is None:
            return []
        key, last = table
        sequence, near = connection.execute(_MARK_BEFORE, (key, after_sequence)).fetchone() or (0, 0)
        near = max(near, after_record)
        behind = connection.execute(_MARK_BEHIND, (key, sequence, near + MARK_EVERY + limit)).fetchone()
        values = {
            "table_id": table_id,
            "place": behind[0] if behind else last,
            "after": after_sequence,
            "record": after_record,
            "limit": limit,
        }
        return [_record(row) for row in connection.execute(_BACK, values).fetchall()]
    finally:
        connection.execute("COMMIT")


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
