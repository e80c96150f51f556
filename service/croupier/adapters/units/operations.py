"""The operator log as a writer sees it: entries numbered without a gap, each one's hash over the one before."""

from __future__ import annotations

from croupier.room.operations import Operation, written
from croupier.room.row_hash import operation_hash

Row = tuple[int, str, str, str, bytes, bytes]
"""number, method, table_id, player_id, body, hash."""


class StagedOperations:
    """Stages entries; where the log stands is read by the store, as `_number` and `_hash`."""

    def __init__(self) -> None:
        self._number = -1
        """Of the last entry, stored or staged; -1 while it has to be read."""
        self._hash = b""
        self._rows: list[Row] = []

    def stage(self, operation: Operation) -> None:
        self._number += 1
        body = written(operation)
        self._hash = operation_hash(self._hash, self._number, body)
        names = (operation.method, operation.table_id, operation.player_id)
        self._rows.append((self._number, *names, body, self._hash))

    def settle(self) -> None:
        """After the commit: what was staged is stored."""
        self._rows = []

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and the end of the log is read from the store again."""
        self._number = -1
        self._rows = []
