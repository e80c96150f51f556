"""The ledger read once: entry sets with their entries, then accounts with all that was posted to each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from croupier.room import accounts
from croupier.room.audit.anchor import LedgerAnchor, LedgerDigest
from croupier.room.audit.books import Books, StoredAccount, StoredEntry, StoredSet
from croupier.room.audit.findings import Findings
from croupier.room.audit.sets import wrong_entry, wrong_name, wrong_set

OneMore = Callable[[], None]


class LedgerRows:
    """Entry sets and entries side by side.

    `brought` says whether a table's record brought a set about, `wrong_by_log` what is wrong with an adjustment by the
    operator log, `wrong_by_answer` what is wrong with any by the lasting answers.
    """

    def __init__(
        self,
        books: Books,
        findings: Findings,
        brought: Callable[[StoredSet], bool],
        anchor: LedgerAnchor | None,
        wrong_by_log: Callable[[StoredSet, list[StoredEntry]], str],
        wrong_by_answer: Callable[[StoredSet, list[StoredEntry]], str],
    ) -> None:
        self._books = books
        self._findings = findings
        self._brought = brought
        self._anchor = anchor
        self._wrong_by_log = wrong_by_log
        self._wrong_by_answer = wrong_by_answer
        self._digest = LedgerDigest()
        self._last = 0
        self.sets = self.unhashed = 0

    def run(self, one_more: OneMore) -> LedgerAnchor:
        """Check all; where the ledger ends."""
        entries = self._books.entries()
        entry = next(entries, None)
        for kept in self._books.entry_sets():
            while entry is not None and entry.entry_id < kept.set_key:
                self._orphan(entry)
                entry = next(entries, None)
            own: list[StoredEntry] = []
            while entry is not None and _belongs(entry, kept):
                own.append(entry)
                one_more()
                entry = next(entries, None)
            self._check(kept, own)
        while entry is not None:
            self._orphan(entry)
            entry = next(entries, None)
        if self._anchor is not None and self._last < self._anchor.entry_id:
            self._findings.add(
                "anchor",
                f"the ledger ends at entry {self._last}; the anchor knows {self._anchor.entry_id}: "
                "its tail is cut off",
            )
        return LedgerAnchor(self._last, self._digest.hash)

    def _check(self, kept: StoredSet, own: list[StoredEntry]) -> None:
        self.sets += 1
        self.unhashed += kept.hash is None
        if not own:
            self._tell(kept, "has no entries")
            return
        names = [entry.account or "" for entry in own]
        wrong = wrong_set(kept, own)
        if not wrong and kept.kind == "adjustment":
            wrong = self._wrong_by_log(kept, own)
        unanswered = self._wrong_by_answer(kept, own)
        if not wrong:
            wrong = unanswered
        if wrong:
            accounts_named = ", ".join(dict.fromkeys(names))
            ids = f"{own[0].entry_id} to {own[-1].entry_id}" if len(own) > 1 else str(own[0].entry_id)
            self._tell(kept, f"{wrong} (entries {ids}, accounts {accounts_named})")
        for entry in own:
            self._count(entry)
            wrong = wrong_entry(entry, names)
            if not wrong and entry.set_key != kept.set_key:
                wrong = f"lies in this set and names another, {entry.set_key}"
            if wrong:
                self._tell_entry(entry, wrong, kept.entry_set_id)
        if kept.table_id and not self._brought(kept):
            self._tell(kept, "stands in no record of its table's journal")
        self._add(kept, own)

    def _add(self, kept: StoredSet, own: list[StoredEntry]) -> None:
        lines = [(entry.account, entry.currency, entry.amount) for entry in own]
        self._digest.add(
            kept.set_key, kept.entry_set_id, kept.kind, kept.table_id, kept.hand_id, kept.recorded_time, lines
        )
        anchor = self._anchor
        if anchor is None or not own[0].entry_id <= anchor.entry_id <= own[-1].entry_id:
            return
        if (own[-1].entry_id, self._digest.hash) != (anchor.entry_id, anchor.hash):
            self._findings.add(
                "anchor",
                f"the ledger up to entry {anchor.entry_id} is another than the one that the anchor knows",
                entry_id=anchor.entry_id,
            )

    def _count(self, entry: StoredEntry) -> None:
        if entry.entry_id != self._last + 1:
            self._tell_entry(entry, f"does not follow entry {self._last}: those between are missing")
        self._last = entry.entry_id

    def _orphan(self, entry: StoredEntry) -> None:
        self._count(entry)
        self._tell_entry(entry, f"belongs to no entry set; it names {entry.set_key}")

    def _tell(self, kept: StoredSet, what: str) -> None:
        self._findings.add(
            "ledger", what, table_id=kept.table_id, entry_set_id=kept.entry_set_id, entry_id=kept.set_key
        )

    def _tell_entry(self, entry: StoredEntry, what: str, entry_set_id: str = "") -> None:
        self._findings.add(
            "ledger",
            what,
            entry_id=entry.entry_id,
            account=entry.account or "",
            entry_set_id=entry_set_id,
        )


class AccountRows:
    """Accounts against their entries and against what tables have; `stacks` and `transfers` are by (name, currency)."""

    def __init__(self, books: Books, findings: Findings) -> None:
        self._books = books
        self._findings = findings
        self.totals: dict[str, int] = {}

    def run(
        self,
        stacks: dict[tuple[str, str], int],
        transfers: dict[tuple[str, str], int],
        compared: Callable[[str], bool],
        one_more: OneMore,
    ) -> None:
        """`compared` tells whether what a table has is known, for every table that accounts may name, and for ""
        whether all transfers are."""
        posted = _Sums(self._books.amounts())
        met: set[tuple[str, str]] = set()
        for account in self._books.accounts():
            one_more()
            self.totals[account.currency] = self.totals.get(account.currency, 0) + account.balance
            self._strays(posted, account.account_key)
            self._check(account, posted.take(account.account_key))
            key = (account.name, account.currency)
            parts = accounts.parts_of(account.name)
            if parts[0] == "stack" and len(parts) == 3 and compared(parts[1]):
                met.add(key)
                self._must_hold(account, stacks.get(key, 0), "the table has")
            elif parts[0] == "reserved" and account.balance and compared(""):
                self._must_hold(account, transfers.get(key, 0), "the tables' transfers say")
        self._strays(posted, None)
        self._must_be_met(stacks, met)
        for currency, total in sorted(self.totals.items()):
            if total:
                self._findings.add("conservation", f"all accounts in {currency} add up to {total}, not to 0")

    def _strays(self, posted: _Sums, account_key: int | None) -> None:
        for key in posted.before(account_key):
            self._findings.add("accounts", f"entries are on account number {key}, which there is not")

    def _check(self, account: StoredAccount, posted: int) -> None:
        wrong = wrong_name(account.name)
        if wrong:
            self._tell(account, wrong)
        if account.balance != posted:
            self._tell(account, f"holds {account.balance} {account.currency}; its entries add up to {posted}")
        if account.balance < 0 and accounts.guarded(account.name):
            self._tell(account, f"is below zero: {account.balance} {account.currency}")
        if not account.name.startswith("reserved/") and account.player_id != accounts.player_of(account.name):
            self._tell(account, f"is said to be player {account.player_id}'s")

    def _must_hold(self, account: StoredAccount, chips: int, who: str) -> None:
        if account.balance != chips:
            self._findings.add(
                "stacks",
                f"holds {account.balance} {account.currency}, {who} {chips}",
                account=account.name,
            )

    def _must_be_met(self, stacks: dict[tuple[str, str], int], met: Collection[tuple[str, str]]) -> None:
        for (name, currency), chips in stacks.items():
            if chips and (name, currency) not in met:
                self._findings.add(
                    "stacks", f"is no account; the table has {chips} {currency} there", account=name
                )

    def _tell(self, account: StoredAccount, what: str) -> None:
        self._findings.add("accounts", what, account=account.name)


class _Sums:
    """Sums of entries by account, from amounts in the order of accounts."""

    def __init__(self, amounts: Iterator[tuple[int, int]]) -> None:
        self._amounts = amounts
        self._next = next(amounts, None)

    def before(self, account_key: int | None) -> Iterator[int]:
        """Accounts before this one that have entries; None is behind all."""
        while self._next is not None and (account_key is None or self._next[0] < account_key):
            key = self._next[0]
            self.take(key)
            yield key

    def take(self, account_key: int) -> int:
        total = 0
        while self._next is not None and self._next[0] == account_key:
            total += self._next[1]
            self._next = next(self._amounts, None)
        return total


def _belongs(entry: StoredEntry, kept: StoredSet) -> bool:
    """Whether an entry lies within a set. Where the count is spoiled, the next set's first entry ends it."""
    begins_another = entry.entry_id == entry.set_key != kept.set_key
    return not begins_another and entry.entry_id < kept.set_key + kept.entry_count
