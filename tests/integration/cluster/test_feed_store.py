"""How far the feed is, in PostgreSQL: what is not told yet of whose tables, and what is noted of it."""

from __future__ import annotations

import asyncio
from itertools import chain

import pytest
from tests.support.postgres import execute, fetch
from tests.support.store_nodes import StoreNode, nodes
from tests.support.units import TableUnits, money, outcome_of, outcomes_of

from croupier.adapters.postgres.feed import PostgresFeed, tell_again
from croupier.room.failures import StoreAway
from croupier.room.hand_ports import HandPlace, SettledHand
from croupier.room.outbox_ports import WALLETS, Fed, FeedIsAnother, Share, Unfed
from croupier.room.ports import DURABLE

ALONE = Share(0, 1)
FEED = "FEED"


async def settled(node: StoreNode, table: TableUnits, *numbers: int) -> None:
    """Hands of a table that have ended, in the journal and in the index."""
    for number in numbers:
        assert await outcome_of(node.store, table.unit(checkpoint=True)) == DURABLE
        record = (await node.store.records(table.table_id, 0, 1000))[-1]
        place = HandPlace(table.table_id, number, record.sequence, record.sequence, 1000 + number)
        await node.store.index_hands([SettledHand(place, ("anna",))])


async def opened(node: StoreNode, name: str) -> TableUnits:
    table = TableUnits(name)
    assert await outcome_of(node.store, table.created()) == DURABLE
    return table


async def moved(node: StoreNode, name: str, table_id: str = "") -> None:
    unit = money(name, ("world/x", -5), (f"wallet/{name}", 5), table_id=table_id)
    assert await outcome_of(node.store, unit) == DURABLE


async def behind(feed: PostgresFeed, share: Share = ALONE) -> list[Unfed]:
    standing = await feed.unfed(FEED, share, 100)
    return sorted(standing.tables, key=lambda one: one.fed.table_id)


async def test_a_table_is_behind_until_its_hands_and_entries_are_noted() -> None:
    async with nodes(2) as (_, (one, two)):
        feed = one.store.feed
        await feed.begin_feed(FEED)
        odd = "t\0\\"
        table = await opened(one, odd)
        assert await behind(feed) == []
        await settled(one, table, 1, 2)
        assert await behind(feed) == [Unfed(Fed(odd, 0, 0), "house", False, 2, 1001, True)]
        await moved(one, "a", odd)
        await feed.note_fed(1, [Fed(odd, 1, 0)])
        assert await behind(feed) == [Unfed(Fed(odd, 1, 0), "house", False, 2, 1002, True)]
        assert [place.hand_number for place in await feed.hands_after(odd, 1, 10)] == [2]
        await feed.note_fed(1, [Fed(odd, 2, 0)])
        assert await behind(feed) == [Unfed(Fed(odd, 2, 0), "house", False, 2, 0, True)]
        entries = await feed.sets_after(odd, 0, 10)
        assert [entry.amount for entry in entries] == [-5, 5]
        await feed.note_fed(1, [Fed(odd, 0, entries[-1].entry_id)])
        assert await behind(feed) == []
        assert await behind(two.store.feed) == [], "nobody tells of a table that is another's"


async def test_noting_never_goes_back() -> None:
    async with nodes(2) as (_, (one, two)):
        for node in (one, two):
            await node.store.feed.begin_feed(FEED)
        table = await opened(one, "t")
        await settled(one, table, 1, 2, 3)
        await asyncio.gather(
            one.store.feed.note_fed(1, [Fed("t", 3, 7)]), two.store.feed.note_fed(1, [Fed("t", 2, 9)])
        )
        await two.store.feed.note_fed(1, [Fed("t", 1, 1), Fed(WALLETS, 0, 4)])
        await one.store.feed.note_fed(1, [Fed(WALLETS, 0, 2)])
        assert await one.store.feed.hands_after("t", 3, 9) == []
        standing = await one.store.feed.unfed(FEED, ALONE, 9)
        assert (standing.wallets, standing.tables, standing.begun) == (Fed(WALLETS, 0, 4), [], True)


async def test_closed_tables_are_shared_among_those_that_serve_until_all_of_them_is_told() -> None:
    async with nodes(3) as (_, (one, *others)):
        for node in (one, *others):
            await node.store.feed.begin_feed(FEED)
        names = [f"t{number}" for number in range(9)]
        for name in names:
            table = await opened(one, name)
            await settled(one, table, 1)
            assert await outcome_of(one.store, table.closed()) == DURABLE
        shares = [
            [unfed.fed.table_id for unfed in await behind(node.store.feed, Share(place, 3))]
            for place, node in enumerate((one, *others))
        ]
        assert sorted(chain.from_iterable(shares)) == names
        assert [len(share) for share in shares] == [3, 3, 3]
        await one.store.feed.note_fed(1, [Fed(name, 1, 0, over=True) for name in names[:4]])
        assert [unfed.fed.table_id for unfed in await behind(others[0].store.feed)] == names[4:]


async def test_a_closed_table_whose_last_hand_is_not_indexed_says_so() -> None:
    async with nodes(1) as (_, (node,)):
        await node.store.feed.begin_feed(FEED)
        table = await opened(node, "t")
        await settled(node, table, 1)
        await outcomes_of(node.store, [table.unit(checkpoint=True), table.closed()])
        assert [
            (unfed.closed, unfed.last_hand, unfed.indexed) for unfed in await behind(node.store.feed)
        ] == [(True, 1, False)]


async def test_an_open_table_is_never_over() -> None:
    """A node that has not heard of a table's being dealt again cannot end it."""
    async with nodes(1) as (dsn, (node,)):
        await node.store.feed.begin_feed(FEED)
        await opened(node, "t")
        await node.store.feed.note_fed(1, [Fed("t", 0, 0, over=True)])
        assert await fetch(dsn, "SELECT fed FROM tables") == [(False,)]


async def test_entries_that_concern_no_table_come_in_whole_sets_in_their_order() -> None:
    async with nodes(2) as (_, (one, two)):
        await opened(one, "t")
        for number in range(6):
            await moved((one, two)[number % 2], f"w{number}")
            await moved(one, f"t{number}", "t")
        entries = await two.store.feed.sets_after("", 0, 4)
        assert [entry.entry_set_id for entry in entries] == [
            name for n in range(4) for name in (f"w{n}",) * 2
        ]
        later = await two.store.feed.sets_after("", entries[-1].entry_id, 100)
        assert [entry.entry_set_id for entry in later] == ["w4", "w4", "w5", "w5"]
        assert len(await two.store.feed.sets_after("t", 0, 100)) == 12


async def test_one_feed_a_store() -> None:
    async with nodes(2) as (dsn, (one, two)):
        await one.store.feed.begin_feed(FEED)
        await one.store.feed.begin_feed(FEED)
        with pytest.raises(FeedIsAnother, match="'FEED'"):
            await two.store.feed.begin_feed("OTHER")
        await tell_again(dsn, "OTHER")
        await two.store.feed.begin_feed("OTHER")
        with pytest.raises(FeedIsAnother):
            await one.store.feed.unfed(FEED, ALONE, 1)


async def test_telling_again_begins_with_nothing_and_drops_what_is_noted_late() -> None:
    async with nodes(1) as (dsn, (node,)):
        feed = node.store.feed
        await feed.begin_feed(FEED)
        table = await opened(node, "t")
        await settled(node, table, 1, 2)
        closed = await opened(node, "closed")
        await settled(node, closed, 1)
        await outcome_of(node.store, closed.closed())
        await moved(node, "w")
        noted = [Fed("t", 2, 0), Fed("closed", 1, 0, over=True), Fed(WALLETS, 0, 2)]
        await feed.note_fed(1, noted)
        assert await behind(feed) == []
        assert await tell_again(dsn, FEED) == (3, 1)
        await feed.note_fed(1, noted)
        standing = await feed.unfed(FEED, ALONE, 9)
        assert (standing.telling, standing.begun, standing.wallets.entries) == (2, False, 0)
        assert [unfed.fed for unfed in await behind(feed)] == [Fed("closed", 0, 0), Fed("t", 0, 0)]


async def test_notes_that_wait_for_a_new_telling_to_begin_are_dropped() -> None:
    """What is noted while the telling changes would else be held for told."""
    async with nodes(1) as (dsn, (node,)):
        feed = node.store.feed
        await feed.begin_feed(FEED)
        await opened(node, "t")
        import asyncpg

        connection = await asyncpg.connect(dsn)
        try:
            async with connection.transaction():
                await connection.execute("UPDATE feed SET telling = telling + 1")
                noting = asyncio.create_task(feed.note_fed(1, [Fed("t", 5, 5)]))
                await asyncio.sleep(0.2)
                assert not noting.done()
            await noting
        finally:
            await connection.close()
        assert await fetch(dsn, "SELECT count(*) FROM fed_tables") == [(0,)]


async def test_a_node_that_was_declared_dead_notes_nothing() -> None:
    async with nodes(2) as (dsn, (one, two)):
        await one.store.feed.begin_feed(FEED)
        await opened(one, "t")
        await execute(dsn, f"UPDATE nodes SET dead = true WHERE node_id = '{one.node_id}'")
        with pytest.raises(StoreAway, match=r"dead|another"):
            await one.store.feed.note_fed(1, [Fed("t", 1, 1)])
        assert await fetch(dsn, "SELECT count(*) FROM fed_tables") == [(0,)]
        assert two.told == []
