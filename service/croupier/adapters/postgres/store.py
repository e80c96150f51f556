"""PostgresStore: the room's `Store` over a PostgreSQL database. Wires writer, readers and lease, no more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Self, TypeVar

import asyncpg

from croupier.adapters.postgres import (
    counters,
    fleet,
    hand_index,
    ledger_reader,
    operations,
    reader,
    table_houses,
)
from croupier.adapters.postgres.beforehand import prepared
from croupier.adapters.postgres.connecting import LOST, Reading, readers, usable
from croupier.adapters.postgres.feed import PostgresFeed
from croupier.adapters.postgres.own_node import LEASE_S, SHARED_LEASE_S, Holder, OwnNode
from croupier.adapters.postgres.transaction import Transactions
from croupier.adapters.postgres.unusable import StoreUnusable
from croupier.adapters.postgres.writer import Writer
from croupier.adapters.units.queue import CommitObserver, Done
from croupier.room.cluster_ports import Node, Owner, Place
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

_READERS: Final = 4
_LONGEST_PAUSE_S: Final = 1.0
_SHORTEST_PAUSE_S: Final = 0.02

T = TypeVar("T")


class PostgresStore:
    """Opened by `open`, which returns once this server has joined: it owns the store, or shares it."""

    def __init__(
        self,
        transactions: Transactions,
        pool: asyncpg.Pool[Any],
        own_node: OwnNode,
        observer: CommitObserver | None,
        replaced: Callable[[str], None],
    ) -> None:
        self.epoch: Final = own_node.epoch
        self.node_id = own_node.node_id
        self.figures: Final = transactions.figures
        self.room: Final = own_node.room
        self._transactions = transactions
        self._own_node = own_node
        self._pool = pool
        self._writer = Writer(transactions, observer, own_node.lease_s, replaced)
        self._closing: asyncio.Future[None] | None = None
        self.feed: Final = PostgresFeed(
            self.node_id, self._read, lambda parts: self._errand(lambda: transactions.run(parts))
        )

    @classmethod
    async def open(
        cls,
        dsn: str,
        *,
        lease_s: float | None = None,
        shared: bool = False,
        address: str = "",
        observer: CommitObserver | None = None,
        before_commit: Callable[[], None] | None = None,
        waiting: Callable[[Holder], None] = lambda _: None,
        replaced: Callable[[str], None] = lambda _: None,
    ) -> Self:
        """Migrate the database where it needs it, and wait until no other server's lease runs.

        A `shared` store waits for one that is not, and owns no table yet; others find it at `address`.
        `waiting` is told of each owner that is waited for; `replaced`, later, why this one is owner no longer:
        from then on every unit fails. `before_commit` is called in a thread between a transaction's statement
        and its COMMIT. Raises StoreUnusable, SchemaTooNew.
        """
        connection = await prepared(dsn)
        own_node = OwnNode(lease_s or (SHARED_LEASE_S if shared else LEASE_S), shared=shared, address=address)
        try:
            with usable():
                await _join(connection, own_node, waiting)
                await counters.mend(connection)
                pool = await readers(dsn, _READERS)
        except BaseException:
            connection.terminate()
            raise
        transactions = Transactions(dsn, connection, own_node, before_commit=before_commit)
        return cls(transactions, pool, own_node, observer, replaced)

    def submit(self, unit: Unit, done: Done) -> None:
        """As the port says; raises UnsoundUnit for what no store could write. After `close` units fail."""
        require_sound(unit)
        if self._closing is None:
            self._writer.submit(unit, done)
        else:
            self._closing.add_done_callback(lambda _: done(Failed("the store is closed")))

    async def open_tables(self) -> list[TableJournal]:
        return await self._read(lambda db: reader.tables_of(db, self.node_id))

    async def recover(self, table_id: str) -> TableJournal | None:
        """As the port says; waits for all units submitted before."""
        await self._writer.run(lambda: self._resume(table_id))
        return await self.journal(table_id)

    async def journal(self, table_id: str) -> TableJournal | None:
        return await self._read(lambda db: reader.table(db, table_id))

    async def records(
        self, table_id: str, after_sequence: int, limit: int, *, after_record: int = 0
    ) -> list[Record]:
        found = await self._read(lambda db: reader.records(db, table_id, after_sequence, limit, after_record))
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
        return await self._read(
            lambda db: ledger_reader.entries(db, account_prefix, player_id, table_id, after, limit, scope)
        )

    async def houses_of(self, table_ids: Sequence[str]) -> dict[str, str]:
        return await self._read(lambda db: table_houses.houses_of(db, table_ids))

    async def newest_time(self) -> int:
        return await self._read(ledger_reader.newest_time)

    async def operations(self, query: OperationQuery) -> list[LoggedOperation]:
        return await self._read(lambda db: operations.operations(db, query))

    async def imbalance(self) -> dict[str, int]:
        return await self._read(ledger_reader.imbalance)

    async def index_hands(self, hands: Sequence[SettledHand]) -> None:
        """As the port says; between two commits."""
        if self._closing is not None:
            raise StoreUnusable("the store is closed")
        await self._writer.run(lambda: self._transactions.run(hand_index.parts(hands)))

    async def unindexed(self) -> dict[str, int]:
        return await self._read(hand_index.unindexed)

    async def find_hand(self, table_id: str, hand_number: int) -> HandPlace | None:
        return await self._read(lambda db: hand_index.find(db, table_id, hand_number))

    async def hands(self, query: HandQuery) -> list[HandPlace]:
        return await self._read(lambda db: hand_index.hands(db, query))

    async def nodes(self) -> list[Node]:
        return await self._read(lambda db: fleet.nodes(db, self._own_node, self.figures))

    async def set_serving(self, serving: bool) -> None:
        await self._errand(lambda: self._transactions.set_serving(serving))

    async def owner(self, table_id: str) -> Owner:
        return await self._read(lambda db: fleet.owner(db, table_id))

    async def owned(self) -> list[str]:
        return await self._read(lambda db: fleet.owned(db, self.node_id))

    async def ownerless_tables(self) -> list[str]:
        return await self._read(fleet.ownerless_tables)

    async def listed(
        self, after: tuple[int, str], limit: int, houses: Sequence[str] | None = None
    ) -> list[Place]:
        return await self._read(lambda db: fleet.listed(db, after, limit, houses))

    async def chips_at(self, player_id: str, house_id: str) -> list[str]:
        return await self._read(lambda db: fleet.chips_at(db, player_id, house_id))

    async def log_read(self, number: int) -> None:
        await self._errand(lambda: self._transactions.log_read(number))

    async def behind(self, number: int) -> list[str]:
        return await self._read(lambda db: fleet.behind(db, self.node_id, number))

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        """As the port says; between two commits."""
        await self._errand(lambda: self._transactions.claim(table_ids))
        journals = await self._read(lambda db: reader.tables_of(db, self.node_id, table_ids))
        return [self.figures.dated(journal) for journal in journals]

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        """As the port says."""
        moved: set[str] = set()

        async def hand_over() -> None:
            moved.update(await self._transactions.hand_over(moves))

        await self._errand(hand_over)
        return moved

    def lapsed(self) -> bool:
        """As the port says."""
        return self.figures.lease_remaining_s < 0

    @property
    def trouble(self) -> str:
        """Why nothing can be written just now, empty while it can."""
        return self._transactions.trouble

    async def close(self) -> None:
        """Writes what waits, then gives the store to whoever takes it next."""
        if self._closing is None:
            self._transactions.closing = True
            self._closing = self._writer.stop(self._release)
        await asyncio.shield(self._closing)

    async def _errand(self, call: Callable[[], Awaitable[None]]) -> None:
        """Between two commits, after what was submitted before. Raises StoreAway."""
        if self._closing is not None:
            raise StoreAway("the store is closed")
        await self._writer.run(call)

    async def _resume(self, table_id: str) -> None:
        self._transactions.resume(table_id)

    async def _read(self, call: Callable[[Reading], Awaitable[T]]) -> T:
        """Once more over another connection where the one had been lost. Raises StoreAway."""
        for again in (True, False):
            try:
                async with self._pool.acquire() as connection:
                    return await call(connection)
            except LOST as failure:
                if not again:
                    raise StoreAway(f"the database cannot be reached: {failure!r}") from failure
            except asyncpg.PostgresError as failure:
                raise StoreAway(f"the database cannot be read: {failure!r}") from failure
        raise StoreAway("the database cannot be reached")

    async def _release(self) -> None:
        """As the last thing the writer does."""
        await self._transactions.close()
        self._pool.terminate()


async def _join(
    connection: asyncpg.Connection[Any], own_node: OwnNode, waiting: Callable[[Holder], None]
) -> None:
    """Return once this server owns the store: at once, or when the lease of the owner has run out."""
    known = ""
    while (holder := await own_node.join(connection)) is not None:
        if holder.owner_id != known and holder.seconds > 0:
            known = holder.owner_id
            waiting(holder)
        await asyncio.sleep(min(max(holder.seconds, _SHORTEST_PAUSE_S), _LONGEST_PAUSE_S))
