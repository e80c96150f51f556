"""Lasting answers both ways: what a request has done has its answer, and what an answer tells of was done.

What was done is met in the operator log, in the journal and, for what moved chips between a wallet and elsewhere, in
the ledger; the log and the journal first, then all answers, then the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.room import accounts, operations
from croupier.room.audit import money
from croupier.room.audit.anchor import Anchor, AnswersAnchor, AnswersDigest
from croupier.room.audit.books import Books, StoredEntry, StoredSet
from croupier.room.audit.claims import Claims, Request
from croupier.room.audit.findings import Findings
from croupier.room.audit.kept_sets import KeptSets
from croupier.room.audit.money import answer_of
from croupier.room.audit.wallets import Wallets
from croupier.room.operations import Operation
from croupier.room.ports import Record, RequestRecord
from croupier.room.requests import effect_id
from croupier.room.row_hash import request_hash
from croupier.room.wallet_ports import VOIDED


class Answers:
    """Made for one audit over `count` answers and `entries` entries."""

    def __init__(
        self, books: Books, findings: Findings, anchor: Anchor | None, count: int, entries: int
    ) -> None:
        self._books = books
        self._findings = findings
        self._anchor = anchor
        self._claims = Claims(count)
        self._sets = KeptSets(entries)
        self._wallets = Wallets()
        self._all, self._anchored = AnswersDigest(), AnswersDigest()
        self._tables: dict[str, bool] = {}
        """Tables whose first record does not say who asked for them, and whether an anchor knows each."""
        self._others = 0
        """Answers that nothing but their entry set or their table tells of, and those that were told as findings."""
        self.looked = self.unhashed = 0

    # What was done

    def to_operator(self, number: int, operation: Operation) -> None:
        """The operator log has a request."""
        request = (operation.principal, operation.method, operation.request_id)
        log = self._anchor.operations if self._anchor is not None else None
        found = self._claim(request, anchored=log is not None and number <= log.number)
        if found is None:
            what = f"entry {number} of the operator log has no lasting answer for its request"
            self._findings.add("operations", what, request="/".join(request))
        else:
            self._compare_logged(number, operation, found)

    def to_record(
        self, record: Record, request: Request, wanted: dict[str, Any], digest: bytes | None
    ) -> None:
        """A table's record has answered a request; `wanted` is what the answer must say, `digest` what it was asked."""
        if request[1] in operations.METHODS:
            found = self._find(request)
        else:
            found = self._claim(request, anchored=self._knows(record.table_id, record.journal_sequence))
        if found is None:
            self._tell(
                record, request, "has no lasting answer: made again, it would be carried out once more"
            )
            return
        told = {"returned": wanted.get("returned")} | answer_of(found)
        for name, value in wanted.items():
            if _within(told, name) != value:
                what = f"is answered with {name} {_within(told, name)!r}, by the journal {value!r}"
                self._tell(record, request, what)
        if digest is not None and digest != found.digest:
            self._tell(record, request, "asks for something else than the journal says")

    def to_unnamed(self, record: Record) -> None:
        """A table's first record does not say who asked for the table: formats of before."""
        self._tables[record.table_id] = self._knows(record.table_id, record.journal_sequence)

    def to_void(self, record: Record, transfer_id: str, *, over: bool) -> None:
        """A transfer is taken back, or is being: it was reserved, or an answer says that it never will be."""
        request = money.reservation_of(transfer_id)
        found = self._find(request)
        if found is None and over:
            self._tell(record, request, "is not on record, though the transfer was taken back")
        elif found is not None and found.answer == VOIDED:
            self._take(found, anchored=over and self._knows(record.table_id, record.journal_sequence))

    # All answers

    def read(self, one_more: Callable[[], None], *, everything: bool) -> None:
        """Check all; `everything`: what was done is known in full."""
        last: Request | None = None
        for kept in self._books.requests():
            one_more()
            request = kept.request
            key = (request.principal, request.method, request.request_id)
            self.looked += 1
            self.unhashed += kept.hash is None
            if last is not None and key <= last:
                self._wrong(request, "stands twice, or out of its order")
            if kept.hash is not None and kept.hash != request_hash(request):
                self._wrong(request, "is not what its hash says")
            last = key
            if not (request.method in money.METHODS and self._moved(request)) and everything:
                self._must_be_done(request, key)
        if not everything:
            return
        for table_id in self._tables:
            what = "has no lasting answer: asked for again, another would be made"
            self._findings.add("requests", what, table_id=table_id, record=1)
        more = self.looked - self._others - self._claims.count
        if more:
            what = (
                f"{more} lasting answers more than what was done"
                if more > 0
                else f"{-more} of what was done have no answer of their own"
            )
            self._findings.add("requests", what)
        self._compare_anchor()

    def end(self) -> AnswersAnchor:
        """After all."""
        return self._all.end()

    # The ledger

    def wrong_set(self, kept: StoredSet, own: list[StoredEntry]) -> str:
        """What is wrong with an entry set by the answers; sets come in order."""
        wrong = self._wallets.read(kept, own)
        if kept.kind in money.ANSWERED and not self._sets.has(kept.set_key):
            return "has no lasting answer: asked for again, it would be answered as if nothing had been moved yet"
        return wrong

    def _moved(self, request: RequestRecord) -> bool:
        """Whether the answer's entry set is there."""
        found = self._books.find_set(money.set_of(request))
        if found is None or not found[1]:
            return False
        kept, entries = found
        if self._sets.has(kept.set_key):
            self._wrong(request, f"is a second answer to entry set {kept.entry_set_id}")
        self._sets.add(kept.set_key)
        self._others += 1
        self._sum(request, anchored=self._anchor is not None and kept.set_key <= self._anchor.ledger.entry_id)
        wrong = money.wrong_answer(request, kept, entries)
        if wrong:
            self._wrong(request, wrong)
        elif request.method in money.BANKED:
            told = answer_of(request)
            available = told.get("available")
            if type(available) is not int:
                self._wrong(request, "is answered without a balance")
                return True
            self._wallets.tell(kept.set_key, accounts.wallet(told["player_id"]), told["currency"], available)
        return True

    def _must_be_done(self, request: RequestRecord, key: Request) -> None:
        if self._claims.has(key):
            return
        self._others += 1
        if request.method == "CreateTable":
            table_id = _within(answer_of(request), "table.table_id")
            if table_id in self._tables:
                self._sum(request, anchored=self._tables.pop(table_id))
                return
        if request.method in operations.METHODS:
            self._wrong(request, "was answered to an operator, and is not in the operator log")
        else:
            self._wrong(request, "has an answer, and nothing that was done for it")

    def _compare_logged(self, number: int, operation: Operation, found: RequestRecord) -> None:
        """The answer against what the log says of before and after."""
        told, before, after = answer_of(found), operation.before, operation.after
        wanted: dict[str, Any] = {}
        if operation.method == "AdjustBalance" and before.wallet is not None and after.wallet is not None:
            wanted = {"before": before.wallet.available, "after": after.wallet.available}
            kept = self._books.find_set(
                effect_id(operation.principal, operation.method, operation.request_id)
            )
            if kept is not None:
                name = accounts.wallet(operation.player_id)
                self._wallets.tell(kept[0].set_key, name, after.wallet.currency, after.wallet.available)
        elif operation.method == "BlockPlayer" and after.block is not None:
            wanted = {"block.player_id": after.block.player_id, "block.kind": after.block.kind}
        elif operation.method == "ResolveTable" and before.table is not None and after.table is not None:
            wanted = {"before.state": before.table.state, "after.state": after.table.state}
        for name, value in wanted.items():
            if _within(told, name) != value:
                self._findings.add(
                    "requests",
                    f"is answered with {name} {_within(told, name)!r}, by entry {number} of the operator log {value!r}",
                    request="/".join((found.principal, found.method, found.request_id)),
                )

    def _compare_anchor(self) -> None:
        known = self._anchor.answers if self._anchor is not None else None
        if known is None:
            return
        now = self._anchored.end()
        if now != known:
            what = (
                f"the anchor knows {known.count} lasting answers; those to the same requests are {now.count} now"
                if now.count != known.count
                else "the lasting answers are others than those that the anchor knows"
            )
            self._findings.add("anchor", what)

    def _claim(self, request: Request, *, anchored: bool) -> RequestRecord | None:
        found = self._find(request)
        if found is not None:
            self._take(found, anchored=anchored)
        return found

    def _take(self, found: RequestRecord, *, anchored: bool) -> None:
        self._claims.add((found.principal, found.method, found.request_id))
        self._sum(found, anchored=anchored)

    def _sum(self, request: RequestRecord, *, anchored: bool) -> None:
        self._all.add(request)
        if anchored:
            self._anchored.add(request)

    def _find(self, request: Request) -> RequestRecord | None:
        return self._books.find_answer(*request)

    def _knows(self, table_id: str, journal_sequence: int) -> bool:
        """Whether an anchor knows the record."""
        known = self._anchor.tables.get(table_id) if self._anchor is not None else None
        return known is not None and journal_sequence <= known.record

    def _wrong(self, request: RequestRecord, what: str) -> None:
        name = "/".join((request.principal, request.method, request.request_id))
        self._findings.add("requests", what, request=name)

    def _tell(self, record: Record, request: Request, what: str) -> None:
        self._findings.add(
            "requests",
            what,
            table_id=record.table_id,
            record=record.journal_sequence,
            sequence=record.sequence,
            request="/".join(request),
        )


def _within(told: dict[str, Any], name: str) -> Any:
    """A field of an answer, by the names on the way to it."""
    value: Any = told
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
