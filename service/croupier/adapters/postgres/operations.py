"""The operator log in the database: appended with the batch, read by whoever lists it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored
from croupier.adapters.units.operations import StagedOperations
from croupier.room.operations import LoggedOperation, OperationQuery, read
from croupier.room.ports import Unit
from croupier.room.row_hash import START_OF_LOG

LOGGED: Final = Part(
    "logged",
    columns("number bigint, method text, table_id text, player_id text, body bytea, hash bytea"),
    """
  INSERT INTO operations (number, method, table_id, player_id, body, hash)
  SELECT r.number, r.method, r.table_id, r.player_id, r.body, r.hash FROM {rows}""",
)
_LAST: Final = "SELECT number, hash FROM operations ORDER BY number DESC LIMIT 1"
_LISTED: Final = """
SELECT number, body FROM operations
WHERE ($1 = '' OR table_id = $1) AND ($2 = '' OR player_id = $2) AND ($3::bigint = 0 OR number < $3::bigint)
  AND (cardinality($4::text[]) = 0 OR method = ANY ($4::text[])) AND number > $6
ORDER BY number DESC LIMIT $5"""


class Operations(StagedOperations):
    """Stages entries; `load` first."""

    async def load(self, connection: asyncpg.Connection[Any], units: Iterable[Unit]) -> None:
        """Reads where the log stands, unless nothing is to be logged: another node may have gone on with it."""
        if any(unit.operation is not None for unit in units):
            last = await connection.fetchrow(_LAST)
            self._number, self._hash = (last[0], last[1]) if last else (0, START_OF_LOG)

    def parts(self) -> list[tuple[Part, Sequence[Sequence[Any]]]]:
        """What is staged."""
        return [(LOGGED, [(row[0], *map(stored, row[1:4]), *row[4:]) for row in self._rows])]


async def operations(connection: Reading, query: OperationQuery) -> list[LoggedOperation]:
    """As the port says."""
    rows = await connection.fetch(
        _LISTED,
        stored(query.table_id),
        stored(query.player_id),
        query.before,
        list(query.methods),
        query.limit,
        query.after,
    )
    return [LoggedOperation(row[0], read(row[1])) for row in rows]
