"""An anchor: where the books stood once, kept elsewhere. A chain alone cannot see that its tail was cut off.

As JSON: {"format": 1, "time": nanoseconds, "tables": {table_id: {"record", "sequence", "hash"}},
"ledger": {"entry_id", "hash"}, "operations": {"number", "hash"}, "answers": {"count", "hash"}}. A table's hash is its
last record's, the operator log's its last entry's; the ledger's is over all entry sets up to the entry, that of the
lasting answers over all that were given to what the other parts know of; in hexadecimal digits all.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final

import msgspec

from croupier.room.decoding import decoded
from croupier.room.ports import RequestRecord

FORMAT: Final = 1
Count = Annotated[int, msgspec.Meta(ge=0)]
START_OF_LEDGER: Final = hashlib.sha256(b"ledger").hexdigest()
_SUMMED: Final = 256


class AnchorError(ValueError):
    """Raised for a file that is no anchor."""


class TableAnchor(msgspec.Struct, frozen=True):
    """The last record of a table's journal."""

    record: Count
    sequence: Count
    hash: str


class LedgerAnchor(msgspec.Struct, frozen=True):
    """The last entry, and a hash over all entry sets up to it."""

    entry_id: Count
    hash: str


class LogAnchor(msgspec.Struct, frozen=True):
    """The last entry of the operator log."""

    number: Count
    hash: str


class AnswersAnchor(msgspec.Struct, frozen=True):
    """How many requests had their lasting answer, and a hash over the answers, whatever their order."""

    count: Count
    hash: str


class Anchor(msgspec.Struct, frozen=True):
    """`operations` is None in anchors older than the operator log, `answers` in those that bind no answers."""

    tables: dict[str, TableAnchor]
    ledger: LedgerAnchor
    time: int = 0
    format: int = FORMAT
    operations: LogAnchor | None = None
    answers: AnswersAnchor | None = None


def read(text: bytes) -> Anchor:
    """Raises AnchorError."""
    try:
        anchor = decoded(msgspec.json.Decoder(Anchor).decode, text)
    except msgspec.DecodeError as failure:
        raise AnchorError(str(failure)) from None
    if anchor.format != FORMAT:
        raise AnchorError(f"its format is {anchor.format}; this version of croupier reads {FORMAT}")
    return anchor


def written(anchor: Anchor) -> bytes:
    return msgspec.json.format(msgspec.json.encode(anchor), indent=1) + b"\n"


class LedgerDigest:
    """A hash over entry sets, one after the other."""

    def __init__(self) -> None:
        self.hash = START_OF_LEDGER

    def add(self, *content: Any) -> None:
        text = msgspec.msgpack.encode((self.hash, *content))
        self.hash = hashlib.sha256(text).hexdigest()


class AnswersDigest:
    """A hash over lasting answers in any order: the sum of what SHAKE-256 makes of each.

    At 2,048 bits nobody finds other answers that come to the same sum.
    """

    def __init__(self) -> None:
        self._count = self._sum = 0

    def add(self, request: RequestRecord) -> None:
        text = msgspec.msgpack.encode(
            (request.principal, request.method, request.request_id, request.digest, request.answer)
        )
        self._count += 1
        self._sum += int.from_bytes(hashlib.shake_256(text).digest(_SUMMED))

    def end(self) -> AnswersAnchor:
        total = self._sum % (1 << 8 * _SUMMED)
        return AnswersAnchor(self._count, hashlib.sha256(total.to_bytes(_SUMMED)).hexdigest())
