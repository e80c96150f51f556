"""Several servers are called in turn, those alone that say to health checks that they serve."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic

import pytest
from grpc import aio
from grpc_health.v1 import health, health_pb2_grpc
from grpc_health.v1.health_pb2 import HealthCheckResponse

from croupier.client import Croupier, Retry, Unanswered
from croupier.v1.table_service_pb2 import GetServerInfoRequest, GetServerInfoResponse
from croupier.v1.table_service_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server

CALLS = 40
PATIENCE_S = 10.0


class Server(TableServiceServicer):
    """Counts its calls."""

    def __init__(self) -> None:
        self.calls = 0
        self.health = health.aio.HealthServicer()

    async def GetServerInfo(self, _request: GetServerInfoRequest, _context: object) -> GetServerInfoResponse:
        self.calls += 1
        return GetServerInfoResponse(version="1")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        server = aio.server(options=[("grpc.so_reuseport", 0)])
        health_pb2_grpc.add_HealthServicer_to_server(self.health, server)
        add_TableServiceServicer_to_server(self, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await self.health.set("", HealthCheckResponse.SERVING)
        yield f"127.0.0.1:{port}"
        await server.stop(None)


async def call(client: Croupier, servers: list[Server], until: Callable[[], bool]) -> None:
    """Until each server was called as often as it should be, counted anew in every round."""
    deadline = monotonic() + PATIENCE_S
    while True:
        for server in servers:
            server.calls = 0
        for _ in range(CALLS):
            await client.get_server_info()
        if until():
            return
        assert monotonic() < deadline, [server.calls for server in servers]
        await asyncio.sleep(0.02)


async def test_a_server_that_is_about_to_stop_is_called_no_longer() -> None:
    first, second = servers = [Server(), Server()]
    async with AsyncExitStack() as stack:
        targets = [await stack.enter_async_context(server.listening()) for server in servers]
        client = Croupier(f"ipv4:{','.join(targets)}", retry=Retry(attempts=1, timeout=5))
        await stack.enter_async_context(client)
        await call(client, servers, lambda: first.calls == second.calls == CALLS / 2)

        await first.health.enter_graceful_shutdown()
        await call(client, servers, lambda: first.calls == 0)

        await second.health.set("", HealthCheckResponse.NOT_SERVING)
        await asyncio.sleep(0.2)
        with pytest.raises(Unanswered):
            await client.get_server_info()

        await second.health.set("", HealthCheckResponse.SERVING)
        await asyncio.sleep(0.2)
        await call(client, servers, lambda: second.calls == CALLS)
