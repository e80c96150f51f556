"""The journal as its writer sees it: each table's head, which the next record must follow.

Heads are remembered so that an append reads nothing. What makes it safe is the database: a table's row is advanced
by its owner alone, and only from the epoch, sequence and hash remembered; a record of a table that was not is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.counters import table_keys
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored
from croupier.adapters.units.chain import require_chain
from croupier.adapters.units.staging import table_of
from croupier.adapters.units.unfit import Elsewhere, Unfit
from croupier.room.ports import Record, TableRow, Unit

CREATED: Final = Part(
    "created",
    columns(
        "key bigint, table_id text, house_id text, name text, currency text, created_time bigint, epoch bigint,"
        "journal_sequence bigint, sequence bigint, hash bytea, checkpoint bigint, closed boolean"
    ),
    """
  INSERT INTO tables (table_key, table_id, house_id, name, currency, created_time, epoch,
                      last_journal_sequence, last_sequence, last_hash, checkpoint_sequence, closed, owner)
  SELECT r.key, r.table_id, r.house_id, r.name, r.currency, r.created_time, r.epoch, r.journal_sequence,
         r.sequence, r.hash, r.checkpoint, r.closed, owner.node_id
  FROM {rows} RETURNING table_key AS key""",
)
ADVANCED: Final = Part(
    "advanced",
    columns(
        "key bigint, epoch bigint, stored bigint, stored_hash bytea, journal_sequence bigint, sequence bigint,"
        "hash bytea, checkpoint bigint, closed boolean"
    ),
    """
  UPDATE tables SET last_journal_sequence = r.journal_sequence, last_sequence = r.sequence,
                    last_hash = r.hash, checkpoint_sequence = r.checkpoint, closed = r.closed
  FROM {rows}
  WHERE table_key = r.key AND tables.epoch = r.epoch AND last_journal_sequence = r.stored
    AND last_hash = r.stored_hash AND NOT tables.closed AND tables.owner = owner.node_id
  RETURNING table_key AS key""",
)
# A record of a table whose row was not advanced finds no key, and a row without one is refused.
APPENDED: Final = Part(
    "appended",
    columns(
        "key bigint, journal_sequence bigint, epoch bigint, sequence bigint, prev_hash bytea, hash bytea,"
        "recorded_time bigint, principal text, request_id text, format integer, body bytea, sealed bytea,"
        "checkpoint boolean"
    ),
    """
  INSERT INTO journal (table_key, journal_sequence, epoch, sequence, prev_hash, hash, recorded_time, principal,
                       request_id, format, body, sealed, checkpoint)
  SELECT follows.key, r.journal_sequence, r.epoch, r.sequence, r.prev_hash, r.hash, r.recorded_time,
         r.principal, r.request_id, r.format, r.body, r.sealed, r.checkpoint
  FROM {rows} LEFT JOIN {keys:created,advanced} AS follows ON follows.key = r.key""",
)
HAND_KEYS: Final = Part(
    "hand_keys_kept",
    columns("key bigint, hand_key bytea"),
    """
  INSERT INTO hand_keys (table_key, hand_key) SELECT r.key, r.hand_key FROM {rows}
  ON CONFLICT (table_key) DO UPDATE SET hand_key = excluded.hand_key RETURNING table_key AS key""",
)
_HEADS: Final = """
SELECT table_id, table_key, epoch, last_journal_sequence, last_sequence, last_hash, checkpoint_sequence, closed,
       owner
FROM tables WHERE table_id = ANY ($1::text[])"""

Row = tuple[Any, ...]


class Head:
    """A table's last record, on disk or staged; `stored` and `stored_hash` are of the last one on disk."""

    __slots__ = (
        "checkpoint",
        "closed",
        "epoch",
        "hash",
        "journal_sequence",
        "owner",
        "sequence",
        "stored",
        "stored_hash",
        "table_key",
    )

    def __init__(self, *row: Any) -> None:
        self.table_key, self.epoch, self.journal_sequence, self.sequence, self.hash = row[:5]
        self.checkpoint, self.closed, self.owner = row[5:]
        self.stored, self.stored_hash = self.journal_sequence, self.hash

    def row(self) -> Row:
        """What the table's row says once the head is on disk."""
        return self.journal_sequence, self.sequence, self.hash, self.checkpoint, self.closed


class Heads:
    """Checks and stages units; `load` first. `forget` is for a batch that failed."""

    def __init__(self, node_id: str) -> None:
        self._node_id = node_id
        self._heads: dict[str, Head] = {}
        self._last_key = 0
        self._clear()

    async def load(
        self, connection: asyncpg.Connection[Any], units: Sequence[Unit], *, new_ones_too: bool
    ) -> None:
        """Reads the heads of the units' tables that are not known; of tables to be created only if asked."""
        wanted = {
            table_id
            for unit in units
            if (unit.created is None or new_ones_too)
            and (table_id := table_of(unit))
            and table_id not in self._heads
        }
        if wanted:
            names = {stored(table_id): table_id for table_id in wanted}
            for table_id, *row in await connection.fetch(_HEADS, list(names)):
                self._heads[names[table_id]] = Head(*row)
        created = sum(unit.created is not None for unit in units)
        if created:
            self._last_key = await table_keys(connection, created)

    def check(self, table_id: str, unit: Unit) -> Head:
        """The head of the unit's table; raises Unfit where the unit's records do not follow it."""
        records = unit.records
        head = self._heads.get(table_id)
        if unit.created is not None:
            if head is not None:
                raise Unfit(f"there is a table {table_id} already")
            head = Head(0, records[0].epoch, 0, 0, records[0].prev_hash, 1, False, self._node_id)
        elif head is None:
            raise Unfit(f"there is no table {table_id}")
        elif head.closed:
            raise Unfit(f"table {table_id} is closed")
        elif head.owner != self._node_id:
            raise Elsewhere(f"table {table_id} has another owner: {head.owner or 'nobody'}")
        elif not records:
            raise Unfit(f"table {table_id} is not closed without a record")
        require_chain(head, records)
        return head

    def stage(self, head: Head, unit: Unit) -> None:
        """Takes in a unit that `check` has let pass, with the head it gave."""
        if unit.created is not None:
            self._last_key += 1
            head.table_key = self._last_key
            self._heads[unit.created.table_id] = head
            self._created[head.table_key] = (head, unit.created)
        elif head.table_key not in self._created:
            self._changed[head.table_key] = head
        for record in unit.records:
            self._append(head, record)
        if unit.hand_key is not None:
            self._hand_keys[head.table_key] = unit.hand_key
        if unit.closed:
            head.closed = True
            self._over.append(unit.closed)

    def parts(self) -> list[tuple[Part, Sequence[Row]]]:
        """What is staged."""
        created = [
            (head.table_key, *_named(row), head.epoch, *head.row()) for head, row in self._created.values()
        ]
        advanced = [
            (head.table_key, head.epoch, head.stored, head.stored_hash, *head.row())
            for head in self._changed.values()
        ]
        keys = list(self._hand_keys.items())
        return [(CREATED, created), (ADVANCED, advanced), (APPENDED, self._records), (HAND_KEYS, keys)]

    def settle(self) -> None:
        """After the commit: what was staged is stored. Heads of closed tables need not be known any more."""
        for head in (*self._changed.values(), *(head for head, _ in self._created.values())):
            head.stored, head.stored_hash = head.journal_sequence, head.hash
        for table_id in self._over:
            self.forget_table(table_id)
        self._clear()

    def forget(self) -> None:
        """After a failed commit: nothing is staged, and heads are read from the database again."""
        self._heads = {}
        self._clear()

    def forget_table(self, table_id: str) -> None:
        """Between batches: reads this table's head from the database when it is next needed."""
        self._heads.pop(table_id, None)

    def _clear(self) -> None:
        self._created: dict[int, tuple[Head, TableRow]] = {}
        self._changed: dict[int, Head] = {}
        self._over: list[str] = []
        self._hand_keys: dict[int, bytes] = {}
        self._records: list[Row] = []

    def _append(self, head: Head, record: Record) -> None:
        if record.checkpoint:
            head.checkpoint = record.journal_sequence
        row = (
            head.table_key,
            record.journal_sequence,
            record.epoch,
            record.sequence,
            record.prev_hash,
            record.hash,
            record.recorded_time,
            stored(record.principal),
            stored(record.request_id),
            record.format,
            record.body,
            record.sealed,
            record.checkpoint,
        )
        self._records.append(row)
        head.journal_sequence = record.journal_sequence
        head.sequence = record.sequence
        head.hash = record.hash


def _named(row: TableRow) -> Row:
    texts = (row.table_id, row.house_id, row.name, row.currency)
    return *map(stored, texts), row.created_time
