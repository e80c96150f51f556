"""Numbers that all nodes draw from: one row that counts entries, accounts and tables.

Entries are numbered by the statement that writes them, which holds the row until it is durable: the order of their
numbers is the order of commits, and none becomes visible after one with a greater number. Keys of accounts and
tables only have to differ, and are drawn beforehand.
"""

from __future__ import annotations

from typing import Any, Final

import asyncpg
import structlog

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


# Numbers drawn meanwhile are greater still: the row is locked while they are given.
_MENDED: Final = """
WITH newest AS (
  SELECT (SELECT coalesce(max(entry_id), 0) FROM entries) AS entries,
         (SELECT coalesce(max(account_key), 0) FROM accounts) AS accounts,
         (SELECT coalesce(max(table_key), 0) FROM tables) AS tables),
made AS (
  INSERT INTO counters SELECT 1, entries, accounts, tables FROM newest
  WHERE NOT EXISTS (SELECT FROM counters) ON CONFLICT (place) DO NOTHING RETURNING 'made anew' AS what),
raised AS (
  UPDATE counters SET entries = greatest(counters.entries, newest.entries),
    accounts = greatest(counters.accounts, newest.accounts), tables = greatest(counters.tables, newest.tables)
  FROM newest
  WHERE counters.entries < newest.entries OR counters.accounts < newest.accounts OR counters.tables < newest.tables
  RETURNING 'raised' AS what)
SELECT what FROM made UNION ALL SELECT what FROM raised"""


async def mend(connection: asyncpg.Connection[Any]) -> None:
    """Bring the counters up to what was numbered, and log it, where their row is behind or missing.

    Else the database would refuse what is numbered again. Whoever writes meanwhile goes on.
    """
    done = await connection.fetchval(_MENDED)
    if done is not None:
        structlog.get_logger().warning(
            "counters_mended",
            what=f"the row of counters was behind what it counts, or missing, and was {done}",
            todo="find out who changed the database behind its servers, and run croupier audit",
        )


async def account_keys(connection: asyncpg.Connection[Any], count: int) -> int:
    """So many keys after the returned one are the caller's."""
    before: int = await connection.fetchval(_ACCOUNT_KEYS, count)
    return before


async def table_keys(connection: asyncpg.Connection[Any], count: int) -> int:
    """So many keys after the returned one are the caller's."""
    before: int = await connection.fetchval(_TABLE_KEYS, count)
    return before
