"""Numbers that all nodes draw from: one row that counts entries, accounts and tables.

Entries are numbered by the statement that writes them, which holds the row until it is durable: the order of their
numbers is the order of commits, and none becomes visible after one with a greater number. Keys of accounts and
tables only have to differ, and are drawn beforehand.
"""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.statement import Part, columns

NUMBERED: Final = Part(
    "numbered",
    columns("count bigint"),
    """
  UPDATE counters SET entries = entries + r.count FROM {rows} WHERE place = 1
  RETURNING entries - r.count AS base""",
)
_ACCOUNT_KEYS: Final = "UPDATE counters SET accounts = accounts + $1 RETURNING accounts - $1"
_TABLE_KEYS: Final = "UPDATE counters SET tables = tables + $1 RETURNING tables - $1"


async def account_keys(connection: asyncpg.Connection[Any], count: int) -> int:
    """So many keys after the returned one are the caller's."""
    before: int = await connection.fetchval(_ACCOUNT_KEYS, count)
    return before


async def table_keys(connection: asyncpg.Connection[Any], count: int) -> int:
    """So many keys after the returned one are the caller's."""
    before: int = await connection.fetchval(_TABLE_KEYS, count)
    return before
