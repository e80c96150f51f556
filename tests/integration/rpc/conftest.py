"""Servers and what is played on them; what a server in this process logs as an error fails the test that caused it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from logging import ERROR
from pathlib import Path

import pytest
import pytest_asyncio
from structlog.testing import capture_logs
from structlog.typing import EventDict
from tests.support.bad_calls import Scene
from tests.support.live import Backend, running
from tests.support.server import ServerProcess

from croupier.app import App


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[list[EventDict]]:
    """What the service logs; errors are to be taken out by the test that expects them."""
    with capture_logs() as entries:
        yield entries
    failures = [entry for entry in entries if entry["log_level"] in ("error", "critical")]
    assert not failures
    records = caplog.get_records("call") + caplog.records
    assert not [record.getMessage() for record in records if record.levelno >= ERROR]


@pytest.fixture
async def app(tmp_path: Path, logged: list[EventDict]) -> AsyncIterator[App]:  # noqa: ARG001
    async with running(tmp_path) as app:
        yield app


@pytest.fixture
async def backend(app: App) -> AsyncIterator[Backend]:
    async with Backend(f"127.0.0.1:{app.port}") as backend:
        yield backend


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("refusals"))
    server.start()
    yield server
    server.kill()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_scene(server: ServerProcess) -> AsyncIterator[Scene]:
    async with Scene.at(server.target) as scene:
        yield scene


@pytest_asyncio.fixture(loop_scope="module")
async def scene(shared_scene: Scene) -> AsyncIterator[Scene]:
    """The scene with a decision that stands, on which the next good request works after the test as before."""
    await shared_scene.go_on()
    yield shared_scene
    await shared_scene.go_on()
