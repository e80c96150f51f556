"""The operator log read once: its chain, and that what it tells of was done. What was done unlogged, others ask it."""

from __future__ import annotations

import msgspec

from croupier.room import accounts
from croupier.room.audit.anchor import LogAnchor
from croupier.room.audit.answers import Answers
from croupier.room.audit.books import Books, StoredEntry, StoredOperation, StoredSet
from croupier.room.audit.findings import Findings
from croupier.room.operations import Operation, read
from croupier.room.requests import effect_id
from croupier.room.row_hash import START_OF_LOG, operation_hash

Request = tuple[str, str, str]
"""Principal, method, request_id."""


class OperatorLog:
    """Kept whole in memory: it holds what people did by hand."""

    def __init__(self, books: Books, findings: Findings, anchor: LogAnchor | None, answers: Answers) -> None:
        self._books = books
        self._findings = findings
        self._anchor = anchor
        self._answers = answers
        self._last = 0
        self._hash = START_OF_LOG
        self._requests: set[Request] = set()
        self._adjustments: dict[str, tuple[int, Operation]] = {}
        """By entry set: those not met yet, with their numbers."""

    def read(self) -> LogAnchor:
        """Check all entries; where the log ends."""
        for kept in self._books.operations():
            self._read(kept)
        anchor = self._anchor
        if anchor is not None and self._last < anchor.number:
            self._findings.add(
                "anchor",
                f"the operator log ends at entry {self._last}; the anchor knows {anchor.number}: its tail is cut off",
            )
        return LogAnchor(self._last, self._hash.hex())

    def has(self, request: Request) -> bool:
        """Whether a request is in the log."""
        return request in self._requests

    def wrong(self, kept: StoredSet, own: list[StoredEntry]) -> str:
        """What is wrong with a ledger's adjustment by the log, or nothing; each may be met once."""
        logged = self._adjustments.pop(kept.entry_set_id, None)
        if logged is None:
            return "corrects a wallet, and is not in the operator log"
        operation = logged[1]
        before, after = operation.before.wallet, operation.after.wallet
        if before is None or after is None:
            return "corrects a wallet, and the operator log tells of none"
        wallet = accounts.wallet(operation.player_id)
        wanted = (wallet, after.currency, after.available - before.available)
        moved = [(entry.account, entry.currency, entry.amount) for entry in own]
        return "" if wanted in moved else "corrects a wallet otherwise than the operator log says"

    def end(self) -> None:
        """After the ledger: every correction must have been met."""
        for entry_set_id, (number, _) in self._adjustments.items():
            self._tell(number, f"tells of a correction that is not in the ledger: {entry_set_id}")

    def _read(self, kept: StoredOperation) -> None:
        if kept.number != self._last + 1:
            self._tell(kept.number, f"does not follow entry {self._last}")
        self._last = kept.number
        self._hash = operation_hash(self._hash, kept.number, kept.body)
        if self._hash != kept.hash:
            self._tell(kept.number, "is not what its hash says, or follows another entry")
            self._hash = kept.hash
        anchor = self._anchor
        if anchor is not None and kept.number == anchor.number and kept.hash.hex() != anchor.hash:
            self._findings.add(
                "anchor",
                f"entry {kept.number} of the operator log is another than the one that the anchor knows",
            )
        try:
            operation = read(kept.body)
        except (msgspec.DecodeError, UnicodeDecodeError) as failure:
            self._tell(kept.number, f"cannot be read: {failure}")
            return
        if (operation.method, operation.table_id, operation.player_id) != (
            kept.method,
            kept.table_id,
            kept.player_id,
        ):
            self._tell(kept.number, "is listed for another method, table or player than it tells of")
        self._take(kept.number, operation)

    def _take(self, number: int, operation: Operation) -> None:
        request = (operation.principal, operation.method, operation.request_id)
        self._requests.add(request)
        self._answers.to_operator(number, operation)
        if operation.method == "AdjustBalance":
            self._adjustments[effect_id(*request)] = (number, operation)

    def _tell(self, number: int, what: str) -> None:
        self._findings.add("operations", f"entry {number} of the operator log {what}")
