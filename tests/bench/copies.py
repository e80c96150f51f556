"""Other tables' units out of those of a table that was played: with ids, hashes and seals of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from croupier.engine.table_events import TableCreated
from croupier.engine.table_rules import TableRules
from croupier.room import codec
from croupier.room.journal import GENESIS, record_hash
from croupier.room.ports import EntrySet, Posting, Record, Unit
from croupier.room.seal import ENTROPY_BYTES, NONCE_BYTES, Seal


class Copier:
    """Makes another table's units out of those of the table that was played."""

    def __init__(self, units: Sequence[Unit], table_id: str, seal: Seal) -> None:
        mine = [unit for unit in units if _concerns(unit, table_id)]
        self._units = mine
        self._table_id = table_id
        self._seal = seal
        self._rules = _rules_of(mine[0].records[0])
        self._last_checkpoint = max(
            record.journal_sequence for unit in mine for record in unit.records if record.checkpoint
        )

    def copy(self, number: int) -> Iterator[Unit]:
        """The units of copy `number`, in order."""
        new_id = f"{number:0{len(self._table_id)}x}"
        previous = GENESIS
        for unit in self._units:
            records: list[Record] = []
            for record in unit.records:
                records.append(self._record(record, new_id, previous))
                previous = records[-1].hash
            created = unit.created
            yield Unit(
                records=tuple(records),
                entry_sets=tuple(self._entry_set(entry_set, new_id, number) for entry_set in unit.entry_sets),
                created=created and replace(created, table_id=new_id),
            )

    def _record(self, record: Record, new_id: str, previous: bytes) -> Record:
        body = record.body.replace(self._table_id.encode(), new_id.encode())
        sealed = record.sealed
        if sealed is not None and record.journal_sequence > self._last_checkpoint:
            hand_number = self._hand_number(record)
            secret = self._seal.open(record, hand_number)
            self._seal.begin(new_id, hand_number, self._rules, os.urandom(ENTROPY_BYTES))
            sealed = self._seal.close(new_id, hand_number, secret, os.urandom(NONCE_BYTES))
            self._seal.end(new_id)
        copy = replace(record, table_id=new_id, prev_hash=previous, body=body, sealed=sealed, request_id="")
        return replace(copy, hash=record_hash(copy))

    def _hand_number(self, record: Record) -> int:
        """Which hand a sealed record starts, as many as were sealed up to it."""
        records = [each for unit in self._units for each in unit.records]
        return sum(each.sealed is not None for each in records[: records.index(record) + 1])

    def _entry_set(self, entry_set: EntrySet, new_id: str, number: int) -> EntrySet:
        postings = [
            Posting(each.account.replace(self._table_id, new_id), each.amount) for each in entry_set.postings
        ]
        return replace(
            entry_set,
            entry_set_id=f"{entry_set.entry_set_id.replace(self._table_id, new_id)}/{number}",
            postings=tuple(postings),
            table_id=entry_set.table_id and new_id,
            hand_id=entry_set.hand_id.replace(self._table_id, new_id),
        )


def _concerns(unit: Unit, table_id: str) -> bool:
    """Whether a unit belongs to the table: no other was played, so all money but what came from outside does."""
    if unit.records:
        return unit.records[0].table_id == table_id
    return any(entry_set.kind != "deposit" for entry_set in unit.entry_sets)


def _rules_of(first: Record) -> TableRules:
    created = codec.decode(first.body, first.format).events[0]
    if not isinstance(created, TableCreated):
        raise TypeError("the first record creates the table")
    return created.rules
