"""Forgers: a journal changed by somebody who also makes every hash right again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from croupier.room import codec
from croupier.room.journal import GENESIS, record_hash
from croupier.room.ports import Record

_RECORDS = """
SELECT position, table_id, journal.epoch, journal_sequence, sequence, prev_hash, hash, recorded_time, principal,
       request_id, format, body, sealed, checkpoint
FROM journal JOIN tables USING (table_key) WHERE table_id = ? ORDER BY position"""


def forge(store: Path, table_id: str, change: Callable[[codec.Body], codec.Body | None]) -> Record:
    """Put what `change` makes of the first record it changes in that one's place; the record as it was."""
    connection = sqlite3.connect(store, isolation_level=None)
    forged: Record | None = None
    last = GENESIS
    try:
        for position, *row in connection.execute(_RECORDS, (table_id,)).fetchall():
            record = Record(*row)
            content = record.body
            if forged is None:
                made = change(codec.decode(content, record.format))
                if made is not None:
                    forged = record
                    content = codec.encode(made.command, list(made.events))
            row[4], row[10] = last, content
            last = record_hash(Record(*row))
            connection.execute(
                "UPDATE journal SET prev_hash = ?, hash = ?, body = ? WHERE position = ?",
                (row[4], last, content, position),
            )
    finally:
        connection.close()
    assert forged is not None, "nothing to forge"
    return forged


def cut_tail(store: Path, table_id: str, records: int) -> int:
    """Take a table's last records away, without a trace; the journal_sequence of the last one left."""
    connection = sqlite3.connect(store, isolation_level=None)
    try:
        for _ in range(records):
            ((position, previous),) = connection.execute(
                "SELECT position, previous FROM journal JOIN tables ON position = last_position WHERE table_id = ?",
                (table_id,),
            ).fetchall()
            connection.execute("DELETE FROM journal WHERE position = ?", (position,))
            connection.execute(
                "UPDATE tables SET (last_position, last_journal_sequence, last_sequence) ="
                " (SELECT position, journal_sequence, sequence FROM journal WHERE position = ?)"
                " WHERE table_id = ?",
                (previous, table_id),
            )
        ((left,),) = connection.execute(
            "SELECT last_journal_sequence FROM tables WHERE table_id = ?", (table_id,)
        ).fetchall()
        return int(left)
    finally:
        connection.close()
