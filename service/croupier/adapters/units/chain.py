"""Whether a unit's records follow the last record of their table. Holds no heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from croupier.adapters.units.unfit import Elsewhere, Unfit
from croupier.room.ports import Record


class LastRecord(Protocol):
    """What is remembered of a table's last record, stored or staged."""

    epoch: int
    journal_sequence: int
    sequence: int
    hash: bytes


def require_chain(head: LastRecord, records: Sequence[Record]) -> None:
    """Raises Unfit where a record does not follow the one before it, Elsewhere where it is of another epoch."""
    last, last_hash, sequence = head.journal_sequence, head.hash, head.sequence
    for record in records:
        if record.journal_sequence != last + 1 or record.sequence < sequence:
            raise Unfit(f"record {record.journal_sequence} of {record.table_id} does not follow {last}")
        if record.epoch != head.epoch:
            raise Elsewhere(f"{record.table_id} is in epoch {head.epoch}, its record in {record.epoch}")
        if record.prev_hash != last_hash:
            raise Unfit(f"record {last + 1} of {record.table_id} follows another record {last}")
        last, last_hash, sequence = record.journal_sequence, record.hash, record.sequence
