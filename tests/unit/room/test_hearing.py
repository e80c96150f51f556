"""A bus that comes apart under servers that go on seeing each other in the store: who notices, and who gives way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

import pytest
from tests.fakes.memory_fleet import MemoryFleet, MemoryTables
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.buses import LocalBus, Wires

from croupier.room.cluster_ports import Fleet, NobodyThere
from croupier.room.hearing import (
    DEAF_FIRST_NS,
    DEAF_NS,
    FEW,
    LOOK_NS,
    MOST_SILENT,
    MOST_TURN_NS,
    UNHEARD_NS,
    Hearing,
)
from croupier.room.link import Link
from croupier.room.listing import ListedTable
from croupier.room.membership import Membership
from croupier.room.node_calls import Describe, NodeCalls
from croupier.room.ports import TableJournal
from croupier.room.services import Services
from croupier.room.subjects import Subjects

TABLES = [f"{number:020x}" for number in range(60)]
SUBJECTS = Subjects("test")
MANY = 60
"""Far more than are asked at once."""
NOTICED_S = (UNHEARD_NS + 3 * LOOK_NS) / NS
GIVEN_S = NOTICED_S + (DEAF_FIRST_NS + MOST_TURN_NS) / NS + 4
"""Two more looks, and what the membership takes."""
DEAF_S = (DEAF_NS + 2 * LOOK_NS) / NS + 2


class SplitBus(LocalBus):
    """Carries nothing to another `side`, and says so unless it is `silent`."""

    side = 0
    silent = False
    asked: ClassVar[Counter[str]] = Counter()

    async def request(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        self.asked[subject] += 1
        served = self._wires.served.get(subject)
        if served is None or cast("SplitBus", served.bus).side == self.side:
            return await super().request(subject, data, timeout_s)
        if self.silent:
            raise TimeoutError
        raise NobodyThere


class Server:
    """A node, and the tables that it has."""

    def __init__(self, tables: MemoryTables, wires: Wires, number: int) -> None:
        name = f"node-{number:03}"
        self.fleet = MemoryFleet(tables, name)
        self.bus = SplitBus(wires)
        self.here: set[str] = set()
        self._runtime = runtime = tables.runtime
        self._calls = NodeCalls(Link(cast("Services", None), self.bus, SUBJECTS, name))
        self._calls.answer_by(Describe, self._described)
        fleet = cast("Fleet", self.fleet)
        self.membership = Membership(runtime, fleet, self.bus, self, self)
        self.hearing = Hearing(runtime, fleet, self._calls, self.membership)
        runtime.spawn(self._begin())

    async def _begin(self) -> None:
        await self.bus.serve(SUBJECTS.node(self.fleet.node_id), self._calls.answer)
        self._runtime.spawn(self.membership.run())
        self._runtime.spawn(self.hearing.run())

    async def _described(self, _: Describe) -> list[ListedTable]:
        return []

    def deafen(self) -> None:
        """Nobody can ask it any more, itself included; it can ask."""
        self._served = self.bus._wires.served.pop(SUBJECTS.node(self.fleet.node_id))

    def heal(self) -> None:
        self.bus._wires.served[SUBJECTS.node(self.fleet.node_id)] = self._served

    def die(self) -> None:
        self.fleet.alive = False
        self.here.clear()
        self.bus.cut()

    def hosted(self) -> list[str]:
        return sorted(self.here)

    async def take(self, journals: Sequence[TableJournal]) -> None:
        self.here.update(journal.table_id for journal in journals)

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        self.here -= moves.keys()
        await self.fleet.hand_over(moves)

    def claimed(self, tables: int) -> None: ...

    def store_failed(self, _: Exception) -> None: ...


class Servers:
    """So many, who have known each other for a while."""

    def __init__(self, runtime: SimulatedRuntime, count: int) -> None:
        self.runtime = runtime
        self.tables = MemoryTables(runtime, dict.fromkeys(TABLES, ""))
        self._wires = Wires()
        self.all: list[Server] = []
        for _ in range(count):
            self.add()

    def add(self) -> Server:
        """One more, of another name than any before."""
        self.all.append(Server(self.tables, self._wires, len(self.all)))
        return self.all[-1]

    @classmethod
    async def settled(cls, runtime: SimulatedRuntime, count: int) -> Servers:
        made = cls(runtime, count)
        await runtime.sleep(30)
        return made

    def split(self, *sides: int) -> None:
        for server, side in zip(self.all, sides, strict=True):
            server.bus.side = side

    def mend(self) -> None:
        self.split(*[0] * len(self.all))

    def unheard(self) -> list[int]:
        return [len(server.hearing.unheard) for server in self.all]

    def serving(self) -> list[bool]:
        return [server.fleet.node_id in self.tables.serving for server in self.all]

    def held(self) -> set[str]:
        """By the servers that take tables."""
        return {table for server in self.all for table in server.here}


@simulated()
async def test_who_hears_all_says_nothing(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, 3)
    for _ in range(100):
        await runtime.sleep(0.5)
        assert servers.unheard() == [0, 0, 0]
        assert servers.serving() == [True] * 3


@simulated()
async def test_two_halves_tell_of_it_and_keep_what_they_have(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, 4)
    before = [{*server.here} for server in servers.all]
    servers.split(0, 0, 1, 1)
    await runtime.sleep(NOTICED_S)
    for _ in range(300):
        assert servers.unheard() == [2, 2, 2, 2]
        assert servers.serving() == [True] * 4
        await runtime.sleep(0.5)
    assert [server.here for server in servers.all] == before
    servers.mend()
    await runtime.sleep(2 * LOOK_NS / NS)
    assert servers.unheard() == [0, 0, 0, 0]


@simulated()
async def test_of_two_servers_both_tell_of_it_and_keep_what_they_have(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, 2)
    before = [{*server.here} for server in servers.all]
    servers.split(0, 1)
    await runtime.sleep(60)
    assert servers.unheard() == [1, 1]
    assert servers.serving() == [True, True]
    assert [server.here for server in servers.all] == before


@simulated()
async def test_who_is_apart_from_all_gives_its_tables_to_the_others_until_it_hears_them(
    runtime: SimulatedRuntime,
) -> None:
    servers = await Servers.settled(runtime, 3)
    alone = servers.all[1]
    assert alone.here
    servers.split(0, 1, 0)
    await runtime.sleep(UNHEARD_NS / NS)
    assert alone.here, "too early: servers that died would be taken for a split"
    await runtime.sleep(GIVEN_S)
    assert alone.membership.cut_off
    assert not alone.here
    assert servers.held() == {*TABLES}
    for _ in range(100):
        await runtime.sleep(0.5)
        assert servers.serving() == [True, False, True]
        assert servers.unheard() == [0, 2, 0]
        assert not await alone.membership.locate(TABLES[0])
    servers.mend()
    await runtime.sleep(2 * LOOK_NS / NS)
    assert not alone.membership.cut_off
    await runtime.sleep(20)
    assert alone.here
    assert servers.serving() == [True] * 3


@simulated()
async def test_who_is_not_heard_by_itself_gives_its_tables_away_and_tells_of_it(
    runtime: SimulatedRuntime,
) -> None:
    """The others hear it no more than it does, and would give everybody time for as long as that lasts."""
    servers = await Servers.settled(runtime, 2)
    deaf = servers.all[1]
    deaf.deafen()
    await runtime.sleep(DEAF_S)
    assert servers.serving() == [True, False]
    await runtime.sleep(UNHEARD_NS / NS)
    assert servers.all[0].here == {*TABLES}
    assert servers.unheard() == [0, 1]
    assert deaf.hearing.deaf
    deaf.heal()
    await runtime.sleep(20)
    assert servers.serving() == [True, True]
    assert servers.unheard() == [0, 0]
    assert deaf.here


@pytest.mark.parametrize("seed", range(10))
def test_who_can_be_asked_gives_nothing_to_those_whom_nobody_can_ask(seed: int) -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = await Servers.settled(runtime, 3)
        sound, *deaf = servers.all
        await runtime.sleep(seed / 7)
        for server in deaf:
            server.deafen()
        for _ in range(400):
            await runtime.sleep(0.1)
            assert servers.serving()[0]
            assert not sound.membership.cut_off
        assert servers.serving() == [True, False, False]
        assert servers.unheard() == [0, 1, 1]
        assert not sound.hearing.hears, "nobody else takes tables, which is not that all are heard"
        assert sound.here == {*TABLES}
        for server in deaf:
            server.heal()
        await runtime.sleep(20)
        assert servers.serving() == [True] * 3
        assert all(server.here for server in servers.all)

    simulated(seed)(scenario)()


@simulated()
async def test_where_nobody_can_be_asked_two_go_on(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, 4)
    for server in servers.all:
        server.deafen()
    await runtime.sleep(60)
    for _ in range(100):
        assert sum(servers.serving()) == 2
        assert servers.held() == {*TABLES}
        await runtime.sleep(0.5)


@pytest.mark.parametrize("seed", range(5))
def test_others_that_die_again_and_again_are_not_taken_for_a_split(seed: int) -> None:
    """Each comes back under another name, and its lease runs for a while after its end."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = await Servers.settled(runtime, 1)
        sound = servers.all[0]
        await runtime.sleep(seed / 7)
        crashing: list[Server] = []
        for step in range(400):
            await runtime.sleep(0.1)
            assert servers.serving()[0]
            if step % 16 == 0:
                crashing = [servers.add() for _ in range(2)]
            if step % 16 == 4:
                for server in crashing:
                    server.die()
        assert not sound.membership.cut_off
        assert len(servers.all) == 51

    simulated(seed)(scenario)()


@simulated()
async def test_who_is_apart_goes_on_alone_once_the_others_are_gone(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, 3)
    servers.split(0, 1, 0)
    await runtime.sleep(NOTICED_S + GIVEN_S)
    assert servers.serving() == [True, False, True]
    servers.all[0].die()
    servers.all[2].die()
    await runtime.sleep(20)
    assert servers.all[1].here == {*TABLES}


@simulated()
async def test_where_nats_does_not_say_that_they_are_not_there_nobody_gives_way(
    runtime: SimulatedRuntime,
) -> None:
    """A bus that is slow is no reason to send tables about."""
    servers = await Servers.settled(runtime, 3)
    before = [{*server.here} for server in servers.all]
    for server in servers.all:
        server.bus.silent = True
    servers.split(0, 1, 2)
    await runtime.sleep(60)
    assert servers.unheard() == [2, 2, 2]
    assert servers.serving() == [True] * 3
    assert [server.here for server in servers.all] == before


@pytest.mark.parametrize("seed", range(20))
def test_where_everybody_is_apart_two_go_on(seed: int) -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = await Servers.settled(runtime, 5)
        servers.split(*range(5))
        await runtime.sleep(60)
        for _ in range(100):
            assert sum(servers.serving()) == 2
            assert servers.held() == {*TABLES}
            await runtime.sleep(0.5)

    simulated(seed)(scenario)()


@pytest.mark.parametrize("seed", range(20))
def test_servers_that_die_or_lose_the_bus_are_not_taken_for_a_split(seed: int) -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers = await Servers.settled(runtime, 4)
        await runtime.sleep(seed / 7)
        servers.all[0].die()
        await runtime.sleep(seed / 5)
        servers.all[1].bus.cut()
        for _ in range(200):
            await runtime.sleep(0.1)
            assert servers.unheard()[1:] == [0, 0, 0]
            assert servers.serving()[2:] == [True, True]

    simulated(seed)(scenario)()


@simulated()
async def test_many_servers_ask_each_other_little_and_tell_of_a_split(runtime: SimulatedRuntime) -> None:
    servers = await Servers.settled(runtime, MANY)
    asked = SplitBus.asked
    asked.clear()
    await runtime.sleep(20)
    looks = 20 / (LOOK_NS / NS)
    assert MANY * (FEW + 1) * looks / 2 < asked.total() <= MANY * (FEW + 1) * (looks + 1)
    assert max(asked.values()) < 10 * looks * FEW / 2
    servers.split(*[0, 1] * (MANY // 2))
    await runtime.sleep(4 * NOTICED_S)
    for _ in range(20):
        assert all(1 <= unheard <= MOST_SILENT for unheard in servers.unheard())
        assert all(servers.serving())
        await runtime.sleep(1)
    servers.mend()
    await runtime.sleep(2 * LOOK_NS / NS)
    assert not any(servers.unheard())
