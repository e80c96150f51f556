"""A dead server's file, read from a copy: what its restart will find, seen without helping it."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

from tests.support.ledger_audit import audit


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
    found = {row[0]: Written(*row[1:]) for row in rows}
    assert len(found) == len(rows), "a request was written twice"
    return found
