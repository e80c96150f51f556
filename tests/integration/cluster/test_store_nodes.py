"""Who may write to a store: nodes that share it, or one that has it alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import msgspec
import pytest
from tests.support.postgres import empty_database, execute, fetch
from tests.support.postgres_audit import audit
from tests.support.store_nodes import LEASE, StoreNode, nodes
from tests.support.units import TableUnits, outcome_of, outcomes_of

from croupier.adapters.postgres import PostgresStore, looked_at
from croupier.adapters.postgres.schema import VERSION
from croupier.room import ledger
from croupier.room.cluster_ports import Node
from croupier.room.ports import DURABLE, Failed, Unit


@pytest.fixture
async def dsn() -> AsyncIterator[str]:
    async with empty_database() as dsn:
        yield dsn


def deposit(name: str) -> Unit:
    return Unit(entry_sets=(ledger.deposit("ann", "POE", 1, name),))


async def test_nodes_that_share_a_store_know_each_other() -> None:
    async with nodes(3) as (dsn, (one, two, three)):
        await two.store.set_serving(False)
        told = [
            Node(one.node_id, "node0:50051", True),
            Node(two.node_id, "node1:50051", False),
            Node(three.node_id, "node2:50051", True),
        ]
        for node in (one, two, three):
            assert await node.store.nodes() == sorted(told, key=lambda each: each.node_id)
            assert node.store.room == one.store.room != ""
        assert len({node.store.epoch for node in (one, two, three)}) == 3
        names = sorted(node.node_id for node in (one, two, three))
        assert await looked_at(dsn) == (VERSION, ", ".join(names))
        await three.store.close()
        assert {node.node_id for node in await one.store.nodes()} == {one.node_id, two.node_id}
        await two.lapse()
        assert [node.node_id for node in await one.store.nodes()] == [one.node_id]


async def test_a_node_begins_without_tables_and_takes_none(dsn: str) -> None:
    alone = await PostgresStore.open(dsn)
    table = TableUnits("t")
    await outcomes_of(alone, [table.created(), table.unit()])
    await alone.close()
    node = await StoreNode.of(dsn)
    assert await node.store.nodes() == [Node(node.node_id, "here:50051", serving=False)]
    assert await node.store.open_tables() == []
    assert await fetch(dsn, "SELECT epoch FROM tables") == [(1,)]
    (journal,) = await node.store.claim(["t"])
    assert (journal.epoch, journal.owner) == (2, node.node_id)
    assert await node.store.open_tables() == [msgspec.structs.replace(journal, ownerless_ns=0)]
    await node.store.close()


@pytest.mark.parametrize("shared", [False, True], ids=["exclusive", "shared"])
async def test_a_store_is_either_shared_or_somebodys(dsn: str, shared: bool) -> None:
    """Whoever comes waits for the last one of the other kind, and is told for whom."""
    first = await PostgresStore.open(dsn, lease_s=LEASE, shared=shared)
    waiting: list[str] = []
    opening = asyncio.create_task(
        PostgresStore.open(dsn, shared=not shared, waiting=lambda holder: waiting.append(holder.owner_id))
    )
    await asyncio.sleep(3 * LEASE)
    assert not opening.done()
    assert waiting == [first.node_id]
    assert await outcome_of(first, deposit("first")) == DURABLE
    await first.close()
    second = await asyncio.wait_for(opening, 5)
    assert await outcome_of(second, deposit("second")) == DURABLE
    await second.close()


@pytest.mark.parametrize("shared", [False, True], ids=["exclusive", "shared"])
async def test_an_exclusive_owner_that_slept_is_replaced_by_whoever_comes(dsn: str, shared: bool) -> None:
    told: list[str] = []
    sleeper = await PostgresStore.open(dsn, lease_s=LEASE, replaced=told.append)
    sleeper._writer._timer.cancel()
    after = await PostgresStore.open(dsn, shared=shared)
    assert isinstance(await outcome_of(sleeper, deposit("late")), Failed)
    assert len(told) == 1
    assert f"was taken over by {after.node_id}" in told[0]
    await sleeper.close()
    assert await outcome_of(after, deposit("in time")) == DURABLE
    await after.close()


async def test_an_exclusive_owner_takes_the_tables_of_nodes_that_are_gone(dsn: str) -> None:
    one, two = await StoreNode.of(dsn), await StoreNode.of(dsn)
    table = TableUnits("t")
    await outcomes_of(one.store, [table.created(), table.unit()])
    await outcome_of(two.store, TableUnits("u").created())
    one.stand_still()
    await two.store.close()
    alone = await asyncio.wait_for(PostgresStore.open(dsn), 10)
    journals = await alone.open_tables()
    assert [(each.table_id, each.epoch, each.owner) for each in journals] == [
        ("t", 2, alone.node_id),
        ("u", 2, alone.node_id),
    ]
    assert isinstance(await outcome_of(one.store, table.unit()), Failed)
    assert len(one.told) == 1
    await one.store.close()
    await alone.close()
    await audit(dsn)


@pytest.mark.parametrize("shared", [False, True], ids=["exclusive", "shared"])
async def test_an_owner_from_before_there_were_nodes_is_waited_for(dsn: str, shared: bool) -> None:
    """During an upgrade a server of the version before may still have the store."""
    await (await PostgresStore.open(dsn)).close()
    await execute(dsn, "UPDATE ownership SET owner_id = 'old', expires = now() + INTERVAL '700 ms'")
    waiting: list[str] = []
    store = await PostgresStore.open(
        dsn, shared=shared, waiting=lambda holder: waiting.append(holder.owner_id)
    )
    assert waiting == ["old"]
    assert await fetch(dsn, "SELECT 1 FROM ownership WHERE owner_id = 'old'") == []
    await store.close()


async def test_a_node_whose_lease_ran_out_goes_on_unless_it_was_declared_dead(dsn: str) -> None:
    one, two = await StoreNode.of(dsn), await StoreNode.of(dsn)
    table = TableUnits("t")
    await outcome_of(one.store, table.created())
    await one.lapse()
    assert await outcome_of(one.store, table.unit()) == DURABLE
    await one.lapse()
    await two.may_bury()
    (journal,) = await two.store.claim(["t"])
    assert journal.tail[-1].journal_sequence == 2
    one.wake()
    async with asyncio.timeout(5):
        while not one.told:
            await asyncio.sleep(0.01)
    assert "declared dead" in one.told[0]
    assert isinstance(await outcome_of(one.store, deposit("late")), Failed)
    assert [node.node_id for node in await two.store.nodes()] == [two.node_id]
    for node in (one, two):
        await node.store.close()
    assert two.told == []


async def test_after_an_outage_nobody_is_declared_dead_before_all_could_come_back(dsn: str) -> None:
    """An outage of the database ends every lease; whoever is back first must not take everything."""
    one, two = await StoreNode.of(dsn), await StoreNode.of(dsn)
    table = TableUnits("t")
    await outcome_of(one.store, table.created())
    for node in (one, two):
        await node.lapse()
    assert await two.store.claim(["t"]) == []
    assert await two.store.ownerless_tables() == ["t"]
    assert await outcome_of(one.store, table.unit()) == DURABLE
    await one.lapse()
    two.wake()
    async with asyncio.timeout(5):
        while not await two.store.claim(["t"]):
            await asyncio.sleep(0.05)
    assert isinstance(await outcome_of(one.store, table.unit()), Failed)
    for node in (one, two):
        await node.store.close()


@pytest.mark.parametrize("seed", range(3))
async def test_whoever_joins_at_once_is_told_apart(dsn: str, seed: int) -> None:
    """However servers come and go, one that has the store alone has it alone."""
    await (await PostgresStore.open(dsn)).close()
    there: list[bool] = []

    async def come_and_go(random: Random) -> None:
        for _ in range(3):
            shared = random.random() < 0.6
            store = await PostgresStore.open(dsn, lease_s=30.0, shared=shared)
            assert not there if not shared else all(there)
            there.append(shared)
            await asyncio.sleep(random.random() * 0.05)
            there.remove(shared)
            await store.close()

    async with asyncio.timeout(90):
        await asyncio.gather(*(come_and_go(Random(seed * 10 + place)) for place in range(6)))
    assert await fetch(dsn, "SELECT 1 FROM nodes WHERE NOT dead") == []
