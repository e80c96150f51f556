"""The time in which bots play: the ramp, the steady phase that is measured, and what is still due after it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic_ns
from typing import Final

from croupier.client.load.guard import Guard
from croupier.client.load.history.log import Log
from croupier.client.load.loops import ClosedLoop, Loop, OpenLoop
from croupier.client.load.plan import Plan
from croupier.client.load.progress import Now, Progress
from croupier.client.load.report import mark
from croupier.client.load.table import LoadTable
from croupier.client.load.tally import Tally
from croupier.client.load.timing import Counts, Phase

_SECOND: Final = 1_000_000_000


class Playing:
    """`begin` and `end` are of the steady phase; `stop` ends it early, and so does the want of a server."""

    def __init__(
        self,
        plan: Plan,
        tables: Sequence[LoadTable],
        guard: Guard,
        tally: Tally,
        log: Log,
        progress: Progress,
        stop: asyncio.Event,
    ) -> None:
        self._plan: Final = plan
        self._tally: Final = tally
        self._timing: Final = tally.timing
        self._log: Final = log
        self._progress: Final = progress
        self._stop: Final = stop
        self.loop: Final[Loop] = (
            OpenLoop(plan, tables, guard, tally.timing) if plan.rate else ClosedLoop(plan, tables, guard)
        )
        self._in_ramp: Final = int(plan.ramp * _SECOND)
        self._in_steady: Final = int(plan.seconds * _SECOND)
        self.begin = self.end = mark(tally, 0)

    async def play(self) -> None:
        """As planned, or until `stop`, or no server is waited for any more."""
        try:
            async with asyncio.TaskGroup() as group:
                start = monotonic_ns()
                self._timing.start(start)
                self._timing.steady(start + self._in_ramp)
                if not self._plan.operations:
                    self._timing.over(start + self._in_ramp + self._in_steady)
                self.loop.start(group, start)
                end = await self._phases(start)
                self._progress(Now("draining"))
                await self.loop.finish(end)
        finally:
            self.loop.close()
        self._point(monotonic_ns(), "draining")

    async def _phases(self, start: int) -> int:
        """The moment from which on what is due is not measured: by the schedule, unless the run was cut short or had
        its operations to do.
        """
        plan, begin = self._plan, start + self._in_ramp
        await self._last("ramp", start, plan.ramp)
        self.begin = self.end = mark(self._tally, monotonic_ns())
        await self._last("steady", begin, plan.seconds)
        while self._log.count < plan.operations and not self._cut_short():
            await self._last("steady", begin, (monotonic_ns() - begin) / _SECOND + 1)
        end = monotonic_ns()
        self.end = mark(self._tally, end)
        if not plan.operations:
            end = min(end, begin + self._in_steady)
        self._timing.over(end)
        return end

    async def _last(self, phase: Phase, begin: int, seconds: float) -> None:
        """Until the phase has lasted so long; a point is made each second, and at its end."""
        end = begin + int(seconds * _SECOND)
        next_point = begin + _SECOND
        while (now := monotonic_ns()) < end and not self._cut_short():
            if now >= next_point:
                self._point(now, phase)
                next_point += _SECOND * ((now - next_point) // _SECOND + 1)
            self._show(phase, (now - begin) / _SECOND, seconds)
            with suppress(TimeoutError):
                async with asyncio.timeout(min(250_000_000, end - now, next_point - now) / _SECOND):
                    await self._stop.wait()
        self._point(monotonic_ns(), phase)

    def _cut_short(self) -> bool:
        return self._stop.is_set() or self._tally.absence.over

    def _point(self, now: int, phase: Phase) -> None:
        tally, loop = self._tally, self.loop
        self._timing.point(
            now, phase, Counts(loop.due, tally.acts, tally.late, len(tally.wrong), loop.waiting)
        )

    def _show(self, phase: Phase, seconds: float, of: float) -> None:
        tally, points = self._tally, self._timing.points
        last = points[-1] if points else None
        p99_ms = self._timing.acts.quantile_ms(99) if phase == "steady" else last.p99_ms if last else 0.0
        rate = last.rate if last else 0.0
        self._progress(
            Now(phase, seconds, of, rate, p99_ms, self.loop.waiting, tally.hands, len(tally.wrong))
        )
