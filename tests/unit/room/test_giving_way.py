"""Who gives its tables to others where a bus has come apart, and who keeps them."""

from __future__ import annotations

import pytest
from tests.fakes.simulated_runtime import NS, SimulatedRuntime, simulated
from tests.support.split_servers import (
    DEAF_S,
    GIVEN_S,
    NOTICED_S,
    TABLES,
    Server,
    Servers,
)

from croupier.room.hearing import LOOK_NS, UNHEARD_NS


@simulated()
async def test_who_has_given_way_passes_on_what_it_is_handed_and_not_told_of(
    runtime: SimulatedRuntime,
) -> None:
    """By who does not know yet that it takes none."""
    servers = await Servers.settled(runtime, 3)
    giver, deaf = servers.all[0], servers.all[2]
    deaf.deafen()
    await runtime.sleep(DEAF_S)
    assert deaf.membership.cut_off
    given = giver.hosted()[:5]
    await giver.hand_over(dict.fromkeys(given, deaf.fleet.node_id))
    await runtime.sleep(3)
    assert not servers.tables.of(deaf.fleet.node_id)
    assert servers.held() == {*TABLES}


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
