"""The operator log in the file: appended with the batch, read by whoever lists it."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from croupier.adapters.sqlite.rows import write_rows
from croupier.adapters.units.operations import StagedOperations
from croupier.room.operations import LoggedOperation, Operation, OperationQuery, read
from croupier.room.row_hash import START_OF_LOG

_INSERT: Final = "INSERT INTO operations (number, method, table_id, player_id, body, hash) {rows}"
_LAST: Final = "SELECT number, hash FROM operations ORDER BY number DESC LIMIT 1"
_LISTED: Final = "SELECT number, body FROM operations WHERE {conditions} ORDER BY number DESC LIMIT ?"


class Operations(StagedOperations):
    """Stages entries, then writes what is staged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def stage(self, operation: Operation) -> None:
        if self._number < 0:
            last = self._connection.execute(_LAST).fetchone()
            self._number, self._hash = last or (0, START_OF_LOG)
        super().stage(operation)

    def write(self) -> None:
        if self._rows:
            write_rows(self._connection, _INSERT, self._rows)


def operations(connection: sqlite3.Connection, query: OperationQuery) -> list[LoggedOperation]:
    """As the port says."""
    conditions, values = ["TRUE"], list[Any]()
    for condition, value in (
        ("table_id = ?", query.table_id),
        ("player_id = ?", query.player_id),
        ("number < ?", query.before),
        ("number > ?", query.after),
    ):
        if value:
            conditions.append(condition)
            values.append(value)
    if query.methods:
        conditions.append(f"method IN ({', '.join('?' * len(query.methods))})")
        values += query.methods
    statement = _LISTED.format(conditions=" AND ".join(conditions))
    rows = connection.execute(statement, (*values, query.limit)).fetchall()
    return [LoggedOperation(number, read(body)) for number, body in rows]
