"""Servers whose NATS users lose a permission and get it back: who gives way and tells of it; nobody is restarted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.cluster.test_bus_split import answers
from tests.integration.cluster.test_cut_off import serves, why_not_ready
from tests.support.live import Backend
from tests.support.nats import NatsServer, nats_server
from tests.support.nodes import Nodes
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess

from croupier.client import Retry

pytestmark = pytest.mark.timeout(400)
PATIENCE_S = 60.0
SOON_S = 60.0
LONGER_S = 20.0
"""Than whoever hears nobody waits before it gives way."""
COUNT = 3
ONCE = Retry(attempts=1, timeout=PATIENCE_S)
UNHEARD = "croupier_unheard_servers"


def users(*deaf: int) -> str:
    """A user for each server; nobody can ask the deaf ones."""

    def user(number: int) -> str:
        heard = '"_INBOX.>"' if number in deaf else '"croupier.>", "_INBOX.>"'
        return f'{{ user: u{number}, password: p, permissions: {{ publish: ">", subscribe: [{heard}] }} }}'

    return f"authorization {{ users: [ {', '.join(map(user, range(COUNT)))} ] }}"


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    with nats_server(users()) as server:
        yield server


@pytest.fixture
def servers(nats: NatsServer, tmp_path: Path) -> Iterator[Nodes]:
    with emptied_database() as dsn:
        made = Nodes(tmp_path, dsn, nats)
        try:
            for number in range(COUNT):
                made.launch("--bus", f"nats://u{number}:p@127.0.0.1:{nats.port}")
            for server in made.all:
                server.wait_until_ready()
            yield made
        finally:
            made.stop()


async def until_they_serve(servers: Nodes, *expected: bool) -> None:
    async with asyncio.timeout(SOON_S):
        while [await serves(server) for server in servers.all] != [*expected]:
            await asyncio.sleep(0.2)


async def until_told(server: ServerProcess, event: str, count: int = 1) -> None:
    async with asyncio.timeout(SOON_S):
        while server.log.read_text().count(f'"{event}"') < count:
            await asyncio.sleep(0.1)


async def must_answer(backend: Backend, tables: list[str]) -> None:
    """Soon, and then at once."""
    async with asyncio.timeout(SOON_S):
        for table_id in tables:
            while not await answers(backend, table_id):
                await asyncio.sleep(0.1)


@pytest.mark.parametrize("deaf", [(2,), (1, 2)])
async def test_those_whom_nobody_can_ask_give_way_until_they_may_hear_again(
    servers: Nodes, nats: NatsServer, deaf: tuple[int, ...]
) -> None:
    sound = servers.all[0]
    expected = [number not in deaf for number in range(COUNT)]
    async with Backend(sound.target, retry=ONCE) as here, Backend(servers.all[2].target, retry=ONCE) as there:
        tables = [await backend.open_table("anna", "bert") for backend in (here, there) for _ in range(10)]
        nats.reload(users(*deaf))
        await until_they_serve(servers, *expected)
        await must_answer(here, tables)
        until = asyncio.get_running_loop().time() + LONGER_S
        while asyncio.get_running_loop().time() < until:
            assert await serves(sound), "it can be asked, and they cannot"
            await asyncio.sleep(0.5)
        for number in deaf:
            server = servers.all[number]
            why = await why_not_ready(server)
            assert "lets nobody ask this server: let its user subscribe to croupier.> there" in why
            assert server.metric(UNHEARD) == 1
            await until_told(server, "servers_not_heard")
        assert await why_not_ready(sound) == ""
        assert sound.metric(UNHEARD) == 0
        if len(deaf) == COUNT - 1:
            assert '"all_servers_heard"' not in sound.log.read_text()
        nats.reload(users())
        await until_they_serve(servers, True, True, True)
        for server in servers.all:
            assert await why_not_ready(server) == ""
            assert server.metric("croupier_bus_connected") == 1
            assert '"bus_lost"' not in server.log.read_text()
        for backend in (here, there):
            await must_answer(backend, tables)
        async with asyncio.timeout(SOON_S):
            while not all(server.metric('croupier_tables{state="open"}') for server in servers.all):
                await asyncio.sleep(0.5)


async def test_a_server_alone_among_some_that_crash_again_and_again_keeps_its_tables(servers: Nodes) -> None:
    """Each comes back as another, and the one that was counts until its lease is over."""
    sound, *crashing = servers.all
    async with Backend(sound.target, retry=ONCE) as here:
        tables = [await here.open_table("anna", "bert") for _ in range(4)]
        for _ in range(5):
            for server in crashing:
                await asyncio.to_thread(server.kill)
            await must_answer(here, tables)
            for number, server in enumerate(crashing, 1):
                server.launch("--bus", f"nats://u{number}:p@127.0.0.1:{servers.bus.port}")
            for server in crashing:
                await asyncio.to_thread(server.wait_until_ready)
            assert await serves(sound)
        assert '"cut_off_from_the_bus"' not in sound.log.read_text()
