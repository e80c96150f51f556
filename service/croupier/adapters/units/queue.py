"""The queue before a store: gathers the units that wait, has them written together, tells their outcomes.

One batch is being written at a time; whatever is submitted meanwhile goes into the next. How a batch is
written is the store's business, and so is which thread it happens in.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeGuard

from croupier.room.ports import Failed, Outcome, Unit

MOST_UNITS = 256
"""Units of one transaction, so that writing their rows holds the event loop up for a few milliseconds at most."""

PACE_S = 0.004
ENOUGH_UNITS = 16
"""So many that wait need not wait for more, even if more were written together of late."""

Done = Callable[[Outcome], None]


class CommitObserver(Protocol):
    """Told of every commit, on the event loop."""

    def commit(self, seconds: float, records: int) -> None:
        """`seconds` from its first statement until it was known on disk, with `records` of the journal in it."""
        ...

    def failed(self, units: int, why: str) -> None:
        """So many units of one commit did not become durable."""
        ...


class Errand:
    """Work between two commits; `finished` is resolved on the loop."""

    def __init__(
        self, call: Callable[[], Any], finished: asyncio.Future[None], *, last: bool = False
    ) -> None:
        self.call = call
        self.finished = finished
        self.last = last


class Batch:
    """The units of one transaction, and how long it has taken."""

    __slots__ = ("outcomes", "started", "submitted", "units")

    def __init__(self, submitted: Sequence[tuple[Unit, Done]]) -> None:
        self.submitted = submitted
        self.units = [unit for unit, _ in submitted]
        self.outcomes: list[Outcome] = []
        self.started = time.perf_counter()


class UnitQueue(ABC):
    """Works on the event loop it was made on; ended by `stop`, after all that was submitted."""

    def __init__(self, observer: CommitObserver | None) -> None:
        self._observer = observer
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Unit, Done] | Errand] = deque()
        self._busy = False
        self._usual = 1
        """Units that were written together of late: at most one fewer than the time before."""
        self._pause: asyncio.TimerHandle | None = None

    def submit(self, unit: Unit, done: Done) -> None:
        self._enter((unit, done))

    def run(self, call: Callable[[], Any]) -> asyncio.Future[None]:
        """Has `call` made after the units submitted so far, in no transaction."""
        finished = self._loop.create_future()
        self._enter(Errand(call, finished))
        return finished

    def stop(self, call: Callable[[], Any]) -> asyncio.Future[None]:
        """As `run`; nothing is done afterwards."""
        finished = self._loop.create_future()
        self._enter(Errand(call, finished, last=True))
        return finished

    @abstractmethod
    def _write(self, batch: Batch) -> None:
        """Begin to write a batch; `_ended` is to be called with it once its outcomes are known."""

    @abstractmethod
    def _do(self, errand: Errand) -> None:
        """Begin an errand; `_gone` is to be called once it is done."""

    def _enter(self, item: tuple[Unit, Done] | Errand) -> None:
        """Wait in line."""
        self._waiting.append(item)
        if not self._busy:
            self._busy = True
            self._soon()
        elif self._pause is not None and self._enough():
            self._pause.cancel()
            self._pause = None
            self._loop.call_soon(self._next)

    def _soon(self) -> None:
        """Begin the next batch: at once for a lone caller, or where as many wait as did of late; else after PACE_S.

        A commit costs the processor as much as several actions do, so that under load waiting for more of them
        to share it answers all of them sooner.
        """
        if self._usual == 1 or self._enough():
            self._loop.call_soon(self._next)
        else:
            self._pause = self._loop.call_later(PACE_S, self._next)

    def _enough(self) -> bool:
        return len(self._waiting) >= min(self._usual, ENOUGH_UNITS)

    def _next(self) -> None:
        """Nothing being written: the next batch or errand."""
        self._pause = None
        if not self._waiting:
            self._busy = False
            return
        first = self._waiting[0]
        if isinstance(first, Errand):
            self._waiting.popleft()
            self._do(first)
            return
        batch = Batch(self._gather())
        self._usual = max(len(batch.units), self._usual - 1)
        self._write(batch)

    def _gather(self) -> list[tuple[Unit, Done]]:
        """What waits, up to the first errand."""
        gathered: list[tuple[Unit, Done]] = []
        while self._waiting and len(gathered) < MOST_UNITS:
            item = self._waiting[0]
            if isinstance(item, Errand):
                break
            gathered.append(item)
            self._waiting.popleft()
        return gathered

    def _ended(self, batch: Batch) -> None:
        if self._observer is not None:
            seconds = time.perf_counter() - batch.started
            try:
                self._observer.commit(seconds, sum(len(unit.records) for unit in batch.units))
                failed = [outcome for outcome in batch.outcomes if _at_fault(outcome)]
                if failed:
                    self._observer.failed(len(failed), failed[0].why)
            except Exception as failure:
                complain("the store's observer failed", failure)
        for (_, done), outcome in zip(batch.submitted, batch.outcomes, strict=True):
            try:
                done(outcome)
            except Exception as failure:
                complain("a store's done callback failed", failure)
        self._soon()

    def _gone(self, errand: Errand, failure: Exception | None) -> None:
        if not errand.finished.done():
            if failure is None:
                errand.finished.set_result(None)
            else:
                errand.finished.set_exception(failure)
        if not errand.last:
            self._next()


def _at_fault(outcome: Outcome) -> TypeGuard[Failed]:
    """Whether the store did not write what it should have."""
    return isinstance(outcome, Failed) and not outcome.fenced and not outcome.repeated


def complain(message: str, failure: Exception) -> None:
    """Tell the event loop of a failure that nobody awaits."""
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": failure})
