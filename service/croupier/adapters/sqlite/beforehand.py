"""What a file is asked before a store is opened on it: with which master key. Nothing is made or changed."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from croupier.adapters.sqlite.schema import MARKED, format_of, unusable


def key_mark(path: Path) -> bytes:
    """The mark of the file's master key, empty where it has none yet. Raises StoreUnusable.

    It may lie in the write-ahead log alone, where a server was killed; without one SQLite is kept from making it.
    """
    path = Path(os.path.realpath(path))
    if not path.is_file() or format_of(path) < MARKED:
        return b""
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?{how}", uri=True)
        try:
            row = connection.execute("SELECT mark FROM master_key").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as failure:
        raise unusable(path, failure) from failure
    return bytes(row[0]) if row else b""
