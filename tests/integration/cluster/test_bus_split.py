"""NATS servers that lose sight of each other: what servers connected to different ones say, and who gives way."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.integration.cluster.breaking.wire import Wire, wire
from tests.integration.cluster.test_cut_off import serves, why_not_ready
from tests.support.live import Backend
from tests.support.nats import NatsServer, free_port, nats_server
from tests.support.nodes import Nodes, nodes
from tests.support.server import ServerProcess

from croupier.client import CroupierError, Retry

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        not os.environ.get("CROUPIER_LONG"),
        reason="CROUPIER_LONG: NATS servers find each other again in a minute",
    ),
]
PATIENCE_S = 120.0
ONCE = Retry(attempts=1, timeout=PATIENCE_S)
UNHEARD = "croupier_unheard_servers"
_ROUTES = """
cluster {{ name: test, listen: "127.0.0.1:{port}", no_advertise: true, connect_retries: 1000, routes: [{routes}] }}
"""


class Split(NamedTuple):
    """Servers on the first NATS server, and on a second that finds the first by `route`."""

    near: list[ServerProcess]
    far: list[ServerProcess]
    route: Wire


@pytest.fixture
def routed() -> Iterator[tuple[NatsServer, int]]:
    """The first NATS server, and the port of its routes."""
    port = free_port()
    with nats_server(_ROUTES.format(port=port, routes="")) as first:
        yield first, port


@asynccontextmanager
async def split_between(
    routed: tuple[NatsServer, int], servers: Nodes, far_count: int
) -> AsyncIterator[Split]:
    """A room that has begun while all was well."""
    first, port = routed
    servers.bus = first
    async with wire(port) as route:
        second = _ROUTES.format(port=free_port(), routes=f'"nats-route://127.0.0.1:{route.port}"')
        with nats_server(second) as other:
            await asyncio.sleep(2)
            flags = ("--bus", other.url)
            near = [await asyncio.to_thread(servers.add, "--bus", first.url)]
            far = [await asyncio.to_thread(servers.add, *flags) for _ in range(far_count)]
            yield Split(near, far, route)
            for server in servers.all:
                await asyncio.to_thread(server.kill)


@pytest.fixture
def none(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 0) as servers:
        yield servers


async def until_unheard(server: ServerProcess, count: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await asyncio.to_thread(server.metric, UNHEARD) != count:
            await asyncio.sleep(0.2)


def told(server: ServerProcess, event: str) -> int:
    return server.log.read_text().count(f'"{event}"')


async def test_two_servers_that_do_not_hear_each_other_tell_of_it_and_play_on(
    routed: tuple[NatsServer, int], none: Nodes
) -> None:
    async with split_between(routed, none, 1) as room:
        (near,), (far,) = room.near, room.far
        async with Backend(near.target, retry=ONCE) as here, Backend(far.target, retry=ONCE) as there:
            tables = [await backend.open_table("anna", "bert") for backend in (here, there) for _ in range(4)]
            for table_id in tables:
                assert (await here.get_table(table_id)).table_id == table_id
            assert near.metric(UNHEARD) == far.metric(UNHEARD) == 0
            room.route.refuse()
            for server in (near, far):
                await until_unheard(server, 1)
            await asyncio.sleep(3)
            answered = [
                [await answers(backend, table_id) for table_id in tables] for backend in (here, there)
            ]
            assert all(one is not other for one, other in zip(*answered, strict=True))
            for server in (near, far):
                assert await serves(server)
                assert await why_not_ready(server) == ""
                assert server.metric("croupier_bus_connected") == 1
                assert told(server, "servers_not_heard") == 1
            room.route.mend()
            for server in (near, far):
                await until_unheard(server, 0)
            for table_id in tables:
                for backend in (here, there):
                    assert (await backend.get_table(table_id)).table_id == table_id
            for server in (near, far):
                assert (told(server, "servers_not_heard"), told(server, "all_servers_heard")) == (1, 1)


async def answers(backend: Backend, table_id: str) -> bool:
    """Whether a server tells of a table."""
    try:
        await backend.get_table(table_id)
    except CroupierError as failure:
        if failure.reason != "TABLE_MOVING":
            raise
        return False
    return True


async def test_who_is_apart_from_all_others_gives_them_its_tables(
    routed: tuple[NatsServer, int], none: Nodes
) -> None:
    async with split_between(routed, none, 2) as room:
        (near,), far = room.near, room.far
        async with Backend(near.target, retry=ONCE) as here, Backend(far[0].target, retry=ONCE) as there:
            tables = [await backend.open_table("anna", "bert") for backend in (here, there) for _ in range(4)]
            room.route.refuse()
            async with asyncio.timeout(PATIENCE_S):
                while await serves(near):
                    await asyncio.sleep(0.1)
                for table_id in tables:
                    while not await answers(there, table_id):
                        await asyncio.sleep(0.1)
            why = await why_not_ready(near)
            assert "says of each of the store's others that it is not there" in why
            await until_unheard(near, 2)
            for server in far:
                await until_unheard(server, 0)
                assert await serves(server)
            decision = await there.dealt(tables[0])
            await there.check_or_call(tables[0], decision)
            room.route.mend()
            async with asyncio.timeout(PATIENCE_S):
                while not await serves(near) or await why_not_ready(near):
                    await asyncio.sleep(0.1)
                while not near.metric('croupier_tables{state="open"}'):
                    await asyncio.sleep(0.1)
            for table_id in tables:
                assert await answers(here, table_id)
