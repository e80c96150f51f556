"""Where SQLite keeps the journal's rows: pointers back, marks and tables' positions, checked against the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from croupier.adapters.sqlite.schema import MARK_EVERY
from croupier.room.audit.books import Misplaced

_ROWS: Final = """
SELECT position, table_key, previous, journal_sequence, epoch, checkpoint FROM journal ORDER BY position"""
_TABLES: Final = """
SELECT table_key, table_id, first_position, last_position, checkpoint_position, epoch FROM tables"""
_MARKED: Final = f"""
SELECT table_key, sequence, journal_sequence, position FROM journal
WHERE journal_sequence % {MARK_EVERY} = 0"""
_MARKS: Final = "SELECT table_key, sequence, journal_sequence, position FROM marks"


class _Ends:
    """Where a table's records lie, as the rows say."""

    __slots__ = ("checkpoint", "epoch", "first", "last")

    def __init__(self, position: int) -> None:
        self.first = self.last = self.checkpoint = position
        self.epoch = 0


_STRAY_KEYS: Final = "SELECT table_key FROM hand_keys WHERE table_key NOT IN (SELECT table_key FROM tables)"
_MARK_BYTES: Final = 32


def misplaced_keys(connection: sqlite3.Connection, *, marked: bool) -> Iterator[Misplaced]:
    """What is wrong with the rows of keys, as far as can be told without the master key; `marked`: its mark is kept."""
    for (key,) in connection.execute(_STRAY_KEYS):
        yield Misplaced(f"the row of hand_keys with table_key {key} is of no table")
    for (mark,) in connection.execute("SELECT mark FROM master_key") if marked else ():
        if not isinstance(mark, bytes) or len(mark) != _MARK_BYTES:
            yield Misplaced("the row of master_key holds no mark")


def misplaced(connection: sqlite3.Connection) -> Iterator[Misplaced]:
    """What is wrong with positions. Raises what SQLite raises."""
    names = dict(connection.execute("SELECT table_key, table_id FROM tables"))
    ends: dict[int, _Ends] = {}
    for position, key, previous, number, epoch, checkpoint in connection.execute(_ROWS):
        end = ends.get(key)
        before = end.last if end is not None else 0
        if previous != before:
            what = f"points back to position {previous}; the record before it lies at {before}"
            yield Misplaced(what, names.get(key, ""), number)
        if end is None:
            end = ends[key] = _Ends(position)
        end.last, end.epoch = position, epoch
        if checkpoint:
            end.checkpoint = position
    for key, name, first, last, checkpoint, epoch in connection.execute(_TABLES):
        end = ends.get(key) or _Ends(0)
        for what, told, found in (
            ("first record lies at", first, end.first),
            ("last record lies at", last, end.last),
            ("last checkpoint lies at", checkpoint, end.checkpoint),
            ("epoch is", epoch, end.epoch),
        ):
            if told != found:
                yield Misplaced(f"the table's row says that its {what} {told}, by the journal {found}", name)
    for key, _, number, position in connection.execute(f"{_MARKED} EXCEPT {_MARKS}"):
        yield Misplaced(f"has no mark at its position, {position}", names.get(key, ""), number)
    for key, sequence, number, position in connection.execute(f"{_MARKS} EXCEPT {_MARKED}"):
        what = f"a mark says that it lies at position {position} with sequence {sequence}"
        yield Misplaced(what, names.get(key, ""), number)
