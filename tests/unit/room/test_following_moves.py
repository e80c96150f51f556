"""Whoever watches goes on watching, wherever the table goes: nothing is told twice, nothing is left out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.support.followed import TABLES, Server, Servers, Watching, play_on, seated, viewers

DESTROY = {"hand_keys": "destroy"}


async def watched_everywhere(
    runtime: SimulatedRuntime, game: str, **rules: Any
) -> tuple[Servers, list[Server], dict[str, list[Watching]]]:
    """Three servers, at each of which everybody who may watch does."""
    servers = Servers(await seated(runtime, game, 4, **rules))
    those = [servers.owner, servers.beside("second"), servers.beside("third")]
    table_id = servers.table.table_id
    await those[1].follower(table_id)
    await those[2].follower(table_id)
    streams = {
        viewer: [server.watch(table_id, viewer) for server in those]
        for viewer in viewers(servers.table.actor)
    }
    await runtime.idle()
    return servers, those, streams


def must_be_alike(streams: dict[str, list[Watching]]) -> None:
    for viewer, alike in streams.items():
        for stream in alike:
            assert stream.failure is None
            assert not stream.over
            sequences = stream.sequences()
            assert sequences[:1]
            assert sequences == list(range(sequences[0], sequences[-1] + 1)), viewer
        assert alike[0].events() == alike[1].events() == alike[2].events(), viewer


@pytest.mark.parametrize("rules", [{}, DESTROY], ids=["kept", "destroyed"])
@pytest.mark.parametrize("game", ["holdem", "five_card_draw"])
def test_streams_go_on_wherever_the_table_goes(game: str, rules: dict[str, Any]) -> None:
    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, those, streams = await watched_everywhere(runtime, game, **rules)
        random = Random(game)
        for step in range(200):
            if random.random() < 0.15:
                await servers.move(random.choice(those))
            await play_on(servers.table, random)
            if step % 20 == 0:
                await runtime.sleep(0.5)
        await runtime.sleep(4)
        must_be_alike(streams)
        for server in those:
            watched = await server.room.watched(servers.table.table_id)
            for viewer in streams:
                assert watched.view(viewer) == servers.table.actor.view(viewer)

    simulated(3)(scenario)()


@pytest.mark.parametrize("game", TABLES)
def test_an_owner_that_was_replaced_while_it_wrote_goes_on_as_a_follower(game: str) -> None:
    """What it had not got to the store never was; what the new owner did meanwhile is told, hands that ended too."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, those, streams = await watched_everywhere(runtime, game)
        table, random = servers.table, Random(game)
        for step in range(12):
            for _ in range(random.randrange(12)):
                await play_on(table, random)
            deposed = servers.owner
            deposed.store.stall()
            runtime.begin(play_on(table, random))
            await runtime.sleep(0.01)
            await servers.take(those[(step + 1) % 3])
            for _ in range(random.randrange(60)):
                await play_on(table, random)
            deposed.store.fail()
            await runtime.sleep(4)
            must_be_alike(streams)

    simulated(4)(scenario)()


def test_a_new_owner_is_told_at_once_who_follows() -> None:
    """Events after a takeover come as they happen, not with the next look."""

    async def scenario(runtime: SimulatedRuntime) -> None:
        servers, those, streams = await watched_everywhere(runtime, "holdem")
        await servers.move(those[1])
        await runtime.idle()
        random = Random(1)
        for _ in range(9):
            await play_on(servers.table, random)
        must_be_alike(streams)

    simulated(5)(scenario)()
