"""Several stores at once on one database, as the servers of one room would have them open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.support.postgres import empty_database, execute
from tests.support.units import TableUnits

from croupier.adapters.postgres import PostgresStore
from croupier.room.ports import TableJournal

LEASE = 0.5


class StoreNode:
    """A shared store that can be made to stand still; `told` is what it heard of being replaced."""

    def __init__(self, store: PostgresStore, told: list[str], dsn: str) -> None:
        self.store = store
        self.told = told
        self.node_id = store.node_id
        self._dsn = dsn

    @classmethod
    async def of(cls, dsn: str, name: str = "here", lease_s: float = LEASE) -> StoreNode:
        told: list[str] = []
        store = await PostgresStore.open(
            dsn, lease_s=lease_s, shared=True, address=f"{name}:50051", replaced=told.append
        )
        return cls(store, told, dsn)

    def stand_still(self) -> None:
        """Renew no more, as a process would that is paused."""
        self.store._writer._timer.cancel()

    def wake(self) -> None:
        """Renew again, at once."""
        self.store._writer._renew()

    async def lapse(self) -> None:
        """Stand still until the lease has run out, however long it was."""
        self.stand_still()
        await execute(
            self._dsn, f"UPDATE nodes SET expires = now() - INTERVAL '1 ms' WHERE node_id = '{self.node_id}'"
        )

    async def may_bury(self) -> None:
        """Have run for a whole lease, after which a node may declare others dead."""
        await execute(
            self._dsn,
            "UPDATE nodes SET unbroken_since = now() - INTERVAL '1 minute',"
            f" expires = greatest(expires, now() + INTERVAL '1 minute') WHERE node_id = '{self.node_id}'",
        )

    def before_next_statement(self, work: Callable[[], Awaitable[Any]]) -> None:
        """Have something happen between what the store reads for its next batch and what it writes."""
        transactions = self.store._transactions
        run = transactions._run

        async def late(parts: Any) -> None:
            transactions._run = run  # type: ignore[method-assign]
            await work()
            await run(parts)

        transactions._run = late  # type: ignore[method-assign]


@asynccontextmanager
async def nodes(count: int, lease_s: float = 30.0) -> AsyncIterator[tuple[str, list[StoreNode]]]:
    """So many on an empty database, each serving."""
    async with empty_database() as dsn:
        all_nodes = [await StoreNode.of(dsn, f"node{number}", lease_s) for number in range(count)]
        try:
            await asyncio.gather(*(node.store.set_serving(True) for node in all_nodes))
            yield dsn, all_nodes
        finally:
            for node in all_nodes:
                await node.store.close()


def following(journals: Sequence[TableJournal]) -> dict[str, TableUnits]:
    """Units that go on where journals end, in the epochs that they tell."""
    found: dict[str, TableUnits] = {}
    for journal in journals:
        units = found[journal.table_id] = TableUnits(journal.table_id)
        units.restart_at(journal.tail[-1])
        units._chain.epoch = journal.epoch
    return found
