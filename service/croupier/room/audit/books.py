"""What an audit asks of a store: one moment of it, read row by row. Adapters implement it.

Rows are told as they stand, however spoiled: text that is no UTF-8 comes with replacement characters, and a
number may be anything. Only what cannot be read at all raises BooksDamaged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from croupier.room.hand_ports import SettledHand
from croupier.room.ports import Record, RequestRecord


class BooksDamaged(Exception):
    """Raised when rows cannot be read, or not be replaced; the text says why."""


class Sizes(msgspec.Struct, frozen=True):
    """How many rows there are, for progress alone."""

    records: int
    entries: int
    accounts: int
    requests: int


class StoredTable(msgspec.Struct, frozen=True):
    """A table's row: what it is, and where it says that its journal ends."""

    table_id: str
    house_id: str
    name: str
    currency: str
    created_time: int
    epoch: int
    journal_sequence: int
    sequence: int
    closed: bool


class StoredRecord(msgspec.Struct, frozen=True, gc=False):
    """A row of the journal; its record's `table_id` is empty where the row belongs to no table.

    `place` tells rows apart that say the same of themselves.
    """

    place: int
    record: Record


class StoredSet(msgspec.Struct, frozen=True):
    """An entry set without its entries; `hash` is None in rows older than such hashes.

    `set_key` is the id of its first entry.
    """

    set_key: int
    entry_set_id: str
    kind: str
    table_id: str
    hand_id: str
    recorded_time: int
    entry_count: int
    hash: bytes | None


class StoredEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry with its account's row; `account` is None where there is no such account."""

    entry_id: int
    set_key: int
    amount: int
    account: str | None
    currency: str
    player_id: str | None


class StoredAccount(msgspec.Struct, frozen=True):
    account_key: int
    name: str
    currency: str
    player_id: str | None
    balance: int


class StoredRequest(msgspec.Struct, frozen=True):
    """A request with its lasting answer; `hash` is None in rows older than such hashes."""

    request: RequestRecord
    hash: bytes | None


class StoredOperation(msgspec.Struct, frozen=True):
    """An entry of the operator log."""

    number: int
    method: str
    table_id: str
    player_id: str
    body: bytes
    hash: bytes


class IndexDifference(msgspec.Struct, frozen=True):
    """A hand of which the store's index of hands says something else than the journal."""

    table_id: str
    hand_number: int
    what: str


class Misplaced(msgspec.Struct, frozen=True):
    """Something wrong with how the store keeps its rows, found by the store's own means."""

    what: str
    table_id: str = ""
    journal_sequence: int = 0


class Books(Protocol):
    """A store as it is at one moment, whatever is written meanwhile; closed by whoever opened it."""

    hashed: bool
    """Whether the store's format has hashes of entry sets and requests, and tables as old as their first record."""

    def sizes(self) -> Sizes: ...

    def tables(self) -> Iterator[StoredTable]: ...

    def records(self, table_id: str = "") -> Iterator[StoredRecord]:
        """The journal, of all tables or of one, in the order it was written."""
        ...

    def entry_sets(self) -> Iterator[StoredSet]:
        """In order of set_key."""
        ...

    def entries(self) -> Iterator[StoredEntry]:
        """In order of entry_id, which counts from 1 without a gap."""
        ...

    def find_set(self, entry_set_id: str) -> tuple[StoredSet, Sequence[StoredEntry]] | None:
        """An entry set by its name, with the entries that belong to it."""
        ...

    def accounts(self) -> Iterator[StoredAccount]:
        """In order of account_key."""
        ...

    def amounts(self) -> Iterator[tuple[int, int]]:
        """Each entry's account_key and amount, in order of account_key."""
        ...

    def requests(self) -> Iterator[StoredRequest]:
        """In the order of their keys, by code points."""
        ...

    def key_mark(self) -> bytes:
        """The mark of the store's master key; b"" where it has none."""
        ...

    def hand_key(self, table_id: str) -> bytes:
        """What is kept of the key of the table's hand; b"" where nothing is."""
        ...

    def operations(self) -> Iterator[StoredOperation]:
        """The operator log, in order of numbers."""
        ...

    def find_answer(self, principal: str, method: str, request_id: str) -> RequestRecord | None:
        """A request's lasting answer."""
        ...

    def remember_hands(self, hands: Sequence[SettledHand]) -> None:
        """Keep, for this audit alone, what the journal says of hands, to be compared with the index."""
        ...

    def index_differences(self, table_id: str = "") -> Iterator[IndexDifference]:
        """Where the index of hands differs from the hands remembered, of all tables or of one.

        The last hands of a table may yet be missing: they are written some time after they end.
        """
        ...

    def misplaced(self) -> Iterator[Misplaced]:
        """What the store itself finds wrong with its pages, indexes and pointers."""
        ...
