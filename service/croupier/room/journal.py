"""A table's chain of records: numbering and hashing what is about to be stored, checking what was."""

from __future__ import annotations

import hashlib
import struct
from itertools import pairwise
from typing import Final

from msgspec.structs import force_setattr

from croupier.engine import table_events as tev
from croupier.room import codec
from croupier.room.failures import JournalDamaged
from croupier.room.ports import Record

GENESIS: Final = b"\0" * 32
_NUMBERS: Final = struct.Struct("<8q").pack


class Chain:
    """The head of one table's journal, stored or on its way there."""

    __slots__ = ("epoch", "hash", "journal_sequence", "sequence", "table_id")

    def __init__(self, table_id: str, epoch: int = 1) -> None:
        self.table_id = table_id
        self.epoch = epoch
        self.journal_sequence = 0
        self.sequence = 0
        self.hash = GENESIS

    def follow(self, record: Record) -> None:
        """Stand after a stored record, whose body was read. Raises JournalDamaged where it is not the next.

        After a table's first record its last checkpoint may come.
        """
        leap = record.checkpoint and self.journal_sequence == 1
        if not leap and (record.journal_sequence, record.prev_hash) != (self.journal_sequence + 1, self.hash):
            what = f"record {record.journal_sequence} does not follow record {self.journal_sequence}"
            raise JournalDamaged(self.table_id, what)
        self.epoch = record.epoch
        self.journal_sequence = record.journal_sequence
        self.sequence = record.sequence
        self.hash = record.hash

    def append(
        self,
        body: bytes,
        *,
        format_version: int,
        public: bool,
        recorded_time: int,
        principal: str,
        request_id: str,
        sealed: bytes | None,
        checkpoint: bool,
    ) -> Record:
        """The next record of the table; the chain stands after it at once."""
        journal_sequence = self.journal_sequence + 1
        sequence = self.sequence + public
        record = Record(
            self.table_id,
            self.epoch,
            journal_sequence,
            sequence,
            self.hash,
            b"",
            recorded_time,
            principal,
            request_id,
            format_version,
            body,
            sealed,
            checkpoint,
        )
        digest = record_hash(record)
        force_setattr(record, "hash", digest)
        self.journal_sequence = journal_sequence
        self.sequence = sequence
        self.hash = digest
        return record


def body_of(record: Record) -> codec.Body:
    """What a stored record says. Raises JournalDamaged where it is not as it was stored, JournalTooNew."""
    if not sound(record):
        raise JournalDamaged(record.table_id, f"record {record.journal_sequence} is not as it was stored")
    return codec.decode(record.body, record.format)


def sound(record: Record) -> bool:
    """Whether a record is as it was made."""
    try:
        return record_hash(record) == record.hash
    except (TypeError, AttributeError, struct.error):
        return False


def created_by(record: Record) -> tev.TableCreated:
    """The first event of a table, from its first record. Raises JournalDamaged, JournalTooNew."""
    event = body_of(record).events[0]
    if not isinstance(event, tev.TableCreated):
        raise JournalDamaged(
            record.table_id, f"record {record.journal_sequence} is the first, and no creation of a table"
        )
    return event


def in_order(records: list[Record], after_sequence: int, after_record: int) -> list[Record]:
    """The next records after a place, oldest first, as a store has them. Raises JournalDamaged where one is missing."""
    if records:
        first = records[0]
        if first.journal_sequence != after_record + 1 and first.sequence != after_sequence + 1:
            raise JournalDamaged(
                first.table_id, f"what comes before record {first.journal_sequence} is missing"
            )
    for before, record in pairwise(records):
        if (record.journal_sequence, record.prev_hash) != (before.journal_sequence + 1, before.hash):
            what = f"record {record.journal_sequence} does not follow record {before.journal_sequence}"
            raise JournalDamaged(record.table_id, what)
    return records


def record_hash(record: Record) -> bytes:
    """SHA-256 over the previous hash and everything else that the record says."""
    body, sealed = record.body, record.sealed
    numbers = _NUMBERS(
        record.epoch,
        record.journal_sequence,
        record.sequence,
        record.recorded_time,
        record.format,
        record.checkpoint,
        len(body),
        -1 if sealed is None else len(sealed),
    )
    names = f"{record.table_id}\0{record.principal}\0{record.request_id}".encode()
    return hashlib.sha256(b"".join((record.prev_hash, numbers, body, sealed or b"", names))).digest()
