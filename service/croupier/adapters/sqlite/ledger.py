"""The ledger as its writer sees it: accounts with their balances, sets already known, entries to append.

Balances are remembered between batches, as heads are; the update of an account's row finds it only with the
balance that the writer remembered, so that a balance check holds even against another writer of the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.sqlite.unfit import Conflict, Overdrawn, Unfit
from croupier.room.accounts import guarded, owner_of
from croupier.room.ledger import INT64_MAX
from croupier.room.ports import EntrySet

_MOST_ACCOUNTS = 50_000

_OPEN = "INSERT INTO accounts (account_key, name, currency, player_id, balance) {rows}"
_BALANCE = """
UPDATE accounts SET balance = row.column3 FROM ({rows}) AS row
WHERE account_key = row.column1 AND balance = row.column2"""
_SET = """
INSERT INTO entry_sets (set_key, entry_set_id, kind, table_id, hand_id, recorded_time, entry_count) {rows}"""
_ENTRY = "INSERT INTO entries (entry_id, set_key, account_key, amount) {rows}"
_LAST_KEYS = """
SELECT (SELECT coalesce(max(account_key), 0) FROM accounts),
       (SELECT coalesce(max(entry_id), 0) FROM entries)"""


class Account:
    """An account in one currency; `stored` is its balance on disk, `key` is 0 until it is first posted to."""

    __slots__ = ("balance", "currency", "guarded", "key", "name", "stored")

    def __init__(self, name: str, currency: str, key: int = 0, balance: int = 0) -> None:
        self.name = name
        self.currency = currency
        self.guarded = guarded(name)
        self.key = key
        self.balance = balance
        self.stored = balance


# A set that may be written, and what each account it touches holds then.
Move = tuple[EntrySet, dict[Account, int]]


class Ledger:
    """Checks and stages entry sets, then writes what is staged; `forget` is for a batch that failed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, str], Account] = {}
        self._last_account = self._last_entry = -1
        self._clear()

    def check(self, entry_sets: Sequence[EntrySet]) -> list[Move]:
        """What the sets not yet known would do; raises Overdrawn where a guarded account lacks chips."""
        moves: list[Move] = []
        held: dict[Account, int] = {}
        for entry_set in entry_sets:
            name = entry_set.entry_set_id
            if any(name == earlier.entry_set_id for earlier, _ in moves) or self._has(name):
                continue
            change: dict[Account, int] = {}
            for posting in entry_set.postings:
                account = self._account(posting.account, entry_set.currency)
                change[account] = change.get(account, 0) + posting.amount
            for account, amount in change.items():
                held[account] = change[account] = _after(account, held.get(account, account.balance), amount)
            moves.append((entry_set, change))
        return moves

    def stage(self, moves: list[Move], recorded_time: int) -> None:
        """Takes in what `check` has let pass."""
        if self._last_entry < 0:
            self._last_account, self._last_entry = self._connection.execute(_LAST_KEYS).fetchone()
        for entry_set, holdings in moves:
            for account, balance in holdings.items():
                if not account.key:
                    self._open(account, entry_set)
                self._changed[account] = None
                account.balance = balance
            self._append(entry_set, recorded_time)

    def write(self) -> None:
        """Puts what is staged into the open transaction; raises Conflict where the file has moved on."""
        if not self._sets:
            return
        write_rows(self._connection, _OPEN, self._opened)
        rows = [(account.key, account.stored, account.balance) for account in self._changed]
        if write_rows(self._connection, _BALANCE, rows) != len(rows):
            raise Conflict("an account does not hold what it held after its last entry")
        write_rows(self._connection, _SET, list(self._sets.values()))
        write_rows(self._connection, _ENTRY, self._entries)

    def settle(self) -> None:
        """After the commit: what was staged is stored."""
        for account in self._changed:
            account.stored = account.balance
        if len(self._known) > _MOST_ACCOUNTS:
            self._known = {}
        self._clear()

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and accounts are read from the file again."""
        self._known = {}
        self._last_account = self._last_entry = -1
        self._clear()

    def _clear(self) -> None:
        self._opened: list[tuple[Any, ...]] = []
        self._changed: dict[Account, None] = {}
        self._sets: dict[str, tuple[Any, ...]] = {}
        self._entries: list[tuple[int, int, int, int]] = []

    def _has(self, entry_set_id: str) -> bool:
        if entry_set_id in self._sets:
            return True
        found = self._connection.execute("SELECT 1 FROM entry_sets WHERE entry_set_id = ?", (entry_set_id,))
        return found.fetchone() is not None

    def _account(self, name: str, currency: str) -> Account:
        account = self._known.get((name, currency))
        if account is None:
            row = self._connection.execute(
                "SELECT account_key, balance FROM accounts WHERE name = ? AND currency = ?", (name, currency)
            ).fetchone()
            account = self._known[name, currency] = Account(name, currency, *(row or ()))
        return account

    def _open(self, account: Account, entry_set: EntrySet) -> None:
        self._last_account += 1
        account.key = self._last_account
        player_id = owner_of(account.name, [posting.account for posting in entry_set.postings])
        self._opened.append((account.key, account.name, account.currency, player_id, 0))

    def _append(self, entry_set: EntrySet, recorded_time: int) -> None:
        set_key = self._last_entry + 1
        for posting in entry_set.postings:
            self._last_entry += 1
            key = self._known[posting.account, entry_set.currency].key
            self._entries.append((self._last_entry, set_key, key, posting.amount))
        self._sets[entry_set.entry_set_id] = (
            set_key,
            entry_set.entry_set_id,
            entry_set.kind,
            entry_set.table_id,
            entry_set.hand_id,
            recorded_time,
            len(entry_set.postings),
        )


def _after(account: Account, held: int, amount: int) -> int:
    """What the account holds after `amount` more, if it may."""
    balance = held + amount
    if balance < 0 and amount < 0 and account.guarded:
        raise Overdrawn(account.name, account.balance)
    if not -INT64_MAX <= balance <= INT64_MAX:
        raise Unfit(f"{account.name} would hold {balance}")
    return balance
