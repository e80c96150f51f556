"""The ways a call can fail beside a refusal by the rules; adapters turn each into its documented status."""

from __future__ import annotations

from typing import Final

MOVING_MS: Final = 100
"""After which a call is worth repeating whose table has no server for the moment."""


class Refusal(Exception):
    """Raised when a call is refused: `reason` is a name from ErrorReason, `facts` its metadata."""

    def __init__(self, reason: str, **facts: int | str) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.facts: Final = facts


class JournalDamaged(Refusal):
    """Raised where a record of a table's journal is not what was stored there, or is missing."""

    def __init__(self, table_id: str, what: str) -> None:
        super().__init__("JOURNAL_DAMAGED", table_id=table_id)
        self.what: Final = what

    def __str__(self) -> str:
        return self.what

    def __repr__(self) -> str:
        return f"JournalDamaged({self.what!r})"


class StoreAway(Exception):
    """Raised when what a call did, or depends on, could not be made durable; the same request may be repeated."""


class ServerSilent(Exception):
    """Raised when another server that has to be asked does not answer; the same request may be repeated."""


class TableHalted(Exception):
    """Raised for every call to a table whose invariants broke; its chips stay where the journal says.

    `reason` is INVARIANT_VIOLATED for the call that found it out, TABLE_HALTED for those after it.
    """

    def __init__(self, table_id: str, reason: str = "TABLE_HALTED") -> None:
        super().__init__(f"table {table_id} is halted")
        self.table_id: Final = table_id
        self.reason: Final = reason


def moving(table_id: str) -> Refusal:
    """The refusal of a call whose table has no server, for the moment, that answers in time."""
    return Refusal("TABLE_MOVING", table_id=table_id, retry_after_ms=MOVING_MS)
