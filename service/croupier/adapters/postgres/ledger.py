"""The ledger's rows in the database: read before the writer checks, written with the batch.

Balances change by what is posted, whoever else posts to them; an account that would not have covered each unit in
turn, or does not hold what a unit expects, is not changed, and its entries are refused by the database. All rows of
the ledger are written after the entries have their numbers, so that one batch at a time changes balances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.counters import NUMBERED, account_keys
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored
from croupier.adapters.units.ledger import Account, Move, StagedLedger
from croupier.numbers import INT64_MAX
from croupier.room.ports import Expected, Unit

OPENED: Final = Part(
    "opened",
    columns("key bigint, name text, currency text, player_id text, balance bigint"),
    """
  INSERT INTO accounts (account_key, name, currency, player_id, balance)
  SELECT r.key, r.name, r.currency, r.player_id, r.balance FROM {rows} CROSS JOIN numbered
  RETURNING account_key AS key""",
)
BALANCED: Final = Part(
    "balanced",
    columns("key bigint, amount bigint, least bigint, most bigint"),
    """
  UPDATE accounts SET balance = balance + r.amount FROM {rows} CROSS JOIN numbered
  WHERE account_key = r.key AND balance BETWEEN r.least AND r.most RETURNING account_key AS key""",
)
# Where no row gives numbers, a set finds none, and is refused with its batch.
SETS: Final = Part(
    "sets",
    columns(
        "place bigint, entry_set_id text, kind text, table_id text, hand_id text, recorded_time bigint,"
        "entry_count integer, hash bytea"
    ),
    """
  INSERT INTO entry_sets (set_key, entry_set_id, kind, table_id, hand_id, recorded_time, entry_count, hash)
  SELECT base + r.place, r.entry_set_id, r.kind, r.table_id, r.hand_id, r.recorded_time, r.entry_count, r.hash
  FROM {rows} LEFT JOIN numbered ON true""",
)
# An entry of an account that was not changed finds no key, and a row without one is refused.
ENTERED: Final = Part(
    "entered",
    columns("place bigint, set_place bigint, account_key bigint, amount bigint"),
    """
  INSERT INTO entries (entry_id, set_key, account_key, amount)
  SELECT base + r.place, base + r.set_place, funds.key, r.amount
  FROM {rows} CROSS JOIN numbered LEFT JOIN {keys:opened,balanced} AS funds ON funds.key = r.account_key""",
)
_ACCOUNTS: Final = """
SELECT name, currency, account_key, balance
FROM unnest($1::text[], $2::text[]) AS wanted (name, currency) JOIN accounts USING (name, currency)"""
_SETS: Final = "SELECT entry_set_id FROM entry_sets WHERE entry_set_id = ANY ($1::text[])"
_KEYS_AHEAD: Final = 1000


class Ledger(StagedLedger):
    """Checks and stages entry sets; `load` first. `forget` is for a batch that failed.

    Entries are staged by their places in the batch, counting from 1. Balances that are remembered may be others than
    those stored, where other nodes post to the same accounts: what is refused by them is judged again as they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._there: set[str] = set()
        self._lowest: dict[Account, int] = {}
        """The least that each account of the batch holds after any of its sets."""
        self._exactly: set[Account] = set()
        """Accounts that must hold what they are remembered to hold."""
        self._keys_end = 0

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
        most = sum(len(one.postings) for one in sets)
        if self._keys_end - self._last_account < most:
            count = max(most, _KEYS_AHEAD)
            self._last_account = await account_keys(connection, count)
            self._keys_end = self._last_account + count

    def must_hold(self, expected: Expected) -> None:
        super().must_hold(expected)
        self._exactly.add(self._account(expected.account, expected.currency))

    def stage(self, moves: list[Move], recorded_time: int) -> None:
        for _, holdings in moves:
            for account, balance in holdings.items():
                self._lowest[account] = min(balance, self._lowest.get(account, account.stored))
        super().stage(moves, recorded_time)

    def parts(self) -> list[tuple[Part, Sequence[Sequence[Any]]]]:
        """What is staged."""
        fresh = {row[0] for row in self._opened}
        holding = {account.key: account.balance for account in self._changed}
        opened = [
            (key, stored(name), stored(currency), None if player is None else stored(player), holding[key])
            for key, name, currency, player, _ in self._opened
        ]
        balanced = [
            (account.key, account.balance - account.stored, *self._bounds(account))
            for account in self._changed
            if account.key not in fresh
        ]
        sets = [(row[0], *map(stored, row[1:5]), *row[5:]) for row in self._sets.values()]
        numbered = [(len(self._entries),)] if sets else []
        return [
            (NUMBERED, numbered),
            (OPENED, opened),
            (BALANCED, balanced),
            (SETS, sets),
            (ENTERED, self._entries),
        ]

    def _clear(self) -> None:
        super()._clear()
        self._last_entry = 0
        self._there = set()
        self._lowest = {}
        self._exactly = set()

    def _bounds(self, account: Account) -> tuple[int, int]:
        """Between what an account must hold before the batch."""
        if account in self._exactly:
            return account.stored, account.stored
        return account.stored - self._lowest[account] if account.guarded else -INT64_MAX, INT64_MAX

    def _has(self, entry_set_id: str) -> bool:
        return entry_set_id in self._sets or stored(entry_set_id) in self._there

    def _account(self, name: str, currency: str) -> Account:
        account = self._known.get((name, currency))
        if account is None:
            account = self._known[name, currency] = Account(name, currency)
        return account
