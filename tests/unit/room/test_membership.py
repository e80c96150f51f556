"""Servers that share a store: who takes which table, when one dies, comes, leaves, or has no bus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from tests.fakes.memory_fleet import LEASE, MemoryFleet, MemoryTables
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated

from croupier.room.cluster_ports import Bus
from croupier.room.membership import MOST_MOVES, Membership
from croupier.room.placement import Placement
from croupier.room.ports import TableJournal

TABLES = [f"{number:020x}" for number in range(300)]


class Telephone(Bus):
    """A bus of which only one thing matters."""

    connected = True


class Server:
    """A node, and the tables that it has."""

    def __init__(self, tables: MemoryTables, number: int) -> None:
        self.fleet = MemoryFleet(tables, f"node-{number}")
        self.bus = Telephone()  # type: ignore[abstract]
        self.here: set[str] = set()
        self.taken = 0
        self.failures = 0
        self.deaf = False
        self._runtime = tables.runtime
        self.membership = Membership(tables.runtime, self.fleet, self.bus, self, self)  # type: ignore[arg-type]

    def begin(self) -> None:
        self._runtime.spawn(self.membership.run())

    def die(self) -> None:
        """As by SIGKILL: nothing is given back."""
        self.fleet.alive = False
        self.here.clear()

    def hosted(self) -> list[str]:
        return sorted(self.here)

    async def take(self, journals: Sequence[TableJournal]) -> None:
        if not self.deaf:
            self.here.update(journal.table_id for journal in journals)

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        self.here -= moves.keys()
        await self.fleet.hand_over(moves)

    def claimed(self, tables: int) -> None:
        self.taken += tables

    def store_failed(self, _: Exception) -> None:
        self.failures += 1


class Servers:
    """So many on one store of tables that belong to nobody at first."""

    def __init__(self, runtime: SimulatedRuntime, count: int) -> None:
        self.tables = MemoryTables(runtime, dict.fromkeys(TABLES, ""))
        self.all: list[Server] = []
        for _ in range(count):
            self.add()

    def add(self) -> Server:
        server = Server(self.tables, len(self.all))
        self.all.append(server)
        server.begin()
        return server

    def must_agree(self) -> None:
        """Every table is at one live server, the one that the store names and that it belongs to."""
        alive = [
            server
            for server in self.all
            if server.fleet.alive and server.fleet.node_id in self.tables.serving
        ]
        placement = Placement([server.fleet.node_id for server in alive])
        for server in alive:
            name = server.fleet.node_id
            assert server.here == {table for table in TABLES if placement.node_of(table) == name}
            assert server.here == self.tables.by_node()[name]


@simulated()
async def test_one_server_takes_everything(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 1)
    await runtime.sleep(1)
    assert servers.all[0].here == {*TABLES}


@simulated()
async def test_several_share(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    servers.must_agree()


@simulated()
async def test_a_dead_servers_tables_are_taken_within_five_seconds(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    lost = {*servers.all[0].here}
    servers.all[0].die()
    died = runtime.now()
    await runtime.sleep(5)
    servers.must_agree()
    taken = [(when - died, table_id) for when, table_id, _ in servers.tables.claims if when > died]
    assert sorted(table_id for _, table_id in taken) == sorted(lost)
    assert min(taken)[0] > LEASE - NS
    assert max(taken)[0] < 4.5 * NS


@simulated()
async def test_a_new_server_is_given_its_share_a_few_at_a_time(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 1)
    await runtime.sleep(10)
    new = servers.add()
    most = 0
    for _ in range(300):
        before = len(new.here)
        await runtime.sleep(0.1)
        new.here |= servers.tables.by_node()[new.fleet.node_id]
        most = max(most, len(new.here) - before)
    servers.must_agree()
    assert most <= MOST_MOVES


@simulated()
async def test_tables_that_were_given_unheard_are_found(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 2)
    await runtime.sleep(30)
    servers.must_agree()
    assert servers.all[1].here


@simulated()
async def test_who_leaves_gives_all_at_once(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    leaving = servers.all[1]
    await leaving.membership.leave()
    assert not leaving.here
    owned = servers.tables.by_node()
    assert not owned[leaving.fleet.node_id]
    assert not owned[""]
    await runtime.sleep(10)
    servers.must_agree()


@simulated()
async def test_the_last_to_leave_leaves_them_to_nobody(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 1)
    await runtime.sleep(1)
    await servers.all[0].membership.leave()
    assert servers.tables.by_node()[""] == {*TABLES}


@simulated()
async def test_who_has_no_bus_gives_its_tables_to_those_who_have(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    servers.all[2].bus.connected = False
    await runtime.sleep(1)
    assert servers.all[2].here
    await runtime.sleep(7)
    assert not servers.all[2].here
    servers.must_agree()
    servers.all[2].bus.connected = True
    await runtime.sleep(30)
    servers.must_agree()
    assert servers.all[2].here


@simulated()
async def test_who_alone_has_no_bus_is_cut_off(runtime: SimulatedRuntime) -> None:
    """Within two seconds; its callers take nothing back that it gave away."""
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    alone = servers.all[2]
    mine = {*alone.here}
    alone.bus.connected = False
    await runtime.sleep(0.9)
    assert not alone.membership.cut_off
    assert alone.fleet.node_id not in servers.tables.serving
    await runtime.sleep(0.3)
    assert alone.membership.cut_off
    assert not alone.here
    assert not any([await alone.membership.locate(table_id) for table_id in mine])
    await runtime.sleep(1)
    owned = servers.tables.by_node()
    assert not owned[alone.fleet.node_id] | owned[""]
    alone.bus.connected = True
    await runtime.sleep(0.2)
    assert not alone.membership.cut_off
    assert alone.fleet.node_id in servers.tables.serving


@simulated()
async def test_where_nobody_has_a_bus_everybody_keeps_what_is_there(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 3)
    await runtime.sleep(20)
    before = [{*server.here} for server in servers.all]
    for server in servers.all:
        server.bus.connected = False
        await runtime.sleep(0.25)  # they notice it one after another
    for _ in range(600):
        await runtime.sleep(0.1)
        assert not any(server.membership.cut_off for server in servers.all)
    assert [server.here for server in servers.all] == before


@simulated()
async def test_a_store_that_is_away_is_asked_again(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 2)
    await runtime.sleep(20)
    servers.all[0].fleet.away = True
    await runtime.sleep(10)
    assert servers.all[0].failures > 5
    assert servers.all[1].here == {*TABLES}
    servers.all[0].here.clear()
    servers.all[0].fleet.away = False
    await runtime.sleep(30)
    servers.must_agree()


@simulated()
async def test_a_dead_servers_table_is_claimed_when_its_lease_is_over(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 2)
    await runtime.sleep(20)
    lost = next(iter(servers.all[0].here))
    servers.all[0].die()
    asked, found = 0, False
    while not found:
        found = await servers.all[1].membership.locate(lost)
        asked += 1
    assert lost in servers.all[1].here
    assert asked > 10


@simulated()
async def test_who_asks_together_claims_once(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 1)
    membership = servers.all[0].membership
    calls = [runtime.begin(membership.locate(TABLES[0])) for _ in range(5)]
    assert [await call for call in calls] == [True] * 5
    assert [table for _, table, _ in servers.tables.claims].count(TABLES[0]) == 1


@simulated()
async def test_a_claim_goes_on_when_whoever_asked_has_gone(runtime: SimulatedRuntime) -> None:
    server = Servers(runtime, 1).all[0]
    take, taken = server.take, list[str]()

    async def slowly(journals: Sequence[TableJournal]) -> None:
        await runtime.sleep(1)
        taken.extend(journal.table_id for journal in journals)
        await take(journals)

    server.take = slowly  # type: ignore[method-assign]
    first = asyncio.ensure_future(server.membership.locate(TABLES[0]))
    second = runtime.begin(server.membership.locate(TABLES[0]))
    await runtime.sleep(0.5)
    assert not taken
    first.cancel()
    assert await second
    assert taken == [TABLES[0]]


@simulated()
async def test_a_closed_or_unknown_table_is_anybodys_to_tell_of(runtime: SimulatedRuntime) -> None:
    servers = Servers(runtime, 1)
    await runtime.sleep(1)
    servers.tables.closed.add(TABLES[0])
    servers.all[0].here.discard(TABLES[0])
    assert await servers.all[0].membership.locate(TABLES[0])
    assert await servers.all[0].membership.locate("no such table")


@simulated()
async def test_what_was_let_go_of_while_the_store_went_away_is_taken_back_at_the_next_look(
    runtime: SimulatedRuntime,
) -> None:
    servers = Servers(runtime, 1)
    (server,) = servers.all
    await runtime.sleep(1)
    server.here.clear()
    server.fleet.away = True
    await runtime.sleep(1)
    server.fleet.away = False
    await runtime.sleep(1)
    assert server.here == {*TABLES}
