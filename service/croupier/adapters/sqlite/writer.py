"""The writer: gathers the units that wait, writes them in one transaction, tells the event loop their outcomes.

Rows are written on the event loop, which takes microseconds and no change of threads; a thread of its own
commits, which waits for the disk. One commit is in flight; whatever is submitted meanwhile goes into the next.
What a transaction does is not decided here.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Protocol

from croupier.adapters.sqlite.transaction import Transactions
from croupier.room.ports import Failed, Outcome, Unit

MOST_UNITS = 256
"""Units of one transaction, so that writing their rows holds the event loop up for a few milliseconds at most."""

PACE_S = 0.004
ENOUGH_UNITS = 16
"""So many that wait need not wait for more."""

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
    """Work for the writer's thread between two commits; `finished` is resolved on the loop."""

    def __init__(
        self, call: Callable[[], None], finished: asyncio.Future[None], *, last: bool = False
    ) -> None:
        self.call = call
        self.finished = finished
        self.last = last

    def run(self) -> Exception | None:
        """Makes the call; what it raised."""
        try:
            self.call()
        except Exception as failure:
            return failure
        return None


class Batch:
    """The units of one transaction, and how long it has taken."""

    __slots__ = ("outcomes", "started", "submitted", "units")

    def __init__(self, submitted: Sequence[tuple[Unit, Done]]) -> None:
        self.submitted = submitted
        self.units = [unit for unit, _ in submitted]
        self.outcomes: list[Outcome] = []
        self.started = time.perf_counter()


class Writer:
    """Started by its constructor, on a running event loop; ended by `stop`, after all that was submitted.

    The connection belongs to the loop while no job is with the thread, and to the thread while one is.
    """

    def __init__(
        self, transactions: Transactions, upkeep: Callable[[], None], observer: CommitObserver | None
    ) -> None:
        """`upkeep` is called in the thread after each commit; what it raises is told to the loop."""
        self._transactions = transactions
        self._upkeep = upkeep
        self._observer = observer
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Unit, Done] | Errand] = deque()
        self._busy = False
        self._shared = False
        self._pause: asyncio.TimerHandle | None = None
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._run, name="croupier-store-writer", daemon=True).start()

    def submit(self, unit: Unit, done: Done) -> None:
        self._enter((unit, done))

    def run(self, call: Callable[[], None]) -> asyncio.Future[None]:
        """Has `call` made by the writer's thread after the units submitted so far, in no transaction."""
        finished = self._loop.create_future()
        self._enter(Errand(call, finished))
        return finished

    def stop(self, call: Callable[[], None]) -> asyncio.Future[None]:
        """As `run`; the thread ends afterwards."""
        finished = self._loop.create_future()
        self._enter(Errand(call, finished, last=True))
        return finished

    def _enter(self, item: tuple[Unit, Done] | Errand) -> None:
        """Wait in line."""
        self._waiting.append(item)
        if not self._busy:
            self._busy = True
            self._soon()
        elif self._pause is not None and len(self._waiting) >= ENOUGH_UNITS:
            self._pause.cancel()
            self._pause = None
            self._loop.call_soon(self._next)

    def _soon(self) -> None:
        """Begin the next batch: at once for a lone caller, or where ENOUGH_UNITS wait; else after PACE_S.

        A commit costs the processor as much as several actions do, so that under load waiting for more of them
        to share it answers all of them sooner.
        """
        if self._shared and len(self._waiting) < ENOUGH_UNITS:
            self._pause = self._loop.call_later(PACE_S, self._next)
        else:
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        """On the loop, no job being with the thread: the next batch or errand."""
        self._pause = None
        if not self._waiting:
            self._busy = False
            return
        first = self._waiting[0]
        if isinstance(first, Errand):
            self._waiting.popleft()
            self._jobs.put(lambda: self._go(first))
            return
        batch = Batch(self._gather())
        self._shared = len(batch.units) > 1
        try:
            batch.outcomes = self._transactions.begin(batch.units)
        except Exception as failure:
            reason = failure
            self._jobs.put(lambda: self._start_again(batch, reason))
        else:
            self._jobs.put(lambda: self._finish(batch))

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

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _finish(self, batch: Batch) -> None:
        batch.outcomes = self._transactions.finish(batch.units, batch.outcomes)
        self._end(batch)

    def _start_again(self, batch: Batch, failure: Exception) -> None:
        batch.outcomes = self._transactions.start_again(batch.units, failure)
        self._end(batch)

    def _end(self, batch: Batch) -> None:
        """In the thread: what a commit asks for beside its outcomes can no longer undo them."""
        complaint: Exception | None = None
        try:
            self._upkeep()
        except Exception as failure:
            complaint = failure
        self._loop.call_soon_threadsafe(self._ended, batch, complaint)

    def _ended(self, batch: Batch, complaint: Exception | None) -> None:
        if complaint is not None:
            _complain("the store's upkeep failed", complaint)
        if self._observer is not None:
            seconds = time.perf_counter() - batch.started
            try:
                self._observer.commit(seconds, sum(len(unit.records) for unit in batch.units))
                failed = [outcome for outcome in batch.outcomes if isinstance(outcome, Failed)]
                if failed:
                    self._observer.failed(len(failed), failed[0].why)
            except Exception as failure:
                _complain("the store's observer failed", failure)
        for (_, done), outcome in zip(batch.submitted, batch.outcomes, strict=True):
            try:
                done(outcome)
            except Exception as failure:
                _complain("a store's done callback failed", failure)
        self._soon()

    def _go(self, errand: Errand) -> None:
        self._loop.call_soon_threadsafe(self._gone, errand, errand.run())

    def _gone(self, errand: Errand, failure: Exception | None) -> None:
        if errand.last:
            self._jobs.put(None)
        if not errand.finished.done():
            if failure is None:
                errand.finished.set_result(None)
            else:
                errand.finished.set_exception(failure)
        if not errand.last:
            self._next()


def _complain(message: str, failure: Exception) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": failure})
