"""The room's Runtime over asyncio: the clock, timers, tasks and the operating system's entropy.

The clock is read from the system once and then moves with monotonic time, so that setting the system's
clock neither cuts a player's decision short nor stretches it. `clock_offset` tells how far the two are apart.
From one run to the next it does not go back, where the system's clock was set back by MOST_SET_BACK_NS at most.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import structlog

from croupier.numbers import NS_PER_S

MOST_SET_BACK_NS: Final = 48 * 3600 * NS_PER_S
"""A time further ahead than this was a wrong one, and is not followed."""


class AsyncioTimer:
    """A pending call on the event loop. It is never early, however coarse the loop's timers are."""

    __slots__ = ("_call", "_handle", "_runtime", "_when")

    def __init__(self, runtime: AsyncioRuntime, when: int, call: Callable[[], None]) -> None:
        self._runtime = runtime
        self._when = when
        self._call = call
        self._handle: asyncio.TimerHandle | None = self._wait()

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()

    def _wait(self) -> asyncio.TimerHandle:
        left = self._when - self._runtime.now()
        return self._runtime.loop.call_later(max(0.0, left / NS_PER_S), self._ring)

    def _ring(self) -> None:
        if self._runtime.now() < self._when:
            self._handle = self._wait()
        else:
            self._handle = None
            self._call()


class AsyncioRuntime:
    """Belongs to the event loop it is made in."""

    def __init__(self) -> None:
        self.loop: Final = asyncio.get_running_loop()
        self._epoch = time.time_ns() - time.monotonic_ns()
        self._tasks: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger()

    def now(self) -> int:
        return self._epoch + time.monotonic_ns()

    def go_on_from(self, newest: int) -> None:
        """Be no earlier than the newest time of the run before; told aloud where the system's clock is, of late."""
        behind = newest - self.now()
        if behind <= 0:
            return
        followed = behind <= MOST_SET_BACK_NS
        if followed:
            self._epoch += behind
        self._log.warning("clock_set_back", seconds=round(behind / NS_PER_S, 3), followed=followed)

    def weekday(self, time_zone: str) -> int:
        return datetime.fromtimestamp(self.now() // NS_PER_S, ZoneInfo(time_zone)).isoweekday()

    def clock_offset(self) -> float:
        """Seconds by which the system's clock is ahead of `now`."""
        return (time.time_ns() - self.now()) / NS_PER_S

    def call_at(self, when: int, call: Callable[[], None]) -> AsyncioTimer:
        return AsyncioTimer(self, when, call)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task and keep hold of it; what it raises is logged as `task_failed`."""
        task = begin(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def entropy(self, count: int) -> bytes:
        return os.urandom(count)

    def future(self) -> asyncio.Future[Any]:
        return self.loop.create_future()

    async def stop(self) -> None:
        """Cancel every task that was spawned and wait for its end."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)


def begin(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task that the caller keeps hold of; what it raises is logged as `task_failed`."""
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(_tell_failure)
    return task


def _tell_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (failure := task.exception()) is not None:
        work = getattr(task.get_coro(), "__qualname__", "")
        structlog.get_logger().error("task_failed", task=task.get_name(), work=work, exc_info=failure)
