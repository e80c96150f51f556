"""A watcher that does not read is bounded, cut off and told where to resume; nobody else waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from statistics import median
from time import perf_counter

import pytest
from grpc import StatusCode, aio
from tests.support.live import UNBUFFERED, Backend, Watching, must_be_gapless

from croupier.adapters.rpc import stream_writer
from croupier.app import App
from croupier.client.errors import error_of
from croupier.room import subscriptions
from croupier.v1.table_service_pb2 import StreamEndReason

SLOW = StreamEndReason.STREAM_END_REASON_SLOW_CONSUMER
PLAYERS = ("anna", "bert", "cleo")


@pytest.fixture
async def lazy(app: App) -> AsyncIterator[Backend]:
    """A backend on whose channel a stream that is not read stalls the server at once."""
    async with Backend(f"127.0.0.1:{app.port}") as lazy:
        await lazy.channel.close()
        lazy.channel = aio.insecure_channel(f"127.0.0.1:{app.port}", options=UNBUFFERED)  # type: ignore[misc]
        yield lazy


async def happen(backend: Backend, table_id: str, count: int) -> None:
    """So many events, each a sequence of its own."""
    for number in range(count):
        await (backend.resume_table if number % 2 else backend.pause_table)(table_id)


async def waiting_of(app: App, table_id: str) -> list[int]:
    """How many events wait for each of the table's watchers, behind the write that is under way."""
    actor = await app._room.table(table_id)
    return [subscription.waiting_events for subscription in actor.watchers._subscriptions]


async def test_a_watcher_that_falls_behind_is_told_where_to_resume(
    app: App, backend: Backend, lazy: Backend
) -> None:
    table_id = await backend.open_table()
    stream = lazy.stream(table_id)
    await stream.wait_for_connection()
    most = 0
    for _ in range(subscriptions.MOST_WAITING // 20 + 2):
        await happen(backend, table_id, 20)
        most = max([most, *await waiting_of(app, table_id)])
    assert most <= subscriptions.MOST_WAITING
    watch = Watching(stream)
    assert await watch.finished() is StatusCode.OK
    assert watch.end.reason == SLOW
    must_be_gapless(watch.events, watch.messages[0].snapshot.sequence)
    assert watch.end.resume_after_sequence == watch.sequence
    await must_catch_up(backend, table_id, watch)
    await must_be_forgotten(app, table_id)


async def must_be_forgotten(app: App, table_id: str) -> None:
    """Return once nobody watches the table any more."""
    async with asyncio.timeout(5):
        while await waiting_of(app, table_id):
            await asyncio.sleep(0.05)


async def must_catch_up(backend: Backend, table_id: str, watch: Watching) -> None:
    """Whoever was cut off resumes after what it received, and misses nothing."""
    again = backend.watching(table_id, resume_after_sequence=watch.sequence)
    await again.reach((await backend.get_table(table_id)).sequence)
    must_be_gapless(again.events, watch.sequence)
    await again.cancel()


async def test_a_write_that_nobody_takes_ends_the_stream(
    app: App, backend: Backend, lazy: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_writer, "OLDEST_WRITE_S", 0.3)
    table_id = await backend.open_table()
    stream = lazy.stream(table_id)
    await stream.wait_for_connection()
    await happen(backend, table_id, 10)
    await must_be_forgotten(app, table_id)
    await happen(backend, table_id, 10)
    watch = Watching(stream)
    assert await watch.finished() is StatusCode.RESOURCE_EXHAUSTED
    assert watch.failure is not None
    told = error_of(watch.failure)
    assert told.reason == "SLOW_CONSUMER"
    must_be_gapless(watch.events, watch.messages[0].snapshot.sequence)
    assert 0 <= int(told.facts["resume_after_sequence"]) <= watch.sequence
    await must_catch_up(backend, table_id, watch)


async def test_the_cut_off_are_counted_once(
    app: App, backend: Backend, lazy: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_writer, "OLDEST_WRITE_S", 0.2)
    table_id = await backend.open_table()
    streams = [lazy.stream(table_id) for _ in range(3)]
    for stream in streams:
        await stream.wait_for_connection()
    await happen(backend, table_id, 10)
    await asyncio.sleep(0.5)
    value = app._metrics.registry.get_sample_value
    assert value("croupier_watchers_cut_off_total") == 3
    labels = {"method": "WatchTable", "code": "RESOURCE_EXHAUSTED"}
    assert value("croupier_rpcs_total", labels) == 3


async def test_a_slow_watcher_slows_nobody(backend: Backend, lazy: Backend) -> None:
    table_id = await backend.open_table(*PLAYERS)
    alone = await latencies(backend, table_id)
    brisk = backend.watching(table_id)
    stalled = [lazy.stream(table_id) for _ in range(5)]
    for stream in stalled:
        await stream.wait_for_connection()
    watched = await latencies(backend, table_id)
    await brisk.reach((await backend.get_table(table_id)).sequence)
    must_be_gapless(brisk.events, brisk.messages[0].snapshot.sequence)
    assert median(watched) < 4 * median(alone) + 0.02
    assert max(watched) < stream_writer.OLDEST_WRITE_S / 2, "nothing waits as long as a write may take"


async def latencies(backend: Backend, table_id: str) -> list[float]:
    """Seconds that each of a hundred actions takes."""
    decision = await backend.decision(table_id)
    taken = []
    for _ in range(100):
        started = perf_counter()
        decision = await backend.check_or_call(table_id, decision)
        taken.append(perf_counter() - started)
    return taken


async def test_the_server_stops_in_time_with_a_stalled_watcher(
    app: App, backend: Backend, lazy: Backend
) -> None:
    table_id = await backend.open_table()
    stream = lazy.stream(table_id)
    await stream.wait_for_connection()
    await happen(backend, table_id, 300)
    async with asyncio.timeout(20):
        await app._rpc.server.stop(1)
    await Watching(stream).finished()
