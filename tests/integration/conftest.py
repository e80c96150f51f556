"""Servers in processes of their own, for tests that speak to them over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.support.live_table import ONCE
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess

from croupier.client import Croupier


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of the test's own, started."""
    server = ServerProcess(tmp_path)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module")
def shared_held_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """Over SQLite, or over what a module's tests are parametrised with."""
    directory = tmp_path_factory.mktemp("held")
    if getattr(request, "param", "sqlite") == "postgres":
        with emptied_database() as dsn:
            yield from started(ServerProcess(directory, holding=True, dsn=dsn))
    else:
        yield from started(ServerProcess(directory, holding=True))


def started(server: ServerProcess) -> Iterator[ServerProcess]:
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
def held_server(shared_held_server: ServerProcess) -> Iterator[ServerProcess]:
    """A server whose commits can be held open, shared by a module's tests; it holds none before and after."""
    yield shared_held_server
    shared_held_server.hold.open()


@pytest.fixture
async def client(held_server: ServerProcess) -> AsyncIterator[Croupier]:
    """A client of the held server, which repeats nothing."""
    async with Croupier(held_server.target, retry=ONCE) as client:
        yield client
