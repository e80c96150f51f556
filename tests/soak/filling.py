"""Rows of a journal that nobody played, as large as those of tables that did; no chain of hashes holds them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.support.postgres import execute, fetch

from croupier.adapters.sqlite.schema import MARK_EVERY

BODY_BYTES: Final = 150
RECORDS_A_HAND: Final = 10
RECORDS_A_TABLE: Final = 10_000
LONG: Final = 1_000_000
"""Records of one table, which has lived long; it comes before the others."""
NEWER_NS: Final = 2_000
"""Rows that are filled in are older, but for the last hand of each table."""
_OLD: Final = 1_000
_LOT: Final = 1_000_000

# Tables play beside each other: one record each in turn. The last record of a hand is a checkpoint.
_SQLITE: Final = f"""
WITH RECURSIVE numbers (n) AS (SELECT :first UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :last)
INSERT INTO journal
SELECT :base + n, :key + n % :tables, CASE WHEN n < :tables THEN 0 ELSE :base + n - :tables END, 1,
       n / :tables + 1, n / :tables + 1, zeroblob(32), zeroblob(32), {_OLD}, 'backend', hex(randomblob(16)), 1,
       randomblob({BODY_BYTES}), NULL, (n / :tables + 1) % {RECORDS_A_HAND} = 0
FROM numbers"""
_SQLITE_MARKS: Final = f"""
INSERT INTO marks SELECT table_key, sequence, journal_sequence, position FROM journal
WHERE position >= :base AND journal_sequence % {MARK_EVERY} = 0"""
_SQLITE_TABLES: Final = """
INSERT INTO tables
SELECT table_key, 'filled-' || table_key, 'house', '', 'PoE', 1, 1, :records, :records, max(position), min(position),
       max(CASE WHEN checkpoint THEN position END), 1
FROM journal WHERE position >= :base GROUP BY table_key"""
_POSTGRES: Final = f"""
INSERT INTO journal
SELECT $4 + n % $3, n / $3 + 1, 1, n / $3 + 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), {_OLD},
       'backend', md5(n::text), 1, decode(left(repeat(md5((n * 7)::text), 10), {2 * BODY_BYTES}), 'hex'), NULL,
       (n / $3 + 1) % {RECORDS_A_HAND} = 0
FROM generate_series($1::bigint, $2::bigint - 1) AS numbers (n)"""
_POSTGRES_TABLES: Final = """
INSERT INTO tables (table_key, table_id, house_id, name, currency, created_time, epoch, last_journal_sequence,
                    last_sequence, last_hash, checkpoint_sequence, closed)
SELECT key, 'filled-' || key, 'house', '', 'PoE', 1, 1, $3, $3, decode(repeat('00', 32), 'hex'), $3, true
FROM generate_series($1::bigint, $2::bigint - 1) AS keys (key)"""
_SIZES: Final = """
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relname IN ('journal', 'journal_archive') AND relkind = 'r' ORDER BY relname"""
_FIRST_KEY: Final = 1_000_000


def fill_sqlite(path: Path, rows: int) -> tuple[list[str], str]:
    """The ids of tables with lives of RECORDS_A_TABLE records, and of the one that has LONG."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        (base,) = connection.execute("SELECT coalesce(max(position), 0) + 1 FROM journal").fetchone()
        long = _fill_sqlite(connection, base, _FIRST_KEY, 1, LONG)
        tables = max(1, (rows - LONG) // RECORDS_A_TABLE)
        short = _fill_sqlite(connection, base + LONG, _FIRST_KEY + 1, tables, RECORDS_A_TABLE)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return short, long[0]


def _fill_sqlite(connection: sqlite3.Connection, base: int, key: int, tables: int, records: int) -> list[str]:
    rows = tables * records
    values = {"base": base, "key": key, "tables": tables, "records": records}
    connection.execute("PRAGMA foreign_keys = OFF")
    for first in range(0, rows, _LOT):
        connection.execute(_SQLITE, {**values, "first": first, "last": min(rows, first + _LOT)})
    connection.execute(_SQLITE_MARKS, {"base": base})
    connection.execute(_SQLITE_TABLES, {"base": base, "records": records})
    return [f"filled-{number}" for number in range(key, key + tables)]


async def fill_postgres(dsn: str, rows: int) -> tuple[list[str], str]:
    """As `fill_sqlite`."""
    long = await _fill_postgres(dsn, _FIRST_KEY, 1, LONG)
    tables = max(1, (rows - LONG) // RECORDS_A_TABLE)
    short = await _fill_postgres(dsn, _FIRST_KEY + 1, tables, RECORDS_A_TABLE)
    await execute(dsn, "VACUUM ANALYZE journal", "VACUUM ANALYZE tables", "CHECKPOINT")
    return short, long[0]


async def _fill_postgres(dsn: str, key: int, tables: int, records: int) -> list[str]:
    rows = tables * records
    for first in range(0, rows, _LOT):
        await fetch(dsn, _POSTGRES, first, min(rows, first + _LOT), tables, key)
    await fetch(dsn, _POSTGRES_TABLES, key, key + tables, records)
    return [f"filled-{number}" for number in range(key, key + tables)]


async def sizes(dsn: str) -> str:
    """What journal and archive take, in words."""
    told = await fetch(dsn, _SIZES)
    return ", ".join(
        f"{name} {table / 1e9:.2f} GB and indexes of {index / 1e9:.2f} GB" for name, table, index in told
    )
