"""A bus that comes apart under servers that go on seeing each other in the store: who notices, and tells of it."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.split_servers import (
    MANY,
    NOTICED_S,
    Servers,
    SplitBus,
)

from croupier.room.hearing import FEW, LOOK_NS, MOST_SILENT


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
