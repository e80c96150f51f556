"""The operator log of a store without a disk."""

from __future__ import annotations

from croupier.room.operations import LoggedOperation, Operation, OperationQuery


class MemoryLog:
    """Entries in order."""

    def __init__(self) -> None:
        self._entries: list[LoggedOperation] = []

    def add(self, operation: Operation) -> None:
        self._entries.append(LoggedOperation(len(self._entries) + 1, operation))

    def chosen(self, query: OperationQuery) -> list[LoggedOperation]:
        """As the port says."""
        return [
            one
            for one in reversed(self._entries)
            if query.table_id in ("", one.operation.table_id)
            and query.player_id in ("", one.operation.player_id)
            and (not query.methods or one.operation.method in query.methods)
            and (not query.before or one.number < query.before)
            and one.number > query.after
        ][: query.limit]
