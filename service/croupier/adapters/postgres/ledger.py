"""The ledger's rows in the database: read before the writer checks, written with the batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored
from croupier.adapters.units.ledger import Account, StagedLedger
from croupier.room.ports import Unit

OPENED: Final = Part(
    "opened",
    columns("key bigint, name text, currency text, player_id text, balance bigint"),
    """
  INSERT INTO accounts (account_key, name, currency, player_id, balance)
  SELECT r.key, r.name, r.currency, r.player_id, r.balance FROM {rows} RETURNING account_key AS key""",
)
BALANCED: Final = Part(
    "balanced",
    columns("key bigint, before bigint, after bigint"),
    """
  UPDATE accounts SET balance = r.after FROM {rows}
  WHERE account_key = r.key AND balance = r.before RETURNING account_key AS key""",
)
SETS: Final = Part(
    "sets",
    columns(
        "key bigint, entry_set_id text, kind text, table_id text, hand_id text, recorded_time bigint,"
        "entry_count integer, hash bytea"
    ),
    """
  INSERT INTO entry_sets (set_key, entry_set_id, kind, table_id, hand_id, recorded_time, entry_count, hash)
  SELECT r.key, r.entry_set_id, r.kind, r.table_id, r.hand_id, r.recorded_time, r.entry_count, r.hash
  FROM {rows}""",
)
# An entry of an account that did not hold what it held before finds no key, and a row without one is refused.
ENTERED: Final = Part(
    "entered",
    columns("entry_id bigint, set_key bigint, account_key bigint, amount bigint"),
    """
  INSERT INTO entries (entry_id, set_key, account_key, amount)
  SELECT r.entry_id, r.set_key, funds.key, r.amount
  FROM {rows} LEFT JOIN {keys:opened,balanced} AS funds ON funds.key = r.account_key""",
)
_ACCOUNTS: Final = """
SELECT name, currency, account_key, balance
FROM unnest($1::text[], $2::text[]) AS wanted (name, currency) JOIN accounts USING (name, currency)"""
_SETS: Final = "SELECT entry_set_id FROM entry_sets WHERE entry_set_id = ANY ($1::text[])"
_LAST_KEYS: Final = """
SELECT (SELECT coalesce(max(account_key), 0) FROM accounts), (SELECT coalesce(max(entry_id), 0) FROM entries)"""


class Ledger(StagedLedger):
    """Checks and stages entry sets; `load` first. `forget` is for a batch that failed."""

    def __init__(self) -> None:
        super().__init__()
        self._there: set[str] = set()
        self._keys = (-1, -1)

    async def load(
        self, connection: asyncpg.Connection[Any], units: Iterable[Unit], *, known_sets: bool
    ) -> None:
        """Reads the accounts that are not known, and if asked which sets are stored.

        Sets are held to be new otherwise: one that is not is refused with its batch, which is then tried again.
        """
        sets = [entry_set for unit in units for entry_set in unit.entry_sets]
        if not sets:
            return
        wanted = {
            (posting.account, one.currency): None
            for one in sets
            for posting in one.postings
            if (posting.account, one.currency) not in self._known
        }
        if wanted:
            names = {(stored(name), stored(currency)): (name, currency) for name, currency in wanted}
            found = await connection.fetch(
                _ACCOUNTS, [name for name, _ in names], [currency for _, currency in names]
            )
            for name, currency, key, balance in found:
                whole = names[name, currency]
                self._known[whole] = Account(*whole, key, balance)
        if known_sets:
            rows = await connection.fetch(_SETS, [stored(one.entry_set_id) for one in sets])
            self._there = {row[0] for row in rows}
        if self._last_entry < 0:
            row = await connection.fetchrow(_LAST_KEYS)
            self._keys = (row[0], row[1]) if row else (0, 0)

    def parts(self) -> list[tuple[Part, Sequence[Sequence[Any]]]]:
        """What is staged."""
        fresh = {row[0] for row in self._opened}
        holding = {account.key: account.balance for account in self._changed}
        opened = [
            (key, stored(name), stored(currency), None if player is None else stored(player), holding[key])
            for key, name, currency, player, _ in self._opened
        ]
        balanced = [
            (account.key, account.stored, account.balance)
            for account in self._changed
            if account.key not in fresh
        ]
        sets = [(row[0], *map(stored, row[1:5]), *row[5:]) for row in self._sets.values()]
        return [(OPENED, opened), (BALANCED, balanced), (SETS, sets), (ENTERED, self._entries)]

    def settle(self) -> None:
        super().settle()
        self._there = set()

    def forget(self) -> None:
        super().forget()
        self._there = set()

    def _has(self, entry_set_id: str) -> bool:
        return entry_set_id in self._sets or stored(entry_set_id) in self._there

    def _account(self, name: str, currency: str) -> Account:
        account = self._known.get((name, currency))
        if account is None:
            account = self._known[name, currency] = Account(name, currency)
        return account

    def _last_keys(self) -> tuple[int, int]:
        return self._keys
