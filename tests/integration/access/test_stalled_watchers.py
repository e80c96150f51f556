"""A hundred watchers that stop reading cost the server little and others next to nothing; a bench has a thousand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from tests.support.live import Backend
from tests.support.server import ServerProcess
from tests.support.stalled import MOST_KIB, PeakMemory, Stalled, play

WATCHERS = 100
PLAYERS = ("anna", "bert", "cleo", "dora", "emil", "fritz")
WINDOW = 16_384
"""A quarter of what is usual, so that it is soon full; it is no memory of the server's."""
FILLING_ACTS = 300


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
async def backend(process: ServerProcess) -> AsyncIterator[Backend]:
    async with Backend(process.target) as backend:
        yield backend


@pytest.fixture
async def stalled(process: ServerProcess) -> AsyncIterator[Stalled]:
    stalled = Stalled(process.port, WINDOW)
    yield stalled
    await stalled.close()


async def waits(backend: Backend, table_id: str) -> list[float]:
    """Seconds that each of two hundred actions takes."""
    decision, taken = await backend.dealt(table_id), []
    for _ in range(200):
        started = perf_counter()
        decision = await backend.check_or_call(table_id, decision)
        taken.append(perf_counter() - started)
        if not decision.player_id:
            decision = await backend.dealt(table_id)
    return taken


async def test_watchers_that_stall_at_news(
    process: ServerProcess, backend: Backend, stalled: Stalled
) -> None:
    others = await backend.open_table("gerd", "hans")
    alone = await waits(backend, others)
    table_id = await backend.open_table(*PLAYERS)
    async with PeakMemory(process.process.pid) as memory:
        await stalled.watch(table_id, WATCHERS)
        await play(backend, table_id, FILLING_ACTS)
        beside = await waits(backend, others)
    assert await stalled.window_is_full()
    assert memory.kib_each(WATCHERS) <= MOST_KIB
    assert median(beside) < 2 * median(alone) + 0.01


async def test_watchers_that_stall_at_the_past(
    process: ServerProcess, backend: Backend, stalled: Stalled
) -> None:
    """Whoever resumes from the beginning is sent the past page by page, and holds no page while it does not read."""
    table_id = await backend.open_table(*PLAYERS)
    await play(backend, table_id, FILLING_ACTS)
    async with PeakMemory(process.process.pid) as memory:
        await stalled.watch(table_id, WATCHERS, resume_after_sequence=0)
        await play(backend, table_id, 50, pause=0.05)
    assert await stalled.window_is_full()
    assert memory.kib_each(WATCHERS) <= MOST_KIB
