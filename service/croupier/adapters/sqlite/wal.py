"""The write-ahead log's size. SQLite empties it every 16 MiB; this steps in where readers prevent that."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

CHECKPOINT_BYTES: Final = 16 * 2**20
_PATIENCE_MS: Final = 100
_PAGE_BYTES: Final = 4096


class WriteAheadLog:
    """Reads that overlap without a gap keep the log from starting over; `keep_short` then waits for a gap."""

    def __init__(self, connection: sqlite3.Connection, database: Path) -> None:
        self._connection = connection
        self._path = f"{database}-wal"
        self._bound = 4 * CHECKPOINT_BYTES
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_BYTES // _PAGE_BYTES}")
        connection.execute(f"PRAGMA journal_size_limit = {CHECKPOINT_BYTES}")

    @property
    def bytes(self) -> int:
        try:
            return os.stat(self._path).st_size
        except FileNotFoundError:
            return 0

    def keep_short(self) -> None:
        """Called by the writer between transactions; waits a tenth of a second at most."""
        if (size := self.bytes) <= self._bound:
            return
        self._connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        self._connection.execute("PRAGMA busy_timeout = 5000")
        self._bound = size + CHECKPOINT_BYTES if busy else 4 * CHECKPOINT_BYTES
