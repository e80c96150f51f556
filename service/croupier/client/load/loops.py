"""What makes the bots act: callers that go on as soon as they are answered, or a schedule that waits for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic_ns
from typing import Final, Protocol

from croupier.client.load.arrivals import Arrivals, schedule
from croupier.client.load.dice import Dice
from croupier.client.load.guard import Guard
from croupier.client.load.plan import Plan
from croupier.client.load.table import LoadTable
from croupier.client.load.timing import Timing

_DRAIN_SECONDS: Final = 10.0
"""How long actions that are due when the run ends are still sent."""


class Loop(Protocol):
    """`due` counts the actions that were due, `waiting` those of them that no table has taken yet."""

    @property
    def due(self) -> int: ...

    @property
    def waiting(self) -> int: ...

    def start(self, group: asyncio.TaskGroup, now: int, /) -> None: ...

    async def finish(self, end: int, /) -> None:
        """Returns once what was due by the end, a moment that is past, is done or given up."""

    def close(self) -> None:
        """Leaves nothing behind, however the run ended."""


class ClosedLoop:
    """Each caller has an equal share of the tables, which it plays in turn with one request under way; tables that
    fail are left alone.
    """

    due = waiting = 0

    def __init__(self, plan: Plan, tables: Sequence[LoadTable], guard: Guard) -> None:
        self._tables: Final = tables
        self._callers: Final = plan.callers
        self._ramp: Final = plan.ramp
        self._guard: Final = guard
        self._over: Final = asyncio.Event()

    def start(self, group: asyncio.TaskGroup, _now: int, /) -> None:
        callers = min(self._callers or len(self._tables), len(self._tables))
        for number in range(callers):
            group.create_task(self._drive(self._tables[number::callers], self._ramp * number / callers))

    async def finish(self, _end: int, /) -> None:
        self.close()

    def close(self) -> None:
        self._over.set()

    async def _drive(self, tables: Sequence[LoadTable], after: float) -> None:
        if after:
            with suppress(TimeoutError):
                async with asyncio.timeout(after):
                    await self._over.wait()
        playing = list(tables)
        while playing and not self._over.is_set():
            for table in tables:
                if self._over.is_set() or table not in playing:
                    continue
                if not await self._guard(f"table {table.table_id}", table.step()):
                    playing.remove(table)


class OpenLoop:
    """An action that is due is taken by the table that has been ready longest. Where none is it waits, first come first
    served, and its latency counts from when it was due.
    """

    def __init__(self, plan: Plan, tables: Sequence[LoadTable], guard: Guard, timing: Timing) -> None:
        self._moments: Final = schedule(plan.rate, plan.ramp, Dice(plan.seed))
        self._tables: Final = tables
        self._guard: Final = guard
        self._timing: Final = timing
        self._arrivals: Arrivals | None = None
        self._working: list[asyncio.Task[None]] = []
        self._taken = 0

    @property
    def due(self) -> int:
        return self._arrivals.count if self._arrivals else 0

    @property
    def waiting(self) -> int:
        return self.due - self._taken

    def start(self, group: asyncio.TaskGroup, now: int, /) -> None:
        arrivals = self._arrivals = Arrivals(self._moments, now)
        self._working = [group.create_task(self._serve(table, arrivals)) for table in self._tables]

    async def finish(self, end: int, /) -> None:
        """Those not sent within 10 seconds are counted with the time that they have waited."""
        arrivals = self._arrivals
        if arrivals is None:
            return
        arrivals.stop(end)
        await asyncio.sleep(0)
        for _ in self._working:
            arrivals.queue.put_nowait(None)
        if self._working:
            await asyncio.wait(self._working, timeout=_DRAIN_SECONDS)
        now = monotonic_ns()
        while not arrivals.queue.empty():
            due = arrivals.queue.get_nowait()
            if due is not None:
                self._timing.unserved(due, now)
        for _ in self._working:
            arrivals.queue.put_nowait(None)

    def close(self) -> None:
        if self._arrivals is not None:
            self._arrivals.stop()

    async def _serve(self, table: LoadTable, arrivals: Arrivals) -> None:
        """Until None comes, or the table fails."""
        where = f"table {table.table_id}"
        while await self._guard(where, table.prepare()):
            due = await arrivals.queue.get()
            if due is None:
                return
            self._taken += 1
            self._timing.taken(due)
            if not await self._guard(where, table.act(due)):
                return
