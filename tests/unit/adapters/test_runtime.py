"""The runtime over asyncio: punctual timers, tasks that are not lost, a clock that is not set."""

from __future__ import annotations

import asyncio
import gc
import time

import pytest
from structlog.testing import capture_logs

from croupier.adapters.runtime import AsyncioRuntime

MS = 1_000_000


async def test_timer_rings_at_its_time_and_not_before() -> None:
    runtime = AsyncioRuntime()
    rang: list[int] = []
    due = runtime.now() + 5 * MS
    runtime.call_at(due, lambda: rang.append(runtime.now()))
    await asyncio.sleep(0.05)
    assert len(rang) == 1
    assert rang[0] >= due


@pytest.mark.parametrize(("ahead_s", "followed"), [(90_000, True), (-5, False), (400_000, False)])
async def test_the_clock_goes_on_from_the_run_before_unless_that_was_wrong(
    ahead_s: int, followed: bool
) -> None:
    runtime = AsyncioRuntime()
    newest = time.time_ns() + ahead_s * 1000 * MS
    with capture_logs() as logs:
        runtime.go_on_from(newest)
    assert (runtime.now() >= newest) is (followed or ahead_s < 0)
    assert abs(runtime.clock_offset() + (ahead_s if followed else 0)) < 1
    assert [(log["event"], log["followed"]) for log in logs] == [("clock_set_back", followed)] * (ahead_s > 0)


async def test_timer_in_the_past_rings_at_once() -> None:
    runtime = AsyncioRuntime()
    rang: list[int] = []
    runtime.call_at(0, lambda: rang.append(1))
    await asyncio.sleep(0.005)
    assert rang == [1]


async def test_timer_taken_back_is_silent() -> None:
    runtime = AsyncioRuntime()
    rang: list[int] = []
    runtime.call_at(runtime.now() + MS, lambda: rang.append(1)).cancel()
    await asyncio.sleep(0.01)
    assert rang == []


async def test_setting_the_system_clock_moves_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = AsyncioRuntime()
    before = runtime.now()
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 3_600_000 * MS)
    assert runtime.now() - before < 1_000 * MS
    assert runtime.clock_offset() == pytest.approx(3600, abs=1)


async def test_clock_starts_at_the_system_clock() -> None:
    assert abs(AsyncioRuntime().now() - time.time_ns()) < 1_000 * MS


async def test_spawned_task_is_kept_until_it_ends() -> None:
    runtime = AsyncioRuntime()
    done: list[int] = []

    async def work() -> None:
        await asyncio.sleep(0.01)
        done.append(1)

    runtime.spawn(work())
    gc.collect()
    await asyncio.sleep(0.05)
    assert done == [1]


async def test_what_a_task_raises_is_logged() -> None:
    runtime = AsyncioRuntime()
    with capture_logs() as logs:
        runtime.spawn(_fail())
        await asyncio.sleep(0.005)
    (entry,) = logs
    assert (entry["event"], entry["log_level"], entry["work"]) == ("task_failed", "error", "_fail")
    assert isinstance(entry["exc_info"], ZeroDivisionError)


async def _fail() -> None:
    raise ZeroDivisionError


async def test_stop_ends_every_task() -> None:
    runtime = AsyncioRuntime()
    ended: list[int] = []

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(1)

    runtime.spawn(work())
    await asyncio.sleep(0)
    await runtime.stop()
    assert ended == [1]


async def test_entropy_differs_each_time() -> None:
    runtime = AsyncioRuntime()
    assert len({runtime.entropy(32) for _ in range(8)}) == 8
