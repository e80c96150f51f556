"""A server that alone has lost the bus says so and hands its tables over; where nobody has it, all go on serving."""

from __future__ import annotations

import asyncio
import time
import urllib.error
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.integration.cluster.breaking.wire import Wire, wire
from tests.support.live import Backend
from tests.support.nodes import Nodes, nodes
from tests.support.server import ServerProcess

from croupier.client import CroupierError, Retry

pytestmark = pytest.mark.timeout(120)
PATIENCE_S = 30.0
SOON_S = 5.0
NO_BUS_S = 3.0
"""Long enough for each server to know that nobody has the bus."""


class Pair(NamedTuple):
    """`far` has a way of its own to the bus."""

    servers: Nodes
    near: ServerProcess
    far: ServerProcess
    way: Wire


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 1) as servers:
        yield servers


@pytest.fixture
async def pair(one: Nodes) -> AsyncIterator[Pair]:
    async with wire(one.bus.port) as way:
        far = await asyncio.to_thread(one.add, "--bus", f"nats://127.0.0.1:{way.port}")
        yield Pair(one, one.all[0], far, way)


async def why_not_ready(server: ServerProcess) -> str:
    """What /readyz says, empty where callers may come."""
    try:
        await asyncio.to_thread(server.page, "readyz")
    except urllib.error.HTTPError as failure:
        return failure.read().decode()
    return ""


async def serves(server: ServerProcess) -> bool:
    """By gRPC's health service."""
    async with aio.insecure_channel(server.target) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=PATIENCE_S)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def until(server: ServerProcess, *, serving: bool) -> float:
    """How many seconds it took until the server served, or did not, by both."""
    began = time.monotonic()
    async with asyncio.timeout(PATIENCE_S):
        while await serves(server) is not serving or bool(await why_not_ready(server)) is serving:
            await asyncio.sleep(0.05)
    return time.monotonic() - began


async def test_who_alone_has_no_bus_sends_callers_to_the_others(pair: Pair) -> None:
    once = Retry(attempts=1, timeout=PATIENCE_S)
    async with Backend(pair.far.target, retry=once) as far, Backend(pair.near.target, retry=once) as near:
        table_id = await far.open_table("anna", "bert")
        pair.way.refuse()
        assert await until(pair.far, serving=False) < SOON_S
        why = await why_not_ready(pair.far)
        assert f"nats://127.0.0.1:{pair.way.port} cannot be reached from here" in why
        assert "mend the way there" in why
        assert await until(pair.near, serving=True) < SOON_S
        state = (await near.get_table(table_id)).hand.hand_id
        with pytest.raises(CroupierError) as told:
            await far.get_table(table_id)
        assert told.value.reason == "TABLE_MOVING"
        pair.way.mend()
        assert await until(pair.far, serving=True) < SOON_S
        assert (await far.get_table(table_id)).hand.hand_id == state


async def test_where_nobody_has_the_bus_each_goes_on_with_its_tables(pair: Pair) -> None:
    once = Retry(attempts=1, timeout=PATIENCE_S)
    async with Backend(pair.far.target, retry=once) as far, Backend(pair.near.target, retry=once) as near:
        opened = [(backend, await backend.open_table("anna", "bert")) for backend in (far, near)]
        pair.servers.bus.stop()
        then = time.monotonic() + NO_BUS_S
        while time.monotonic() < then:
            for server in pair.servers.all:
                assert await serves(server)
                assert await why_not_ready(server) == ""
        for backend, table_id in opened:
            assert (await backend.get_table(table_id)).table_id == table_id
        pair.servers.bus.start()


async def test_a_server_alone_needs_no_bus(one: Nodes) -> None:
    (server,) = one.all
    async with Backend(server.target) as backend:
        table_id = await backend.open_table("anna", "bert")
        one.bus.stop()
        await asyncio.sleep(NO_BUS_S)
        assert await serves(server)
        assert await why_not_ready(server) == ""
        assert (await backend.get_table(table_id)).table_id == table_id
        one.bus.start()
