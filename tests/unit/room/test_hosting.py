"""A server's tables among several: one actor a table, whatever claims and hand-overs cross each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fakes.memory_fleet import FIRST
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.buses import LocalBus, Wires

from croupier.room.failures import StoreAway
from croupier.room.hosting import Hosting
from croupier.room.ports import TableJournal
from croupier.room.subjects import Subjects


def journal(epoch: int, table_id: str = "t") -> TableJournal:
    return TableJournal(table_id, FIRST, [FIRST], epoch)


class Tables:
    """A Room of which only coming and going matters; `begun` are the epochs in which the table began here."""

    def __init__(self, runtime: SimulatedRuntime) -> None:
        self.here: dict[str, int] = {}
        self.begun: list[int] = []
        self.hands = SimpleNamespace(expect=list, catch_up=self._catch_up)
        self._runtime = runtime

    async def _catch_up(self, _: set[str]) -> None: ...

    def has(self, table_id: str) -> bool:
        return table_id in self.here

    async def take(self, taken: TableJournal) -> None:
        await self._runtime.sleep(1)
        self.begun.append(taken.epoch)
        self.here[taken.table_id] = taken.epoch

    def release(self, table_id: str) -> int:
        return self.here.pop(table_id, 0)


class Store:
    """Hands over what it is told to, unless it is `away` or `keeps` it, once a second has gone by."""

    def __init__(self, runtime: SimulatedRuntime) -> None:
        self.away = self.keeps = False
        self._runtime = runtime

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        await self._runtime.sleep(1)
        if self.away:
            raise StoreAway("away")
        return set() if self.keeps else {*moves}

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        return [journal(1, table_id) for table_id in table_ids]


class Told:
    def handed_over(self, _: int) -> None: ...


class Scene:
    def __init__(self, runtime: SimulatedRuntime) -> None:
        self.tables, self.store = Tables(runtime), Store(runtime)
        services: Any = SimpleNamespace(runtime=runtime)
        link: Any = SimpleNamespace(services=services, bus=LocalBus(Wires()), subjects=Subjects("room"))
        some: Any = None
        rooms: Any = self.tables
        fleet: Any = self.store
        told: Any = Told()
        self.hosting = Hosting(rooms, fleet, link, some, some, told)


@simulated()
async def test_a_table_that_is_claimed_twice_begins_once(runtime: SimulatedRuntime) -> None:
    """Else the one that nobody knows would go on with its clock."""
    scene = Scene(runtime)
    claims = [runtime.begin(scene.hosting.take([journal(1)])) for _ in range(3)]
    for claim in claims:
        await claim
    await scene.hosting.take([journal(1)])
    assert scene.tables.begun == [1]


@simulated()
async def test_a_claim_that_a_hand_over_overtook_brings_nothing_back(runtime: SimulatedRuntime) -> None:
    scene = Scene(runtime)
    await scene.hosting.take([journal(1)])
    handing = runtime.begin(scene.hosting.hand_over({"t": ""}))
    await runtime.sleep(0.5)
    await scene.hosting.take([journal(1)])
    await handing
    await scene.hosting.take([journal(1)])
    assert not scene.tables.here
    await scene.hosting.take([journal(3)])
    assert scene.tables.here == {"t": 3}


@simulated()
async def test_what_was_not_handed_over_is_gone_on_with(runtime: SimulatedRuntime) -> None:
    scene = Scene(runtime)
    await scene.hosting.take([journal(1)])
    scene.store.keeps = True
    await scene.hosting.hand_over({"t": ""})
    assert scene.tables.begun == [1, 1]
    scene.store.away = True
    with pytest.raises(StoreAway):
        await scene.hosting.hand_over({"t": ""})
    await scene.hosting.take([journal(1)])
    assert scene.tables.here == {"t": 1}
