"""A server and a backend for each test; what a server logs as an error fails the test that caused it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from logging import ERROR
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict
from tests.support.live import Backend, running

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
