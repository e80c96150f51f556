"""The ledger as a writer sees it: accounts with their balances, sets already known, entries to append.

Balances are remembered between batches, as heads are; the update of an account's row finds it only with a balance
by which what the writer checked is true, so that a check holds even against another writer of the store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from croupier.adapters.units.unfit import Overdrawn, Unfit
from croupier.numbers import INT64_MAX
from croupier.room.accounts import guarded, owner_of
from croupier.room.ports import EntrySet, Expected
from croupier.room.row_hash import set_hash

_MOST_ACCOUNTS = 50_000


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


class StagedLedger(ABC):
    """Checks and stages entry sets; `forget` is for a batch that failed. How rows are kept is the store's."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Account] = {}
        self._last_account = self._last_entry = 0
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

    def must_hold(self, expected: Expected) -> None:
        """Raises Overdrawn where the account holds anything else."""
        account = self._account(expected.account, expected.currency)
        if account.balance != expected.balance:
            raise Overdrawn(account.name, account.balance)

    def stage(self, moves: list[Move], recorded_time: int) -> None:
        """Takes in what `check` has let pass."""
        for entry_set, holdings in moves:
            for account, balance in holdings.items():
                if not account.key:
                    self._open(account, entry_set)
                self._changed[account] = None
                account.balance = balance
            self._append(entry_set, recorded_time)

    def settle(self) -> None:
        """After the commit: what was staged is stored. Accounts that hold nothing are forgotten: most are of a transfer
        that is over, or of a seat that somebody left, and nobody posts to them again.
        """
        for account in self._changed:
            account.stored = account.balance
            if not account.balance:
                del self._known[account.name, account.currency]
        if len(self._known) > _MOST_ACCOUNTS:
            self._known = {}
        self._clear()

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and accounts are read from the store again."""
        self._known = {}
        self._clear()

    @abstractmethod
    def _has(self, entry_set_id: str) -> bool:
        """Whether the set is stored or staged."""

    @abstractmethod
    def _account(self, name: str, currency: str) -> Account:
        """The account, from now on in `_known`."""

    def _clear(self) -> None:
        self._opened: list[tuple[Any, ...]] = []
        self._changed: dict[Account, None] = {}
        self._sets: dict[str, tuple[Any, ...]] = {}
        self._entries: list[tuple[int, int, int, int]] = []

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
            set_hash(entry_set, recorded_time),
        )


def _after(account: Account, held: int, amount: int) -> int:
    """What the account holds after `amount` more, if it may."""
    balance = held + amount
    if balance < 0 and amount < 0 and account.guarded:
        raise Overdrawn(account.name, account.balance)
    if not -INT64_MAX <= balance <= INT64_MAX:
        raise Unfit(f"{account.name} would hold {balance}")
    return balance
