"""Connections that break: what was sent and not answered is known all the same, and nothing is written twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.support.cutting_proxy import CuttingProxy, cutting
from tests.support.postgres import Cluster, cluster, empty_database, execute, fetch
from tests.support.postgres_audit import audit
from tests.support.units import TableUnits, outcome_of, outcomes_of, request

from croupier.adapters.postgres import PostgresStore
from croupier.room import accounts, ledger
from croupier.room.failures import StoreAway
from croupier.room.ports import DURABLE, Failed, Outcome, Unit

MOST_RESTARTS = 12


@pytest.fixture
async def dsn() -> AsyncIterator[str]:
    async with empty_database() as dsn:
        yield dsn


@pytest.fixture
async def cut(dsn: str) -> AsyncIterator[tuple[PostgresStore, CuttingProxy]]:
    """A store that is reached through a proxy."""
    async with cutting(dsn) as (proxy, through):
        store = await PostgresStore.open(through)
        try:
            yield store, proxy
        finally:
            proxy.refusing, proxy.cut = False, ""
            await store.close()


async def warm(store: PostgresStore, table: TableUnits) -> None:
    """Have every statement prepared and every account known, so that the next commit is one message each way."""
    for number in range(2):
        unit = table.created() if not number else table.unit()
        unit.entry_sets = (ledger.deposit("ann", "POE", 1, f"warm {number}"),)
        unit.request = request(f"warm {number}")
        assert await outcome_of(store, unit) == DURABLE
    assert await outcome_of(store, table.unit()) == DURABLE


async def sequence_of(store: PostgresStore, table_id: str) -> int:
    journal = await store.recover(table_id)
    assert journal is not None
    return journal.tail[-1].journal_sequence


async def test_a_commit_whose_answer_is_lost_is_durable_and_told_so(
    cut: tuple[PostgresStore, CuttingProxy], dsn: str
) -> None:
    store, proxy = cut
    table = TableUnits("t")
    await warm(store, table)
    unit = table.unit()
    unit.entry_sets, unit.request = (ledger.deposit("ann", "POE", 5, "d"),), request("r")
    proxy.cut = "answer"
    assert await outcomes_of(store, [unit, table.unit()]) == [DURABLE] * 2
    assert proxy.cuts == 1
    assert await outcome_of(store, table.unit()) == DURABLE
    assert await store.balance(accounts.wallet("ann"), "POE") == 7
    assert len(await store.records("t", 0, 100)) == 6
    await audit(dsn)


async def test_a_commit_that_never_arrived_fails_and_its_table_goes_on_after_recovery(
    cut: tuple[PostgresStore, CuttingProxy], dsn: str
) -> None:
    store, proxy = cut
    table, other = TableUnits("t"), TableUnits("other")
    await outcomes_of(store, [table.created(), other.created()])
    lost = table.unit()
    lost.entry_sets = (ledger.deposit("ann", "POE", 5, "d"),)
    proxy.cut = "request"
    assert isinstance(await outcome_of(store, lost), Failed)
    assert proxy.cuts == 1
    assert await outcome_of(store, other.unit()) == DURABLE
    assert isinstance(await outcome_of(store, lost), Failed)
    assert await sequence_of(store, "t") == 1
    assert await outcome_of(store, lost) == DURABLE
    assert await store.balance(accounts.wallet("ann"), "POE") == 5
    await audit(dsn)


async def test_what_is_not_known_waits_until_the_database_is_back(
    cut: tuple[PostgresStore, CuttingProxy],
) -> None:
    store, proxy = cut
    table = TableUnits("t")
    await warm(store, table)
    proxy.cut, proxy.refusing = "answer", True
    came: list[Outcome] = []
    store.submit(table.unit(), came.append)
    await asyncio.sleep(1.0)
    assert came == []
    assert "cannot be reached" in store.trouble
    proxy.refusing = False
    assert await sequence_of(store, "t") == 4
    assert came == [DURABLE]
    assert store.trouble == ""


async def test_what_was_not_sent_fails_soon_while_the_database_is_away(
    cut: tuple[PostgresStore, CuttingProxy],
) -> None:
    store, proxy = cut
    table = TableUnits("t")
    await outcome_of(store, table.created())
    proxy.refusing = True
    proxy.close_all()
    await asyncio.sleep(0.1)
    unit = table.unit()
    async with asyncio.timeout(10):
        failed = await outcome_of(store, unit)
    assert isinstance(failed, Failed)
    assert "cannot be reached" in failed.why
    with pytest.raises(StoreAway):
        await store.balance("wallet/ann", "POE")
    proxy.refusing = False
    assert await sequence_of(store, "t") == 1
    assert await outcome_of(store, unit) == DURABLE


async def test_reads_find_another_connection_where_theirs_is_gone(
    cut: tuple[PostgresStore, CuttingProxy],
) -> None:
    store, proxy = cut
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "d"),)))
    for _ in range(3):
        assert await store.balance(accounts.wallet("ann"), "POE") == 5
        proxy.close_all()
        await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    with cluster() as own:
        yield own


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
async def test_a_database_that_restarts_under_load_loses_nothing_and_writes_nothing_twice(
    own_cluster: Cluster, number: signal.Signals
) -> None:
    async with empty_database(own_cluster.dsn) as dsn:
        store = await PostgresStore.open(dsn)
        tables = [Busy(store, f"t{place}") for place in range(16)]
        playing = [asyncio.create_task(table.play()) for table in tables]
        for restarts in range(MOST_RESTARTS):
            if restarts > 1 and any(table.failed for table in tables):
                break  # else the database went between two commits each time
            await asyncio.sleep(0.5)
            await asyncio.to_thread(own_cluster.stop, number)
            await asyncio.sleep(0.2)
            await asyncio.to_thread(own_cluster.start)
        durable = sum(table.durable for table in tables)
        async with asyncio.timeout(30):
            while sum(table.durable for table in tables) <= durable:
                await asyncio.sleep(0.05)
        for table in tables:
            table.stopping = True
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        assert any(table.failed for table in tables)
        for table in tables:
            assert len(await store.records(table.name, 0, 100_000)) == table.durable + 1
            assert await store.balance(accounts.wallet(table.name), "POE") == table.durable
        await store.close()
        await audit(dsn)


class Busy:
    """A table that writes unit after unit, and recovers as an actor would."""

    def __init__(self, store: PostgresStore, name: str) -> None:
        self.name = name
        self.durable = self.failed = 0
        self.stopping = False
        self._store = store
        self._units = TableUnits(name)

    async def play(self) -> None:
        await outcome_of(self._store, self._units.created())
        while not self.stopping:
            unit = self._units.unit()
            number = unit.records[0].journal_sequence
            unit.entry_sets = (ledger.deposit(self.name, "POE", 1, f"{self.name}/{number}"),)
            if await outcome_of(self._store, unit) == DURABLE:
                self.durable += 1
            else:
                self.failed += 1
                await self._recover()

    async def _recover(self) -> None:
        while True:
            try:
                journal = await self._store.recover(self.name)
            except StoreAway:
                await asyncio.sleep(0.1)
                continue
            assert journal is not None
            assert journal.tail[-1].journal_sequence == self.durable + 1, "a failed unit is stored"
            self._units.restart_at(journal.tail[-1])
            return


async def test_commits_are_durable_where_the_database_would_not_wait(dsn: str) -> None:
    store = await PostgresStore.open(f"{dsn}&synchronous_commit=off")
    shown = "SELECT current_setting('synchronous_commit')"
    assert await store._transactions._connection.fetchval(shown) == "on"
    assert await fetch(f"{dsn}&synchronous_commit=off", shown) == [("off",)]
    await store.close()


async def test_what_the_database_refuses_is_a_store_that_is_away(dsn: str) -> None:
    """A full disk, a cancelled statement, a standby: whoever asked looks again later, and is not ended by it."""
    store = await PostgresStore.open(dsn, shared=True, address="here")
    await execute(dsn, "ALTER TABLE nodes RENAME TO gone")
    try:
        with pytest.raises(StoreAway, match="cannot be read: UndefinedTable"):
            await store.nodes()
        with pytest.raises(StoreAway, match="cannot be written: UndefinedTable"):
            await store.set_serving(True)
    finally:
        await execute(dsn, "ALTER TABLE gone RENAME TO nodes")
        await store.close()
