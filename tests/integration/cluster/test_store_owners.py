"""Each open table has one owner, and nobody else's record of it is ever written."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest
from tests.support.postgres import execute, fetch
from tests.support.postgres_audit import audit
from tests.support.store_nodes import StoreNode, following, nodes
from tests.support.units import TableUnits, outcome_of, outcomes_of

from croupier.room import ledger
from croupier.room.cluster_ports import Owner
from croupier.room.ports import DURABLE, Failed, Outcome, Unit

MANY = 1000
MANY_SECONDS = 1.5


async def opened(node: StoreNode, *names: str) -> dict[str, TableUnits]:
    tables = {name: TableUnits(name) for name in names}
    created = await outcomes_of(node.store, [table.created() for table in tables.values()])
    assert created == [DURABLE] * len(names)
    return tables


def kinds(outcomes: list[Outcome]) -> list[type[Outcome]]:
    return [type(outcome) for outcome in outcomes]


async def test_a_table_belongs_to_the_node_that_opened_it() -> None:
    async with nodes(2) as (dsn, (one, two)):
        await opened(one, "t", "c\0\\")
        await opened(two, "u")
        closed = TableUnits("over")
        await outcomes_of(two.store, [closed.created(), closed.closed()])
        owners = {"t": one.node_id, "c\0\\": one.node_id, "u": two.node_id}
        for node in (one, two):
            for name, owner in owners.items():
                found = await node.store.owner(name)
                assert (found.open, found.node and found.node.node_id) == (True, owner)
            assert sorted(await node.store.owned()) == sorted(
                name for name, owner in owners.items() if owner == node.node_id
            )
            assert await node.store.ownerless_tables() == []
            for name in ("over", "never"):
                assert await node.store.owner(name) == Owner(None, open=False)
        assert await two.store.claim(["t", "u", "over", "never"]) == await two.store.open_tables()
        assert await fetch(dsn, "SELECT DISTINCT epoch FROM tables") == [(1,)]


async def test_a_table_that_two_nodes_open_under_one_name_is_the_firsts() -> None:
    async with nodes(2) as (_, (one, two)):
        outcomes = await asyncio.gather(
            *(outcome_of(node.store, TableUnits("t").created()) for node in (one, two))
        )
        assert sorted(kinds(list(outcomes)), key=lambda kind: kind.__name__) == [type(DURABLE), Failed]


async def test_who_does_not_own_a_table_writes_nothing_of_it_though_the_epoch_is_right() -> None:
    async with nodes(2) as (_, (one, two)):
        tables = await opened(one, "t")
        own = await opened(two, "u")
        journal = await two.store.recover("t")
        assert journal is not None
        assert (journal.owner, journal.epoch) == (one.node_id, 1)
        foreign = following([journal])["t"]
        outcomes = await outcomes_of(two.store, [own["u"].unit(), foreign.unit(), own["u"].unit()])
        assert kinds(outcomes) == [type(DURABLE), Failed, type(DURABLE)]
        assert one.node_id in outcomes[1].why  # type: ignore[union-attr]
        assert await outcome_of(one.store, tables["t"].unit()) == DURABLE


async def test_a_table_is_handed_over_after_what_was_submitted() -> None:
    async with nodes(3) as (dsn, (one, two, three)):
        tables = await opened(one, "t", "u", "v", "w")
        waiting = [asyncio.ensure_future(outcome_of(one.store, tables[name].unit())) for name in "tuvw"]
        await asyncio.sleep(0)
        await three.store.set_serving(False)
        moves = {"t": two.node_id, "u": "", "v": three.node_id, "w": "nobody", "x": two.node_id}
        assert await one.store.hand_over(moves) == {"t", "u", "x"}
        assert [future.result() for future in waiting] == [DURABLE] * 4
        deposit = Unit(entry_sets=(ledger.deposit("ann", "POE", 1, "d"),))
        late = [tables[name].unit() for name in "tuvw"]
        assert kinds(await outcomes_of(one.store, [*late, deposit])) == [Failed] * 2 + [type(DURABLE)] * 3
        assert await three.store.ownerless_tables() == ["u"]
        told = await asyncio.gather(two.store.claim(["t", "v"]), three.store.claim(["t", "u", "v"]))
        assert [[journal.table_id for journal in journals] for journals in told] == [["t"], ["u"]]
        assert [(journal.epoch, journal.tail[-1].journal_sequence) for (journal,) in told] == [(2, 2), (3, 2)]
        for node, journals in zip((two, three), told, strict=True):
            (units,) = following(journals).values()
            assert await outcomes_of(node.store, [units.unit(), units.unit()]) == [DURABLE] * 2
        assert one.told == []
        assert await one.store.hand_over({"t": ""}) == {"t"}
        assert (await two.store.owner("t")).node is not None
        await audit(dsn)


async def test_a_table_comes_back_to_a_node_that_gave_it_away() -> None:
    async with nodes(2) as (dsn, (one, two)):
        units = (await opened(one, "t"))["t"]
        for giver, taker in ((one, two), (two, one), (one, two), (two, one)):
            assert await giver.store.hand_over({"t": taker.node_id}) == {"t"}
            assert isinstance(await outcome_of(giver.store, units.unit()), Failed)
            units = following(await taker.store.claim(["t"]))["t"]
            assert await outcomes_of(taker.store, [units.unit(), units.unit()]) == [DURABLE] * 2
        await audit(dsn)


async def test_the_table_of_a_node_that_lives_is_not_to_be_had() -> None:
    async with nodes(2) as (_, (one, two)):
        tables = await opened(one, "t")
        await two.may_bury()
        assert await two.store.claim(["t"]) == []
        await one.lapse()
        assert await outcome_of(one.store, tables["t"].unit()) == DURABLE
        assert await two.store.claim(["t"]) == []


@pytest.mark.parametrize("seed", range(3))
async def test_the_tables_of_a_dead_node_are_won_by_one_each_and_it_writes_no_more(seed: int) -> None:
    """Claims race over the same tables, in any order, while what slept wakes up and writes."""
    random = Random(seed)
    names = [f"t{number}" for number in range(40)]
    async with nodes(4) as (dsn, (dead, *others)):
        tables = await opened(dead, *names)
        await dead.lapse()
        for node in others:
            await node.may_bury()

        async def claim(node: StoreNode) -> dict[str, TableUnits]:
            won: dict[str, TableUnits] = {}
            wanted = random.sample(names, len(names))
            for begin in range(0, len(names), 8):
                journals = await node.store.claim(wanted[begin : begin + 8])
                assert [journal.epoch for journal in journals] == [2] * len(journals)
                won |= following(journals)
            return won

        async def wake() -> list[Outcome]:
            await asyncio.sleep(0.01)
            dead.wake()
            return await outcomes_of(dead.store, [table.unit() for table in tables.values()])

        began = time.monotonic()
        claimed, late = await asyncio.gather(asyncio.gather(*map(claim, others)), wake())
        assert time.monotonic() - began < MANY_SECONDS
        assert sorted(name for won in claimed for name in won) == sorted(names)
        assert kinds(late) == [Failed] * len(names)
        assert len(dead.told) == 1
        for node, won in zip(others, claimed, strict=True):
            units = [each.unit() for each in won.values()]
            assert await outcomes_of(node.store, units) == [DURABLE] * len(units)
        stale = "SELECT count(*) FROM journal JOIN tables USING (table_key) WHERE journal.epoch = 1"
        assert await fetch(dsn, stale) == [(len(names),)]
        await audit(dsn)


@pytest.mark.parametrize("seed", range(3))
async def test_tables_given_to_nobody_are_won_by_one_node_each(seed: int) -> None:
    """Owners, claims and writes at random: every record is by the owner of its epoch, every chain is whole."""
    random = Random(seed)
    names = [f"t{number}" for number in range(12)]
    async with nodes(3) as (dsn, everyone):
        units: dict[str, TableUnits] = await opened(everyone[0], *names)
        holders = dict.fromkeys(names, everyone[0])
        for _ in range(25):
            given = random.sample(names, 6)
            for node in everyone:
                mine = {name: "" for name in given if holders[name] is node}
                assert await node.store.hand_over(mine) == mine.keys()
            late = [outcome_of(holders[name].store, units[name].unit()) for name in given]
            claims = [node.store.claim(random.sample(given, random.randint(3, 6))) for node in everyone]
            told = await asyncio.gather(asyncio.gather(*claims), asyncio.gather(*late))
            for node, journals in zip(everyone, told[0], strict=True):
                for name, following_units in following(journals).items():
                    units[name], holders[name] = following_units, node
            won = [journal.table_id for journals in told[0] for journal in journals]
            assert len(won) == len({*won})
            assert kinds(told[1]) == [Failed] * 6
            for name in {*given} - {*won}:
                (journal,) = await everyone[0].store.claim([name])
                units[name], holders[name] = following([journal])[name], everyone[0]
            for name in given:  # a late record of its own has halted it, if its last owner is its next
                await holders[name].store.recover(name)
            written = await asyncio.gather(
                *(outcome_of(holders[name].store, units[name].unit()) for name in names)
            )
            assert written == [DURABLE] * len(names)
        assert all(not node.told for node in everyone)
        await audit(dsn)


async def test_a_thousand_tables_change_hands_at_once() -> None:
    async with nodes(2, lease_s=60.0) as (dsn, (one, two)):
        names = [f"t{number}" for number in range(MANY)]
        tables = await opened(one, *names)
        units = [table.unit(checkpoint=number == 9) for number in range(12) for table in tables.values()]
        assert {*await outcomes_of(one.store, units)} == {DURABLE}
        await execute(dsn, "ANALYZE")
        began = time.monotonic()
        assert len(await one.store.hand_over(dict.fromkeys(names, two.node_id))) == MANY
        handed = time.monotonic()
        journals = await two.store.claim(names)
        claimed = time.monotonic()
        assert len(journals) == MANY
        assert {len(journal.tail) for journal in journals} == {3}
        assert handed - began < MANY_SECONDS
        assert claimed - handed < MANY_SECONDS
        await two.lapse()
        await one.may_bury()
        again = time.monotonic()
        assert len(await one.store.claim(names)) == MANY
        assert time.monotonic() - again < MANY_SECONDS
        print(
            f"handed over {handed - began:.3f}, claimed {claimed - handed:.3f}, taken {time.monotonic() - again:.3f} s"
        )
