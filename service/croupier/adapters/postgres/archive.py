"""The journal's archive: records from before a table's last settled hand, moved once they are old.

Whoever reads a table's past reads both, as one (the view `whole_journal`); recovery and appending know the journal
alone. A move is one statement for some records of one table, and never touches what a server may still change.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import asyncpg

from croupier.adapters.postgres.connecting import connect, usable
from croupier.adapters.postgres.schema import must_be_current

LOT: Final = 2000
"""Records of one move."""

_NEXT: Final = """
SELECT journal.table_key, journal_sequence, checkpoint_sequence, recorded_time
FROM journal JOIN tables USING (table_key)
WHERE journal.table_key > $1 ORDER BY journal.table_key, journal_sequence LIMIT 1"""
_MOVE: Final = """
WITH past AS (
  DELETE FROM journal
  WHERE table_key = $1 AND journal_sequence >= $2 AND journal_sequence < $3 AND recorded_time < $4
    AND journal_sequence < (SELECT checkpoint_sequence FROM tables WHERE tables.table_key = $1)
  RETURNING *),
moved AS (INSERT INTO journal_archive SELECT * FROM past ORDER BY journal_sequence RETURNING 1)
SELECT count(*) FROM moved"""


class Moved(NamedTuple):
    """How much has been moved."""

    records: int
    tables: int


async def archive(dsn: str, before: int, progress: Callable[[Moved], None] = lambda _: None) -> Moved:
    """Move the records of settled hands from before a moment, in nanoseconds since 1970; servers may go on meanwhile.
    `progress` is told how far it is after each lot.

    It rests as long as it works, so that it takes half of what the database can do at most; stopped half-way, the rest
    is moved the next time. Raises StoreUnusable, SchemaTooNew.
    """
    with usable():
        connection = await connect(dsn)
        try:
            await must_be_current(connection)
            return await _move_all(connection, before, progress)
        finally:
            connection.terminate()


async def _move_all(
    connection: asyncpg.Connection[Any], before: int, progress: Callable[[Moved], None]
) -> Moved:
    done, key = Moved(0, 0), 0
    while (row := await connection.fetchrow(_NEXT, key)) is not None:
        key, first, checkpoint, recorded = row
        if first >= checkpoint or recorded >= before:
            continue
        moved = 0
        for start in range(first, checkpoint, LOT):
            began = time.monotonic()
            count = await connection.fetchval(_MOVE, key, start, min(start + LOT, checkpoint), before)
            moved += count
            progress(Moved(done.records + moved, done.tables + 1))
            await asyncio.sleep(time.monotonic() - began)
            if not count:
                break
        done = Moved(done.records + moved, done.tables + (moved > 0))
    return done
