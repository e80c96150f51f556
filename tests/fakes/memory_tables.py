"""What MemoryStore keeps of a table, and the checks of a unit that look at nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.room.ports import Record, RequestRecord, TableRow, Unit


class MemoryTable(msgspec.Struct):
    row: TableRow
    epoch: int
    records: list[Record]
    closed: bool = False
    hand_key: bytes = b""
    owner: str = ""


class Unfit(Exception):
    pass


def require_chain(table: MemoryTable, records: Iterable[Record]) -> None:
    last = table.records[-1] if table.records else None
    for record in records:
        if record.epoch != table.epoch:
            raise Unfit(f"{record.table_id} is in epoch {table.epoch}")
        if record.journal_sequence != (last.journal_sequence if last else 0) + 1:
            raise Unfit(f"record {record.journal_sequence} of {record.table_id} does not follow")
        if last is not None and (record.prev_hash != last.hash or record.sequence < last.sequence):
            raise Unfit(f"record {record.journal_sequence} of {record.table_id} follows another")
        last = record


def table_of(unit: Unit) -> str:
    return unit.records[0].table_id if unit.records else unit.closed


def key_of(request: RequestRecord) -> tuple[str, str, str]:
    return request.principal, request.method, request.request_id
