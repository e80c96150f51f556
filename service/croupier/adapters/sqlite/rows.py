"""Many rows in one statement. Knows SQLite's calls, not what the rows mean.

Each step of a statement gives the interpreter lock away and has to win it back from whatever thread took it,
which may take a switch interval; `executemany` steps once a row. One statement of many rows steps once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

_MOST_ROWS = 32
"""Each statement is kept prepared for every number of rows up to this; longer lists go in parts."""


def write_rows(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """Runs `statement`, whose "{rows}" stands for a list of row values; returns how many rows it changed."""
    changed, start = 0, 0
    while start < len(rows):
        size = min(_MOST_ROWS, len(rows) - start)
        values = tuple(chain.from_iterable(rows[start : start + size]))
        changed += connection.execute(_expanded(statement, len(rows[start]), size), values).rowcount
        start += size
    return changed


@lru_cache(maxsize=512)
def _expanded(statement: str, width: int, size: int) -> str:
    row = f"({', '.join('?' * width)})"
    return statement.replace("{rows}", f"VALUES {', '.join([row] * size)}")
