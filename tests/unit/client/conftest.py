"""The client under test, connected to a server that follows the test's script."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from grpc import aio, method_handlers_generic_handler
from grpc import unary_stream_rpc_method_handler as streaming
from grpc import unary_unary_rpc_method_handler as unary
from tests.unit.client.scripted import Scripted

from croupier.client import Croupier, Retry
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse


@pytest.fixture
def scripted() -> Scripted:
    return Scripted()


@pytest.fixture
async def target(scripted: Scripted) -> AsyncIterator[str]:
    act = unary(scripted.act, ActRequest.FromString, ActResponse.SerializeToString)
    watch = streaming(scripted.watch, WatchTableRequest.FromString, WatchTableResponse.SerializeToString)
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(
        [
            method_handlers_generic_handler("croupier.v1.BettingService", {"Act": act}),
            method_handlers_generic_handler("croupier.v1.TableService", {"WatchTable": watch}),
        ]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(None)


@pytest.fixture
async def client(target: str) -> AsyncIterator[Croupier]:
    retry = Retry(attempts=3, timeout=5, first_pause=0.001, longest_pause=0.002)
    async with Croupier(target, retry=retry) as croupier:
        yield croupier
