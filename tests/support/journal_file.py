"""A dead server's journal: what its restart will find, seen without helping it (a file is read from a copy)."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from tests.support import postgres_audit
from tests.support.ledger_audit import audit
from tests.support.postgres import fetch


class Written(NamedTuple):
    """A record that answers a request: its table, and the table's sequence after it."""

    table_id: str
    sequence: int


def written(store: Path, scratch: Path) -> dict[str, Written]:
    """Every request in the journal by its id.

    Raises AssertionError where one was written twice, or where journal and ledger contradict themselves.
    """
    for part in (store, store.with_name(f"{store.name}-wal")):
        if part.exists():
            shutil.copy(part, scratch / part.name)
    copy = scratch / store.name
    audit(copy)
    connection = sqlite3.connect(copy)
    try:
        rows = connection.execute(
            "SELECT request_id, table_id, sequence FROM journal JOIN tables USING (table_key)"
            " WHERE request_id <> ''"
        ).fetchall()
    finally:
        connection.close()
    return _by_request(rows)


def written_to(dsn: str) -> dict[str, Written]:
    """The same of a PostgreSQL store."""
    query = "SELECT request_id, table_id, sequence FROM journal JOIN tables USING (table_key) WHERE request_id <> ''"
    with asyncio.Runner() as runner:
        runner.run(postgres_audit.audit(dsn))
        rows = runner.run(fetch(dsn, query))
    return _by_request(rows)


def _by_request(rows: list[tuple[Any, ...]]) -> dict[str, Written]:
    found = {row[0]: Written(*row[1:]) for row in rows}
    assert len(found) == len(rows), "a request was written twice"
    return found
