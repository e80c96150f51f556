"""Reads of the ledger: each one statement, which sees one state of the database.

Entries are numbered by the statement that writes them, one such statement at a time: none becomes visible after one
with a greater number, so that who reads on after a number misses nothing.
"""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.text import stored, told
from croupier.room.accounts import parts_of
from croupier.room.ports import EntryScope, Holdings, LedgerEntry

_BALANCE: Final = "SELECT balance FROM accounts WHERE name = $1 AND currency = $2"
_BALANCES: Final = """
SELECT name, balance FROM accounts WHERE name >= $1 AND starts_with(name, $1) AND currency = $2 ORDER BY name"""
_HOLDINGS: Final = """
SELECT name, balance FROM accounts WHERE player_id = $1 AND currency = $2 AND balance <> 0"""
_IMBALANCE: Final = "SELECT currency, CAST(sum(balance) AS text) FROM accounts GROUP BY currency"
_COLUMNS: Final = """
entries.entry_id, entry_set_id, accounts.name, entries.amount, currency, kind, table_id, hand_id, recorded_time"""
_JOINED: Final = "JOIN entry_sets USING (set_key) JOIN accounts USING (account_key)"
_ALL: Final = f"""
SELECT {_COLUMNS} FROM entries {_JOINED} WHERE entry_id > $1 ORDER BY entry_id LIMIT $2"""
_KEYS: Final = """
SELECT account_key FROM accounts
WHERE name >= $1 AND starts_with(name, $1) AND ($2 = '' OR player_id = $2)"""
_KEYS_OF_PLAYER: Final = """
SELECT account_key FROM accounts WHERE player_id = $2 AND starts_with(name, $1)"""
# What each account's index gives in order is merged, and no more of each is read than asked for.
_OF_ACCOUNTS: Final = f"""
SELECT {_COLUMNS} FROM (
    SELECT of_account.* FROM unnest($1::bigint[]) AS chosen (key) CROSS JOIN LATERAL (
        SELECT entry_id, set_key, account_key, amount FROM entries {{joined}}
        WHERE account_key = chosen.key AND entry_id > $2 {{scope}} ORDER BY entry_id LIMIT $3) AS of_account
    ORDER BY entry_id LIMIT $3) AS entries {_JOINED}
ORDER BY entries.entry_id"""
# A set's key is the id of its first entry, and its entries are neighbours.
_OF_TABLE: Final = f"""
SELECT {_COLUMNS} FROM (
    SELECT * FROM entry_sets
    WHERE table_id = $1 AND table_id <> ''
      AND set_key >= coalesce((SELECT max(set_key) FROM entry_sets WHERE set_key <= $2), 0)
    ORDER BY set_key LIMIT $3::bigint + 1) AS entry_sets
JOIN entries ON entries.entry_id >= entry_sets.set_key
  AND entries.entry_id < entry_sets.set_key + entry_sets.entry_count
JOIN accounts USING (account_key)
WHERE entries.entry_id > $2 AND ($4::bigint[] IS NULL OR account_key = ANY ($4::bigint[]))
ORDER BY entries.entry_id LIMIT $3::bigint"""
_OF_TABLE_AND_ACCOUNTS: Final = f"""
SELECT {_COLUMNS} FROM entries {_JOINED}
WHERE account_key = ANY ($1::bigint[]) AND entry_id > $2 {{scope}} AND table_id = $4 ORDER BY entry_id LIMIT $3"""
_IN_SCOPE: Final = """AND CASE entry_sets.table_id
  WHEN '' THEN accounts.currency = ANY ({currencies}::text[])
  ELSE EXISTS (
    SELECT FROM tables WHERE tables.table_id = entry_sets.table_id AND house_id = ANY ({houses}::text[])) END"""
_NEWEST: Final = """
SELECT max(recorded_time) FROM (SELECT recorded_time FROM entry_sets ORDER BY set_key DESC LIMIT 1000) AS last"""

_SETS: Final = f"""
SELECT {_COLUMNS} FROM (
    SELECT * FROM entry_sets WHERE table_id = $1 AND set_key > $2 ORDER BY set_key LIMIT $3) AS entry_sets
JOIN entries ON entries.entry_id >= entry_sets.set_key
  AND entries.entry_id < entry_sets.set_key + entry_sets.entry_count
JOIN accounts USING (account_key)
ORDER BY entries.entry_id"""
_SETS_OF_TABLE: Final = _SETS.replace("WHERE", "WHERE table_id <> '' AND", 1)
_SETS_OF_NONE: Final = _SETS.replace("WHERE table_id = $1", "WHERE table_id = '' AND $1 = ''", 1)


async def balance(connection: Reading, account: str, currency: str) -> int:
    """What the account holds; 0 where nothing was ever posted to it."""
    return await connection.fetchval(_BALANCE, stored(account), stored(currency)) or 0


async def balances(connection: Reading, prefix: str, currency: str) -> list[tuple[str, int]]:
    """Accounts whose name begins with `prefix`, by name (in the order of code points)."""
    rows = await connection.fetch(_BALANCES, stored(prefix), stored(currency))
    return [(told(row[0]), row[1]) for row in rows]


async def holdings(connection: Reading, player_id: str, currency: str) -> Holdings:
    """What a player has on the way and, in order of table_id, at tables."""
    rows = await connection.fetch(_HOLDINGS, stored(player_id), stored(currency))
    named = [(parts_of(told(row[0])), row[1]) for row in rows]
    tables = sorted((parts[1], held) for parts, held in named if parts[0] == "stack")
    return Holdings(sum(held for parts, held in named if parts[0] == "reserved"), tuple(tables))


async def entries(
    connection: Reading,
    account_prefix: str,
    player_id: str,
    table_id: str,
    after: int,
    limit: int,
    scope: EntryScope | None,
) -> list[LedgerEntry]:
    """What `Store.entries` promises, by the index that fits."""
    if account_prefix or player_id:
        statement = _KEYS_OF_PLAYER if player_id else _KEYS
        found = await connection.fetch(statement, stored(account_prefix), stored(player_id))
        chosen: list[Any] = [
            [row[0] for row in found],
            after,
            limit,
            *([stored(table_id)] if table_id else []),
        ]
        statement, limits = _within(scope, _OF_TABLE_AND_ACCOUNTS if table_id else _OF_ACCOUNTS, len(chosen))
        rows = await connection.fetch(statement, *chosen, *limits)
    elif table_id:
        rows = await connection.fetch(_OF_TABLE, stored(table_id), after, limit, None)
    else:
        rows = await connection.fetch(_ALL, after, limit)
    return [_entry(row) for row in rows]


def _within(scope: EntryScope | None, statement: str, known: int) -> tuple[str, list[list[str]]]:
    """The statement with its `known` parameters, held to the scope, and what it takes for that."""
    if scope is None:
        return statement.format(joined="", scope=""), []
    condition = _IN_SCOPE.format(houses=f"${known + 1}", currencies=f"${known + 2}")
    limits = [[stored(one) for one in texts] for texts in (scope.houses, scope.currencies)]
    return statement.format(joined=_JOINED, scope=condition), limits


async def newest_time(connection: Reading) -> int:
    """As the port says."""
    return await connection.fetchval(_NEWEST) or 0


async def sets(connection: Reading, table_id: str, after: int, limit: int) -> list[LedgerEntry]:
    """The entries of so many sets that concern a table, or none (""), after entry_id `after`, oldest first."""
    statement = _SETS_OF_TABLE if table_id else _SETS_OF_NONE
    return [_entry(row) for row in await connection.fetch(statement, stored(table_id), after, limit)]


async def imbalance(connection: Reading) -> dict[str, int]:
    """Sum of all accounts by currency; the database adds without a bound."""
    rows = await connection.fetch(_IMBALANCE)
    return {told(row[0]): int(row[1]) for row in rows}


def _entry(row: asyncpg.Record) -> LedgerEntry:
    entry_id, entry_set_id, name, amount, currency, kind, table_id, hand_id, recorded_time = row
    return LedgerEntry(
        entry_id,
        told(entry_set_id),
        told(name),
        amount,
        told(currency),
        told(kind),
        told(table_id),
        told(hand_id),
        recorded_time,
    )
