"""Reads of journal, tables and request index: each one statement, which sees one state of the database.

What is read from a table's last checkpoint on is never in the archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.text import stored, told
from croupier.room.ports import Record, RequestRecord, TableJournal, missing_record

_COLUMNS: Final = """
journal.epoch, journal_sequence, sequence, prev_hash, hash, recorded_time, principal, request_id, format,
body, sealed, checkpoint"""
_TABLES: Final = f"""
SELECT tables.table_id, tables.epoch, tables.checkpoint_sequence, tables.owner,
       tables.last_journal_sequence, tables.last_hash, tables.closed,
       (SELECT hand_key FROM hand_keys WHERE hand_keys.table_key = tables.table_key), of_table.*
FROM tables LEFT JOIN LATERAL (
    SELECT {_COLUMNS} FROM whole_journal AS journal
    WHERE journal.table_key = tables.table_key AND journal_sequence = 1
    UNION ALL
    SELECT {_COLUMNS} FROM journal
    WHERE journal.table_key = tables.table_key AND journal_sequence >= greatest(checkpoint_sequence, 2)
) AS of_table ON TRUE
WHERE {{condition}} ORDER BY tables.table_key, of_table.journal_sequence"""
_OF_TABLE: Final = 7
"""Columns before those of a record, but for the table's id."""
_OPEN: Final = _TABLES.format(condition="NOT tables.closed AND owner = $1")
_ONE: Final = _TABLES.format(condition="tables.table_id = $1")
_OURS: Final = _TABLES.format(condition="tables.table_id = ANY ($2) AND owner = $1 AND NOT closed")
# The public sequence rises with the journal's and is never greater: halved until the first record is found. Where
# to begin is looked up apart, not joined, so that the journal's key gives the records in order, and no more of them.
_RECORDS: Final = f"""
WITH RECURSIVE search (table_key, low, high) AS (
    SELECT table_key, greatest($2::bigint, $3::bigint), last_journal_sequence + 1
    FROM tables WHERE table_id = $1
    UNION ALL
    SELECT search.table_key,
           CASE WHEN journal.sequence > $2::bigint THEN low ELSE (low + high) / 2 END,
           CASE WHEN journal.sequence > $2::bigint THEN (low + high) / 2 ELSE high END
    FROM search JOIN whole_journal AS journal
      ON journal.table_key = search.table_key AND journal.journal_sequence = (low + high) / 2
    WHERE high - low > 1)
SELECT {_COLUMNS} FROM whole_journal AS journal
WHERE journal.table_key = (SELECT table_key FROM tables WHERE table_id = $1)
  AND journal.journal_sequence > (SELECT max(low) FROM search)
ORDER BY journal.journal_sequence LIMIT $4"""
_REQUEST: Final = """
SELECT digest, answer FROM requests WHERE principal = $1 AND method = $2 AND request_id = $3"""


async def table(connection: Reading, table_id: str) -> TableJournal | None:
    """The one asked for, open or closed, whosever it is."""
    found = _journals(await connection.fetch(_ONE, stored(table_id)))
    return found[0] if found else None


async def tables_of(
    connection: Reading, node_id: str, table_ids: Sequence[str] | None = None
) -> list[TableJournal]:
    """A node's open tables in the order of their keys, all or some."""
    if table_ids is None:
        return _journals(await connection.fetch(_OPEN, node_id))
    return _journals(await connection.fetch(_OURS, node_id, list(map(stored, table_ids))))


def _journals(rows: Iterable[Sequence[Any]]) -> list[TableJournal]:
    found: dict[str, tuple[Sequence[Any], list[Record]]] = {}
    for table_id, *row in rows:
        name, columns, record = told(table_id), row[:_OF_TABLE], row[_OF_TABLE:]
        records = found.setdefault(name, (columns, []))[1]
        if record[0] is not None:
            records.append(_record(name, record))
    return [_journal(name, columns, records) for name, (columns, records) in found.items()]


async def records(
    connection: Reading, table_id: str, after_sequence: int, limit: int, after_record: int
) -> list[Record]:
    """Records whose public sequence and whose journal_sequence are greater, oldest first."""
    rows = await connection.fetch(_RECORDS, stored(table_id), after_sequence, after_record, limit)
    return [_record(table_id, row) for row in rows]


async def find_request(
    connection: Reading, principal: str, method: str, request_id: str
) -> RequestRecord | None:
    key = (principal, method, request_id)
    row = await connection.fetchrow(_REQUEST, *map(stored, key))
    return RequestRecord(*key, row[0], row[1]) if row else None


def _journal(table_id: str, columns: Sequence[Any], found: list[Record]) -> TableJournal:
    epoch, checkpoint, owner, last, last_hash, closed, hand_key = columns
    first, tail = missing_record(table_id), found
    if found and found[0].journal_sequence == 1:
        first, tail = found[0], found if checkpoint <= 1 else found[1:]
    return TableJournal(
        table_id,
        first,
        tail,
        epoch,
        hand_key or b"",
        owner,
        last=last,
        last_hash=last_hash,
        closed=closed,
    )


def _record(table_id: str, row: Sequence[Any]) -> Record:
    epoch, journal_sequence, sequence, prev_hash, digest, time, principal, request_id, *rest = row
    return Record(
        table_id,
        epoch,
        journal_sequence,
        sequence,
        prev_hash,
        digest,
        time,
        told(principal),
        told(request_id),
        *rest,
    )
