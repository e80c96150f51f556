"""Single bits flipped in a store's rows: every column of every table in turn, some rows of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

KEYS: Final = {
    "tables": ("table_key",),
    "journal": ("position",),
    "marks": ("table_key", "sequence", "journal_sequence"),
    "accounts": ("account_key",),
    "entry_sets": ("set_key",),
    "entries": ("entry_id",),
    "requests": ("principal", "method", "request_id"),
    "operations": ("number",),
    "hands": ("table_key", "hand_number"),
    "hand_players": ("player_id", "ended_time", "table_key", "hand_number"),
}
"""What finds a row, by table."""
SECRETS: Final = {"hand_keys", "master_key"}
"""No books: a hand whose wrapped key is spoilt does not open, nor does a server start whose key's mark is another."""


class Flip(NamedTuple):
    """One bit of one column of one row; the row's values as they were."""

    table: str
    column: str
    row: dict[str, Any]
    value: Any

    def apply(self, store: Path) -> bool:
        """Whether the store takes it: a unique column does not take another row's value."""
        where = " AND ".join(f"{name} = ?" for name in KEYS[self.table])
        connection = sqlite3.connect(store, isolation_level=None)
        try:
            connection.execute(
                f"UPDATE {self.table} SET {self.column} = ? WHERE {where}",
                (self.value, *(self.row[name] for name in KEYS[self.table])),
            )
        except sqlite3.IntegrityError:
            return False
        finally:
            connection.close()
        return True


def columns(store: Path) -> list[tuple[str, str]]:
    """Every column of every table; fails where a table is not known here."""
    connection = sqlite3.connect(store)
    try:
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        ).fetchall()
        assert {name for (name,) in names} == {*KEYS, *SECRETS}
        return [
            (name, row[1])
            for (name,) in names
            if name not in SECRETS
            for row in connection.execute(f"PRAGMA table_info({name})")
        ]
    finally:
        connection.close()


def flips(store: Path, table: str, column: str, random: Random, count: int) -> Iterator[Flip]:
    """One bit each in the first row, the last and some between."""
    connection = sqlite3.connect(store)
    connection.row_factory = sqlite3.Row
    try:
        order = ", ".join(KEYS[table])
        rows = [
            dict(row)
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}")
            if row[column] not in (None, "", b"")
        ]
    finally:
        connection.close()
    between = random.sample(rows[1:-1], min(count, max(0, len(rows) - 2)))
    for row in [*rows[:1], *between, *rows[1:][-1:]]:
        yield Flip(table, column, row, _flipped(row[column], random))


def _flipped(value: Any, random: Random) -> Any:
    if isinstance(value, int):
        return value ^ 1 << random.randrange(max(1, value.bit_length()))
    if isinstance(value, str):
        return _flipped_byte(value.encode(), random, bits=4).decode()
    return _flipped_byte(value, random, bits=8)


def _flipped_byte(value: bytes, random: Random, bits: int) -> bytes:
    place = random.randrange(len(value))
    return value[:place] + bytes([value[place] ^ 1 << random.randrange(bits)]) + value[place + 1 :]
