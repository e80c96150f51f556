"""The writer thread: gathers the units that wait, has them committed, hands the outcomes to the event loop.

One commit is in flight; whatever is submitted meanwhile goes into the next. What a transaction does is not
decided here.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Protocol

from croupier.adapters.sqlite.transaction import Transactions
from croupier.room.ports import Outcome, Unit

MOST_UNITS = 1024

Done = Callable[[Outcome], None]


class CommitObserver(Protocol):
    """Told of every commit, in the writer thread."""

    def commit(self, seconds: float, records: int) -> None:
        """`seconds` from its first statement until it was on disk, with `records` of the journal in it."""
        ...


class Errand:
    """Work for the writer thread between two commits; `finished` is resolved on the loop."""

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


class Writer:
    """Started by its constructor, on a running event loop; ended by `stop`, after all that was submitted."""

    def __init__(
        self, transactions: Transactions, housekeeping: Callable[[], None], observer: CommitObserver | None
    ) -> None:
        self._transactions = transactions
        self._housekeeping = housekeeping
        self._observer = observer
        self._loop = asyncio.get_running_loop()
        self._waiting: SimpleQueue[tuple[Unit, Done] | Errand] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="croupier-store-writer", daemon=True)
        self._thread.start()

    def submit(self, unit: Unit, done: Done) -> None:
        self._waiting.put((unit, done))

    def run(self, call: Callable[[], None]) -> asyncio.Future[None]:
        """Has `call` made by the writer thread after the units submitted so far, in no transaction."""
        finished = self._loop.create_future()
        self._waiting.put(Errand(call, finished))
        return finished

    def stop(self, call: Callable[[], None]) -> asyncio.Future[None]:
        """As `run`; the thread ends afterwards."""
        finished = self._loop.create_future()
        self._waiting.put(Errand(call, finished, last=True))
        return finished

    def _run(self) -> None:
        while True:
            batch, errand = self._gather()
            if batch:
                started = time.perf_counter()
                outcomes = self._transactions.commit([unit for unit, _ in batch])
                seconds = time.perf_counter() - started
                self._loop.call_soon_threadsafe(_deliver, batch, outcomes)
                self._tidy_up(seconds, sum(len(unit.records) for unit, _ in batch))
            if errand is not None:
                self._loop.call_soon_threadsafe(_finish, errand.finished, errand.run())
                if errand.last:
                    return

    def _gather(self) -> tuple[list[tuple[Unit, Done]], Errand | None]:
        """What waits, up to the first errand; waits itself when nothing does."""
        batch: list[tuple[Unit, Done]] = []
        item = self._waiting.get()
        more = min(self._waiting.qsize(), MOST_UNITS - 1)
        while not isinstance(item, Errand):
            batch.append(item)
            if not more:
                return batch, None
            more -= 1
            item = self._waiting.get()
        return batch, item

    def _tidy_up(self, seconds: float, records: int) -> None:
        """What a commit asks for once its outcomes are on their way; none of it can undo them."""
        try:
            if self._observer is not None:
                self._observer.commit(seconds, records)
            self._housekeeping()
        except Exception as failure:
            self._loop.call_soon_threadsafe(_complain, "the store's upkeep failed", failure)


def _deliver(batch: Sequence[tuple[Unit, Done]], outcomes: Sequence[Outcome]) -> None:
    for (_, done), outcome in zip(batch, outcomes, strict=True):
        try:
            done(outcome)
        except Exception as failure:
            _complain("a store's done callback failed", failure)


def _complain(message: str, failure: Exception) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": failure})


def _finish(finished: asyncio.Future[None], failure: Exception | None) -> None:
    if finished.done():
        return
    if failure is None:
        finished.set_result(None)
    else:
        finished.set_exception(failure)
