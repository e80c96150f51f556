"""Every table's chain of records, followed row by row: hashes recomputed over stored bytes, sequences without gaps."""

from __future__ import annotations

import struct
from collections.abc import Mapping

import msgspec

from croupier.engine import table_events as tev
from croupier.room import codec
from croupier.room.audit.anchor import TableAnchor
from croupier.room.audit.books import StoredRecord, StoredTable
from croupier.room.audit.findings import Findings
from croupier.room.journal import GENESIS, record_hash
from croupier.room.ports import Record


class Head:
    """A table's last record so far. After one that is spoiled, what may follow is known less well."""

    __slots__ = ("anchor", "epoch", "hashes", "journal_sequence", "name", "sequence", "spoiled", "table")

    def __init__(self, table: StoredTable, anchor: TableAnchor | None) -> None:
        self.table = table
        self.anchor = anchor
        self.name = table.table_id
        """What the table's records call it."""
        self.journal_sequence = 0
        self.sequence = 0
        self.epoch = 0
        self.hashes: tuple[bytes, ...] = (GENESIS,)
        self.spoiled = False

    def takes(self, record: Record) -> bool:
        """Whether the record follows."""
        return (
            record.prev_hash in self.hashes
            and record.journal_sequence == self.journal_sequence + 1
            and record.sequence - self.sequence in ((0, 1, 2) if self.spoiled else (0, 1))
            and record.epoch >= self.epoch
        )


class Chains:
    """Reads all rows of the journal in order, and tells what is wrong with each."""

    def __init__(
        self, tables: Mapping[str, StoredTable], anchors: Mapping[str, TableAnchor], findings: Findings
    ) -> None:
        self.heads = {name: Head(table, anchors.get(name)) for name, table in tables.items()}
        self._findings = findings
        self.records = 0

    def read(self, row: StoredRecord) -> tuple[Head, Record, bool] | None:
        """The head that the row's record was added to, the record as it was written, whether it is sound.

        None where the row is no table's, or stands out of its place.
        """
        self.records += 1
        record = row.record
        head = self.heads.get(record.table_id)
        if head is None:
            return self._of_another(row, None)
        digest = _digest(record, head.name)
        if digest == record.hash and head.takes(record):
            self._follow(head, record, (digest,))
            return head, record, True
        if digest == record.hash:
            return self._out_of_place(head, record, digest)
        return self._spoiled(row, head, digest)

    def end(self, head: Head) -> None:
        """After the last row: the table's row must know the journal's end, and so must an anchor."""
        table, anchor = head.table, head.anchor
        told = (table.journal_sequence, table.sequence)
        if told != (head.journal_sequence, head.sequence):
            self._findings.add(
                "journal",
                f"the table's row says that its last record is {table.journal_sequence}, of sequence "
                f"{table.sequence}; the journal ends at {head.journal_sequence}, of sequence {head.sequence}",
                table_id=head.table.table_id,
                record=head.journal_sequence + 1,
                sequence=head.sequence,
            )
        if table.epoch < head.epoch:
            self._tell(
                head,
                head.journal_sequence,
                head.sequence,
                f"has epoch {head.epoch}, later than the table's {table.epoch}",
            )
        if anchor is not None and head.journal_sequence < anchor.record:
            self._findings.add(
                "anchor",
                f"the journal ends at record {head.journal_sequence}; the anchor knows {anchor.record}: "
                "its tail is cut off",
                table_id=head.table.table_id,
                record=head.journal_sequence + 1,
                sequence=head.sequence,
            )

    def _follow(
        self, head: Head, record: Record, hashes: tuple[bytes, ...], *, spoiled: bool = False
    ) -> None:
        head.journal_sequence = record.journal_sequence
        head.sequence = record.sequence
        head.epoch = record.epoch
        head.hashes = hashes
        head.spoiled = spoiled
        anchor = head.anchor
        if anchor is None or anchor.record != record.journal_sequence:
            return
        if (anchor.sequence, anchor.hash) != (record.sequence, record.hash.hex()):
            self._findings.add(
                "anchor",
                "is another record than the one that the anchor knows",
                table_id=head.table.table_id,
                record=record.journal_sequence,
                sequence=record.sequence,
            )

    def _out_of_place(self, head: Head, record: Record, digest: bytes) -> tuple[Head, Record, bool] | None:
        """A record that is what its hash says, and does not follow."""
        number, expected = record.journal_sequence, head.journal_sequence + 1
        if number < expected:
            self._tell(
                head, number, record.sequence, f"stands again, or out of its place: {expected} was to come"
            )
            return None
        if number > expected:
            missing = str(expected) if number == expected + 1 else f"{expected} to {number - 1}"
            self._tell(
                head, expected, head.sequence, f"is missing: record {number} follows ({missing} lacking)"
            )
        elif record.prev_hash not in head.hashes:
            self._tell(
                head, number, record.sequence, "does not follow the record before it: another is named"
            )
        elif record.epoch < head.epoch:
            self._tell(head, number, record.sequence, f"is of epoch {record.epoch} after {head.epoch}")
        else:
            self._tell(head, number, record.sequence, f"has a sequence that does not follow {head.sequence}")
        self._follow(head, record, (digest,))
        return head, record, True

    def _spoiled(self, row: StoredRecord, head: Head, digest: bytes) -> tuple[Head, Record, bool] | None:
        record = row.record
        if head.journal_sequence == 0 and self._renamed(head, record):
            self._follow(head, record, (record.hash,))
            return head, record, True
        if record.prev_hash not in head.hashes:
            found = self._of_another(row, head)
            if found is not None:
                return found
        number = head.journal_sequence + 1
        what = "is not what its hash says"
        if record.journal_sequence != number:
            what += f" (it calls itself record {record.journal_sequence})"
        self._tell(head, number, record.sequence, what)
        sequence = record.sequence if record.sequence - head.sequence in (0, 1) else head.sequence
        mended = msgspec.structs.replace(
            record, journal_sequence=number, sequence=sequence, epoch=head.epoch or record.epoch
        )
        self._follow(head, mended, (record.hash, digest), spoiled=True)
        return head, mended, False

    def _of_another(self, row: StoredRecord, under: Head | None) -> tuple[Head, Record, bool] | None:
        """A row whose record belongs to another table than the row says; tells what is wrong with it."""
        record = row.record
        for head in self.heads.values():
            if head is not under and head.takes(record) and _digest(record, head.name) == record.hash:
                where = f"stands under table {under.table.table_id}" if under else "stands under no table"
                self._tell(head, record.journal_sequence, record.sequence, where)
                self._follow(head, record, (record.hash,))
                return head, msgspec.structs.replace(record, table_id=head.table.table_id), True
        if under is None:
            self._findings.add(
                "journal",
                f"the row at position {row.place} belongs to no table",
                record=record.journal_sequence,
                sequence=record.sequence,
            )
        return None

    def _renamed(self, head: Head, record: Record) -> bool:
        """Whether it is the table's row whose name is spoiled, not its first record's."""
        try:
            first = codec.decode(record.body, record.format).events[0]
        except Exception:
            return False
        if not isinstance(first, tev.TableCreated) or first.table_id == head.table.table_id:
            return False
        if _digest(record, first.table_id) != record.hash:
            return False
        self._tell(
            head, 1, record.sequence, f"was written by table {first.table_id}: the table's row is renamed"
        )
        head.name = first.table_id
        return True

    def _tell(self, head: Head, number: int, sequence: int, what: str) -> None:
        self._findings.add("journal", what, table_id=head.table.table_id, record=number, sequence=sequence)


def _digest(record: Record, table_id: str) -> bytes:
    """The hash of what is stored; no hash at all where that is no record's content."""
    if record.table_id != table_id:
        record = msgspec.structs.replace(record, table_id=table_id)
    try:
        return record_hash(record)
    except (struct.error, TypeError, UnicodeError):
        return b""
