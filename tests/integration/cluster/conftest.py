"""Servers on one store and one bus, each a process: three for a module's tests, or two for one test, with tokens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.credentials import AUDIENCE, Secret
from tests.support.live import Backend
from tests.support.nodes import Nodes, nodes

from croupier.client import Retry

PATIENT = Retry(attempts=1, timeout=30)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with nodes(tmp_path_factory.mktemp("three"), 3, "--console") as servers:
        yield servers


@pytest.fixture
def secret(tmp_path: Path) -> Secret:
    return Secret(tmp_path)


@pytest.fixture
def two_with_tokens(tmp_path: Path, secret: Secret) -> Iterator[Nodes]:
    """Two servers of a test's own, whose callers bear tokens signed with `secret`."""
    flags = ("--jwt-secret-file", str(secret.file), "--jwt-audience", AUDIENCE)
    with nodes(tmp_path, 2, *flags) as servers:
        yield servers


@pytest.fixture
async def backends(three: Nodes) -> AsyncIterator[list[Backend]]:
    """A client of each server, which repeats nothing."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Backend(server.target, retry=PATIENT)) for server in three.all]
