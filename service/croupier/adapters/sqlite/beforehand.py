"""What a file is asked before a store is opened on it: its master key's mark, and what a start reads.

Nothing is made or changed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from croupier.adapters.sqlite import hand_index, ledger_reader, operations, reader
from croupier.adapters.sqlite.schema import MARKED, VERSION, format_of, unusable
from croupier.room.blocks import METHODS as BLOCKING
from croupier.room.operations import OperationQuery

ALL: Final = 2**31
T = TypeVar("T")


def key_mark(path: Path) -> bytes:
    """The mark of the file's master key, empty where it has none yet. Raises StoreUnusable."""
    if not path.is_file() or format_of(path) < MARKED:
        return b""
    row = _asked(path, lambda db: db.execute("SELECT mark FROM master_key").fetchone())
    return bytes(row[0]) if row else b""


def read_as_a_start_does(path: Path) -> None:
    """Everything that a start reads of a file of this version's format. Raises StoreUnusable."""
    if path.is_file() and format_of(path) == VERSION:
        _asked(path, _read)


def _read(connection: sqlite3.Connection) -> None:
    ledger_reader.newest_time(connection)
    ledger_reader.imbalance(connection)
    operations.operations(connection, OperationQuery(ALL, methods=BLOCKING))
    reader.tables(connection)
    hand_index.unindexed(connection)


def _asked(path: Path, call: Callable[[sqlite3.Connection], T]) -> T:
    """What is asked may lie in the write-ahead log alone, where a server was killed; without one SQLite is kept from
    making it.
    """
    path = Path(os.path.realpath(path))
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, isolation_level=None)
        try:
            return call(connection)
        finally:
            connection.close()
    except sqlite3.Error as failure:
        raise unusable(path, failure) from failure
