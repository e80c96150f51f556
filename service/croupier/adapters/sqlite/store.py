"""SqliteStore: the room's `Store` over one SQLite file. Wires writer, readers and lock, no more."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from croupier.adapters.sqlite import faults, hand_index, ledger_reader, operations, reader, table_houses
from croupier.adapters.sqlite.lock import FileLock
from croupier.adapters.sqlite.schema import StoreUnusable, open_reader, open_writer, unusable
from croupier.adapters.sqlite.transaction import Transactions
from croupier.adapters.sqlite.wal import WriteAheadLog
from croupier.adapters.sqlite.writer import Writer
from croupier.adapters.units.queue import CommitObserver, Done
from croupier.room.failures import StoreAway
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.journal import in_order
from croupier.room.ledger import require_sound
from croupier.room.operations import LoggedOperation, OperationQuery
from croupier.room.ports import (
    EntryScope,
    Failed,
    Holdings,
    LedgerEntry,
    Record,
    RequestRecord,
    TableJournal,
    Unit,
)

_READERS = 2

T = TypeVar("T")


class SqliteStore:
    """Opened by its constructor, on a running event loop, which its `done` callbacks are then called on.

    Raises StoreLocked where another store has the file, SchemaTooNew where a later version wrote it.
    `before_commit` is called in the writer thread between a transaction's last statement and its COMMIT.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        observer: CommitObserver | None = None,
        before_commit: Callable[[], None] | None = None,
    ) -> None:
        self.path = Path(os.path.realpath(path))
        self._lock = FileLock(self.path)
        try:
            self._connection = open_writer(self.path)
        except BaseException:
            self._lock.release()
            raise
        self._wal = WriteAheadLog(self._connection, self.path)
        self._transactions = Transactions(self._connection, before_commit=before_commit)
        self._writer = Writer(self._transactions, self._wal.keep_short, observer)
        self._readers = ThreadPoolExecutor(_READERS, "croupier-store-reader")
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._closing: asyncio.Future[None] | None = None
        self._trying: asyncio.Future[None] | None = None

    def key_mark(self, mark: bytes) -> bytes:
        """The mark of the file's master key: this one from now on, where it has none. To be asked before all else.

        Raises StoreUnusable.
        """
        try:
            found = self._connection.execute("SELECT mark FROM master_key").fetchone()
            if found is None:
                self._connection.execute("INSERT INTO master_key VALUES (1, ?)", (mark,))
        except sqlite3.Error as failure:
            raise unusable(self.path, failure) from failure
        return bytes(found[0]) if found else mark

    def trouble(self) -> str:
        """Why nothing can be written, empty where that is not known of. As long as it is asked, it is tried again."""
        trouble = self._transactions.trouble
        useful = trouble and not self._transactions.damaged and self._closing is None
        if useful and (self._trying is None or self._trying.done()):
            self._trying = self._writer.run(self._transactions.try_again)
        return trouble

    def submit(self, unit: Unit, done: Done) -> None:
        """As the port says; raises UnsoundUnit for what no store could write. After `close` units fail."""
        require_sound(unit)
        if self._closing is None:
            self._writer.submit(unit, done)
        else:
            self._closing.add_done_callback(lambda _: done(Failed("the store is closed")))

    async def open_tables(self) -> list[TableJournal]:
        return await self._read(reader.tables)

    async def recover(self, table_id: str) -> TableJournal | None:
        """As the port says; waits for all units submitted before."""
        await self._writer.run(lambda: self._transactions.resume(table_id))
        return await self.journal(table_id)

    async def journal(self, table_id: str) -> TableJournal | None:
        found = await self._read(lambda db: reader.tables(db, table_id))
        return found[0] if found else None

    async def records(
        self, table_id: str, after_sequence: int, limit: int, *, after_record: int = 0
    ) -> list[Record]:
        found = await self._read(
            lambda db: reader.records(db, table_id, after_sequence, limit, after_record=after_record)
        )
        return in_order(found, after_sequence, after_record)

    async def find_request(self, principal: str, method: str, request_id: str) -> RequestRecord | None:
        return await self._read(lambda db: reader.find_request(db, principal, method, request_id))

    async def balance(self, account: str, currency: str) -> int:
        return await self._read(lambda db: ledger_reader.balance(db, account, currency))

    async def balances(self, prefix: str, currency: str) -> list[tuple[str, int]]:
        return await self._read(lambda db: ledger_reader.balances(db, prefix, currency))

    async def holdings(self, player_id: str, currency: str) -> Holdings:
        return await self._read(lambda db: ledger_reader.holdings(db, player_id, currency))

    async def entries(
        self,
        *,
        account_prefix: str = "",
        player_id: str = "",
        table_id: str = "",
        after: int = 0,
        limit: int,
        scope: EntryScope | None = None,
    ) -> list[LedgerEntry]:
        query = ledger_reader.EntryQuery(account_prefix, player_id, table_id, after, limit, scope)
        return await self._read(lambda db: ledger_reader.entries(db, query))

    async def houses_of(self, table_ids: Sequence[str]) -> dict[str, str]:
        return await self._read(lambda db: table_houses.houses_of(db, table_ids))

    async def newest_time(self) -> int:
        return await self._read(ledger_reader.newest_time)

    async def operations(self, query: OperationQuery) -> list[LoggedOperation]:
        return await self._read(lambda db: operations.operations(db, query))

    async def imbalance(self) -> dict[str, int]:
        return await self._read(ledger_reader.imbalance)

    async def index_hands(self, hands: Sequence[SettledHand]) -> None:
        """As the port says; in the writer's thread, between two commits."""
        if self._closing is not None:
            raise StoreUnusable("the store is closed")
        try:
            await self._writer.run(lambda: hand_index.write(self._connection, hands))
        except sqlite3.Error as failure:
            raise self._away(failure, "written") from failure

    async def unindexed(self) -> dict[str, int]:
        return await self._read(hand_index.unindexed)

    async def find_hand(self, table_id: str, hand_number: int) -> HandPlace | None:
        return await self._read(lambda db: hand_index.find(db, table_id, hand_number))

    async def hands(self, query: HandQuery) -> list[HandPlace]:
        return await self._read(lambda db: hand_index.hands(db, query))

    @property
    def wal_bytes(self) -> int:
        """Size of the write-ahead log; far above 16 MiB only while a long read holds back its reuse."""
        return self._wal.bytes

    async def close(self) -> None:
        """Writes what waits, then gives the file back."""
        if self._closing is None:
            self._closing = self._writer.stop(self._release)
        await asyncio.shield(self._closing)

    async def _read(self, call: Callable[[sqlite3.Connection], T]) -> T:
        """Raises StoreAway where the file cannot be read."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._with_connection, call)
        except sqlite3.DatabaseError as failure:
            raise self._away(failure, "read") from failure

    def _away(self, failure: sqlite3.Error, what: str) -> StoreAway:
        self._transactions.note(failure)
        return StoreAway(f"{self.path} cannot be {what}: {faults.told(failure)}")

    def _with_connection(self, call: Callable[[sqlite3.Connection], T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = open_reader(self.path)
            self._opened.append(connection)
        return call(connection)

    def _release(self) -> None:
        """In the writer thread, as the last thing it does."""
        self._readers.shutdown()
        for connection in (*self._opened, self._connection):
            connection.close()
        self._lock.release()
