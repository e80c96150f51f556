"""An anchor: where the books stood once, kept elsewhere. A chain alone cannot see that its tail was cut off.

As JSON: {"format": 1, "time": nanoseconds, "tables": {table_id: {"record", "sequence", "hash"}},
"ledger": {"entry_id", "hash"}, "operations": {"number", "hash"}}. A table's hash is its last record's, the
operator log's its last entry's; the ledger's is over all entry sets up to the entry, in hexadecimal digits all.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final

import msgspec

from croupier.room.decoding import decoded

FORMAT: Final = 1
Count = Annotated[int, msgspec.Meta(ge=0)]
START_OF_LEDGER: Final = hashlib.sha256(b"ledger").hexdigest()


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


class Anchor(msgspec.Struct, frozen=True):
    """`operations` is None in anchors older than the operator log."""

    tables: dict[str, TableAnchor]
    ledger: LedgerAnchor
    time: int = 0
    format: int = FORMAT
    operations: LogAnchor | None = None


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
