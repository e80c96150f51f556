"""A Runtime whose time and chance are the test's: hours pass in no time, a seed gives the same run again.

Everything runs on an event loop of its own whose clock stands still while anything is left to do, and then
jumps to the next timer. Threads have no place in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import selectors
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Generic, TypeVar

from croupier.adapters.runtime import AsyncioRuntime, AsyncioTimer

NS = 1_000_000_000
START = 1_700_000_000 * NS
"""The time at which every simulation begins."""

Answer = TypeVar("Answer")
Scenario = Callable[["SimulatedRuntime"], Coroutine[Any, Any, None]]


class NothingLeftToHappen(Exception):
    """Raised when a scenario waits for what no timer and no task will bring."""


class _JumpingSelector(selectors.SelectSelector):
    """Waits by moving the clock, but not before those who wait for nothing to be left to do were told."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.idlers: list[Callable[[], object]] = []

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout != 0 and self.idlers:
            self.idlers.pop()()
            return super().select(0)
        if timeout is None:
            raise NothingLeftToHappen
        if timeout > 0:
            self.now += max(1, round(timeout * NS))
        return super().select(0)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time: nanoseconds since its start are in `now`."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    @property
    def now(self) -> int:
        return self._jumping.now

    def time(self) -> float:
        return self._jumping.now / NS

    async def idle(self) -> None:
        """Return once nothing is left to do at this time."""
        waiter = self.create_future()
        self._jumping.idlers.append(lambda: self.call_soon(waiter.set_result, None))
        await waiter


class Begun(Generic[Answer]):
    """A call under way: awaited for its answer, or asked for its failure."""

    def __init__(self, runtime: SimulatedRuntime) -> None:
        self._ended: asyncio.Future[Answer | Exception] = runtime.future()

    async def run(self, work: Coroutine[Any, Any, Answer]) -> None:
        try:
            self._ended.set_result(await work)
        except Exception as failure:
            self._ended.set_result(failure)

    def __await__(self) -> Generator[Any, None, Answer]:
        ended = yield from self._ended.__await__()
        if isinstance(ended, Exception):
            raise ended
        return ended

    async def failure(self) -> Exception:
        ended = await self._ended
        assert isinstance(ended, Exception), f"it came to {ended}"
        return ended


class SimulatedRuntime(AsyncioRuntime):
    """As the service's own but for the clock and the entropy. Made within a SimulatedLoop."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        loop = self.loop
        if not isinstance(loop, SimulatedLoop):
            raise TypeError("a simulation runs in a SimulatedLoop")
        self._simulated = loop
        self._life = 0
        self._seed = seed
        self._drawn = 0
        self.timers_set = 0
        self.failures: list[BaseException] = []
        """What spawned tasks raised; the simulation raises it at its end."""

    def now(self) -> int:
        return START + self._simulated.now

    def call_at(self, when: int, call: Callable[[], None]) -> AsyncioTimer:
        self.timers_set += 1
        return super().call_at(when, self.in_this_life(call))

    def in_this_life(self, call: Callable[..., None]) -> Callable[..., None]:
        """The call as long as no crash has come between."""
        life = self._life

        def made(*arguments: object) -> None:
            if life == self._life:
                call(*arguments)

        return made

    def begin(self, work: Coroutine[Any, Any, Answer]) -> Begun[Answer]:
        """Start what a caller asks for and go on; a crash takes the caller along."""
        begun = Begun[Answer](self)
        self.spawn(begun.run(work))
        return begun

    async def crash(self) -> None:
        """Nothing that was set going here, be it a timer or a task, goes on."""
        self._life += 1
        await self.stop()

    def entropy(self, count: int) -> bytes:
        self._drawn += 1
        return hashlib.shake_256(f"{self._seed}/{self._drawn}".encode()).digest(count)

    def _ended(self, task: asyncio.Task[None]) -> None:
        super()._ended(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            self.failures.append(failure)

    async def sleep(self, seconds: float) -> None:
        """Let so much time pass, with all that is due in it."""
        await self.sleep_until(self.now() + round(seconds * NS))

    async def sleep_until(self, when: int) -> None:
        """Let time pass until `when`, nanoseconds since the epoch; what is due then has happened."""
        waiter = self.future()
        timer = self.call_at(when, lambda: waiter.set_result(None))
        try:
            await waiter
        finally:
            timer.cancel()
        await self.idle()

    async def idle(self) -> None:
        """Let everything happen that can happen now."""
        await self._simulated.idle()


def simulated(seed: int = 1) -> Callable[[Scenario], Callable[[], None]]:
    """Makes a test of a scenario: an async function of the runtime it is played in."""

    def decorate(scenario: Scenario) -> Callable[[], None]:
        def test() -> None:
            with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
                runner.run(_played(scenario, seed))

        test.__name__ = scenario.__name__
        test.__doc__ = scenario.__doc__
        test.__module__ = scenario.__module__
        return test

    return decorate


async def _played(scenario: Scenario, seed: int) -> None:
    runtime = SimulatedRuntime(seed)
    try:
        await scenario(runtime)
    finally:
        await runtime.stop()
    for failure in runtime.failures:
        raise failure
