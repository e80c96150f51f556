"""The ledger's rows in the file: read as the writer checks, written with the batch."""

from __future__ import annotations

import sqlite3

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.units.ledger import Account, Move, StagedLedger
from croupier.adapters.units.unfit import Conflict

_OPEN = "INSERT INTO accounts (account_key, name, currency, player_id, balance) {rows}"
_BALANCE = """
UPDATE accounts SET balance = row.column3 FROM ({rows}) AS row
WHERE account_key = row.column1 AND balance = row.column2"""
_SET = """
INSERT INTO entry_sets (set_key, entry_set_id, kind, table_id, hand_id, recorded_time, entry_count,
                        hash) {rows}"""
_ENTRY = "INSERT INTO entries (entry_id, set_key, account_key, amount) {rows}"
_LAST_KEYS = """
SELECT (SELECT coalesce(max(account_key), 0) FROM accounts),
       (SELECT coalesce(max(entry_id), 0) FROM entries)"""


class Ledger(StagedLedger):
    """Checks and stages entry sets, then writes what is staged; `forget` is for a batch that failed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection
        self._keys_known = False

    def stage(self, moves: list[Move], recorded_time: int) -> None:
        if not self._keys_known:
            self._last_account, self._last_entry = self._connection.execute(_LAST_KEYS).fetchone()
            self._keys_known = True
        super().stage(moves, recorded_time)

    def forget(self) -> None:
        super().forget()
        self._keys_known = False

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
