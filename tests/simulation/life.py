"""One life of the service, from a start to a crash: its event loop, and the Runtime that the room is given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from tests.simulation.chance import Chance
from tests.simulation.world import NS, Due, World

START: Final = 1_700_000_000 * NS
"""The time at which every simulation begins."""


class _Loop:
    """As much of an event loop as tasks and futures need. After the crash it does nothing."""

    def __init__(self, world: World, life: Life) -> None:
        self._world = world
        self._life = life

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Any = None) -> Any:  # noqa: ARG002
        return self._world.soon(self._life, callback, *args)

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Any = None,  # noqa: ARG002
    ) -> Any:
        return self._world.at(self._world.now + round(delay * NS), self._life, callback, *args)

    def call_at(self, when: float, callback: Callable[..., object], *args: Any, context: Any = None) -> Any:  # noqa: ARG002
        return self._world.at(max(self._world.now, round(when * NS)), self._life, callback, *args)

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return self._life.task(work)

    def time(self) -> float:
        return self._world.now / NS

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=cast(asyncio.AbstractEventLoop, self))

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self._life.alive:
            self._world.violated(f"the event loop was told of {context}")


class Life:
    """A Runtime. `offset` is how far the system's clock is off in this life, nanoseconds."""

    def __init__(self, world: World, chance: Chance, number: int, offset: int) -> None:
        self.number = number
        self.alive = True
        self.stalled_until = 0
        self.loop = cast(asyncio.AbstractEventLoop, _Loop(world, self))
        self._world = world
        self.chance = chance.child(f"life {number}")
        self._entropy = chance.child(f"entropy of life {number}")
        self._offset = offset
        self._tasks: dict[asyncio.Task[Any], Coroutine[Any, Any, Any]] = {}

    def now(self) -> int:
        return START + self._offset + self._world.now

    def weekday(self, time_zone: str) -> int:
        return datetime.fromtimestamp(self.now() // NS, UTC).astimezone(ZoneInfo(time_zone)).isoweekday()

    def call_at(self, when: int, call: Callable[[], None]) -> Due:
        return self._world.at(max(self._world.now, when - START - self._offset), self, call)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        if not self.alive:
            work.close()
            return
        task = asyncio.Task(self._run(work), loop=self.loop)
        self._tasks[task] = work

    def task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """One that somebody keeps, and may cancel."""
        task = asyncio.Task(work, loop=self.loop)
        self._tasks[task] = work
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if self.alive and not task.cancelled() and (failure := task.exception()) is not None:
            self._world.violated(f"a task of the service failed: {failure!r}")

    async def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.current_task(self.loop)
        assert task is not None
        try:
            await work
        except Exception as failure:
            self._world.violated(f"a task of the service failed: {failure!r}")
        if self.alive:
            del self._tasks[task]

    def entropy(self, count: int) -> bytes:
        return self._entropy.entropy(count)

    def future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self.loop)

    async def pause(self, span: int) -> None:
        waiter = self.future()

        def over() -> None:
            if not waiter.done():  # whoever waited may have been cancelled
                waiter.set_result(None)

        self._world.at(self._world.now + span, self, over)
        await waiter

    def end(self) -> None:
        """Nothing that was set going here goes on."""
        self.alive = False
        for task, work in list(self._tasks.items()):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            task.get_coro().close()
            work.close()
        self._tasks.clear()
