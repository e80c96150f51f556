"""What a read of the journal costs in PostgreSQL: as many rows as it returns, however long journal and archive are."""

from __future__ import annotations

import pytest
from tests.support.postgres import empty_database, execute, fetch

from croupier.adapters.postgres import PostgresStore
from croupier.adapters.postgres.reader import _RECORDS

TABLES = 5
RECORDS = 4000

FILL = (
    f"""
INSERT INTO tables (table_key, table_id, house_id, name, currency, created_time, epoch, last_journal_sequence,
                    last_sequence, last_hash, checkpoint_sequence, closed)
SELECT key, 'table ' || key, 'h', '', 'PoE', 0, 1, {RECORDS}, {RECORDS}, '', 1, false
FROM generate_series(1, {TABLES}) AS key""",
    f"""
INSERT INTO journal (table_key, journal_sequence, epoch, sequence, prev_hash, hash, recorded_time, principal,
                     request_id, format, body, sealed, checkpoint)
SELECT key, number, 1, number, '', '', 0, '', '', 1, decode(repeat('00', 300), 'hex'), NULL, false
FROM generate_series(1, {TABLES}) AS key, generate_series(1, {RECORDS}) AS number""",
    "ANALYZE tables",
    "ANALYZE journal",
)
ARCHIVE = (
    f"INSERT INTO journal_archive SELECT * FROM journal WHERE journal_sequence <= {RECORDS // 2 + 10}",
    f"DELETE FROM journal WHERE journal_sequence <= {RECORDS // 2 + 10}",
    "ANALYZE journal",
    "ANALYZE journal_archive",
)


@pytest.mark.parametrize("archived", [False, True])
async def test_a_read_touches_no_records_but_its_own(archived: bool) -> None:
    async with empty_database() as dsn:
        store = await PostgresStore.open(dsn)
        try:
            await execute(dsn, *FILL, *(ARCHIVE if archived else ()))
            for after in (0, RECORDS // 2, RECORDS - 30):
                found = await store.records("table 3", after, 30)
                assert [record.sequence for record in found] == list(range(after + 1, after + 31))
                statement = _RECORDS
                for place, value in enumerate(("'table 3'", str(after), "0", "30"), start=1):
                    statement = statement.replace(f"${place}", value)
                plan = [str(row[0]) for row in await fetch(dsn, f"EXPLAIN {statement}")]
                assert not [line for line in plan if "Sort  (" in line or "Seq Scan on journal" in line], plan
            assert await store.records("table 9", 0, 30) == []
        finally:
            await store.close()
