"""What a check has found wrong, in words. Looks for nothing itself."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Kind(StrEnum):
    """How a history is wrong."""

    LOST = "lost"
    """Acknowledged or told, but not there."""
    DOUBLED = "doubled"
    """There more often than it was asked for."""
    INVENTED = "invented"
    """There, though nobody asked for it, or it was refused."""
    REORDERED = "reordered"
    """There, but elsewhere than it was told, or before what was over when it began."""
    ALTERED = "altered"
    """There, but other than it was asked for or told."""
    STALE = "stale"
    """A read that does not know of what was acknowledged before it began."""


_ADVICE: Final = {
    Kind.LOST: "See with `croupier audit` whether the store has it, and restore if not",
    Kind.DOUBLED: "See with `croupier audit` which of them the store has; `ListEntries` tells who was paid twice",
    Kind.INVENTED: "Unless somebody else used the table, see in the operator's log and the journal who did this",
    Kind.REORDERED: "See in the journal, by `croupier audit`, which order was written",
    Kind.ALTERED: "Compare the journal with what this client was told; `--history FILE` keeps the latter",
    Kind.STALE: "See whether more than one server answers at this address",
}


class Finding(NamedTuple):
    """`sequence` and `request_id` are 0 and empty where there is none."""

    kind: Kind
    table_id: str
    sequence: int
    request_id: str
    what: str

    def __str__(self) -> str:
        at = f" at sequence {self.sequence}" if self.sequence else ""
        request = f", request {self.request_id}" if self.request_id else ""
        table = f"table {self.table_id}" if self.table_id else "wallets"
        return f"{self.kind.upper()} {table}{at}{request}: {self.what}. {_ADVICE[self.kind]}"
