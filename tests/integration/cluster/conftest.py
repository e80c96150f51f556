"""Three servers on one store and one bus, each a process, for a module's tests; each test finds all of them running."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.support.live import Backend
from tests.support.nodes import Nodes, nodes

from croupier.client import Retry

PATIENT = Retry(attempts=1, timeout=30)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with nodes(tmp_path_factory.mktemp("three"), 3, "--console") as servers:
        yield servers


@pytest.fixture
async def backends(three: Nodes) -> AsyncIterator[list[Backend]]:
    """A client of each server, which repeats nothing."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Backend(server.target, retry=PATIENT)) for server in three.all]
