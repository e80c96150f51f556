"""Reads of the ledger. Read-only, in short transactions, in whatever thread calls."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, Final

from croupier.room.accounts import parts_of
from croupier.room.ports import EntryScope, Holdings, LedgerEntry

_ENTRIES: Final = """
SELECT entry_id, entry_set_id, accounts.name, amount, currency, kind, table_id, hand_id, recorded_time
FROM {source} CROSS JOIN accounts USING (account_key)
WHERE {condition} ORDER BY entry_id LIMIT :limit"""
_IN_SCOPE: Final = """
  AND CASE entry_sets.table_id
    WHEN '' THEN accounts.currency IN (SELECT value FROM json_each(:currencies))
    ELSE EXISTS (SELECT 1 FROM tables WHERE tables.table_id = entry_sets.table_id
                 AND house_id IN (SELECT value FROM json_each(:houses))) END"""
_OF_ACCOUNTS: Final = _ENTRIES.format(
    source="entries INDEXED BY entries_by_account CROSS JOIN entry_sets USING (set_key)",
    condition="""account_key IN (SELECT value FROM json_each(:accounts)) AND entry_id > :after
  AND :table_id IN ('', table_id) {scope}""",
)
_OF_ACCOUNT: Final = """
SELECT entry_id FROM entries INDEXED BY entries_by_account {joined}
WHERE account_key = {key} AND entry_id > :after {scope}"""
_JOINED: Final = "CROSS JOIN entry_sets USING (set_key) CROSS JOIN accounts USING (account_key)"
_SCANNED: Final = _ENTRIES.format(
    source="entries NOT INDEXED CROSS JOIN entry_sets USING (set_key)",
    condition="""entry_id > :after
  AND (:accounts = '' OR account_key IN (SELECT value FROM json_each(:accounts))) {scope}""",
)
# A set's key is the id of its first entry, and its entries are neighbours.
_OF_TABLE: Final = _ENTRIES.format(
    source="""(
    SELECT * FROM entry_sets
    WHERE table_id = :table_id AND table_id <> ''
      AND set_key >= coalesce((SELECT max(set_key) FROM entry_sets WHERE set_key <= :after), 0)
    ORDER BY set_key LIMIT :limit + 1) AS sets CROSS JOIN entries""",
    condition="entry_id >= max(sets.set_key, :after + 1) AND entry_id < sets.set_key + entry_count",
)
_NEWEST: Final = """
SELECT max(recorded_time) FROM (SELECT recorded_time FROM entry_sets ORDER BY set_key DESC LIMIT 1000)"""
# Up to the first, what each account's index gives in order is merged, and no more is read than asked for. Above
# the second, a scan in order that stops at the limit beats sorting what the index gives.
_FEW_ACCOUNTS: Final = 64
_MANY_ACCOUNTS: Final = 1000


@dataclass(frozen=True, slots=True)
class EntryQuery:
    """What `Store.entries` is asked for."""

    account_prefix: str
    player_id: str
    table_id: str
    after: int
    limit: int
    scope: EntryScope | None = None


def balance(connection: sqlite3.Connection, account: str, currency: str) -> int:
    """What the account holds; 0 where nothing was ever posted to it."""
    row = connection.execute(
        "SELECT balance FROM accounts WHERE name = ? AND currency = ?", (account, currency)
    ).fetchone()
    return int(row[0]) if row else 0


def balances(connection: sqlite3.Connection, prefix: str, currency: str) -> list[tuple[str, int]]:
    """Accounts whose name begins with `prefix`, by name (in the order of code points)."""
    return [
        (name, held) for _, name, held_in, held in _accounts_from(connection, prefix) if held_in == currency
    ]


def holdings(connection: sqlite3.Connection, player_id: str, currency: str) -> Holdings:
    """What a player has on the way and, in order of table_id, at tables."""
    rows = connection.execute(
        "SELECT name, balance FROM accounts WHERE player_id = ? AND currency = ? AND balance <> 0",
        (player_id, currency),
    ).fetchall()
    named = [(parts_of(name), held) for name, held in rows]
    tables = sorted((parts[1], held) for parts, held in named if parts[0] == "stack")
    return Holdings(sum(held for parts, held in named if parts[0] == "reserved"), tuple(tables))


def entries(connection: sqlite3.Connection, query: EntryQuery) -> list[LedgerEntry]:
    """What `Store.entries` promises, by the index that fits."""
    values: dict[str, Any] = {
        "accounts": "",
        "table_id": query.table_id,
        "after": query.after,
        "limit": query.limit,
    }
    scoped = query.scope is not None
    if query.scope is not None:
        values["houses"] = json.dumps(query.scope.houses)
        values["currencies"] = json.dumps(query.scope.currencies)
    statement = _OF_TABLE if query.table_id else _SCANNED
    if query.account_prefix or query.player_id:
        keys = _account_keys(connection, query.account_prefix, query.player_id)
        values["accounts"] = json.dumps(keys)
        if not keys:
            return []
        if query.table_id or _FEW_ACCOUNTS < len(keys) <= _MANY_ACCOUNTS:
            statement = _OF_ACCOUNTS
        elif len(keys) <= _FEW_ACCOUNTS:
            statement = _merged(keys, scoped=scoped)
    statement = statement.format(scope=_IN_SCOPE if scoped else "")
    return [LedgerEntry(*row) for row in connection.execute(statement, values).fetchall()]


def newest_time(connection: sqlite3.Connection) -> int:
    """As the port says."""
    return int(connection.execute(_NEWEST).fetchone()[0] or 0)


def _merged(account_keys: list[int], *, scoped: bool) -> str:
    joined, scope = (_JOINED, _IN_SCOPE) if scoped else ("", "")
    each = " UNION ALL ".join(_OF_ACCOUNT.format(key=key, joined=joined, scope=scope) for key in account_keys)
    return _ENTRIES.format(
        source=f"""({each} ORDER BY entry_id LIMIT :limit) AS found
    CROSS JOIN entries USING (entry_id) CROSS JOIN entry_sets USING (set_key)""",
        condition="TRUE",
    )


def imbalance(connection: sqlite3.Connection) -> dict[str, int]:
    """Sum of all accounts by currency, in two halves so that no partial sum can overflow."""
    rows = connection.execute(
        "SELECT currency, sum(balance >> 32), sum(balance & 4294967295) FROM accounts GROUP BY currency"
    ).fetchall()
    return {currency: (high << 32) + low for currency, high, low in rows}


def _account_keys(connection: sqlite3.Connection, prefix: str, player_id: str) -> list[int]:
    if not player_id:
        return [row[0] for row in _accounts_from(connection, prefix)]
    rows = connection.execute(
        "SELECT account_key, name FROM accounts WHERE player_id = ?", (player_id,)
    ).fetchall()
    return [key for key, name in rows if name.startswith(prefix)]


def _accounts_from(connection: sqlite3.Connection, prefix: str) -> list[tuple[int, str, str, int]]:
    """Key, name, currency and balance; no upper bound in SQL, since not every text has a next one."""
    found: list[tuple[int, str, str, int]] = []
    cursor = connection.execute(
        "SELECT account_key, name, currency, balance FROM accounts WHERE name >= ? ORDER BY name, currency",
        (prefix,),
    )
    for row in cursor:
        if not row[1].startswith(prefix):
            break
        found.append(row)
    cursor.close()
    return found
