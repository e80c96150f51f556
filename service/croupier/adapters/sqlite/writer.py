"""The writer: writes what the queue has gathered in one transaction, and tells the event loop the outcomes.

Rows are written on the event loop, which takes microseconds and no change of threads; a thread of its own
commits, which waits for the disk. What a transaction does is not decided here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from croupier.adapters.sqlite.transaction import Transactions
from croupier.adapters.units.queue import Batch, CommitObserver, Errand, UnitQueue, complain


class Writer(UnitQueue):
    """Started by its constructor, on a running event loop; ended by `stop`, after all that was submitted.

    The connection belongs to the loop while no job is with the thread, and to the thread while one is. Errands
    are calls that the thread makes.
    """

    def __init__(
        self, transactions: Transactions, upkeep: Callable[[], None], observer: CommitObserver | None
    ) -> None:
        """`upkeep` is called in the thread after each commit; what it raises is told to the loop."""
        super().__init__(observer)
        self._transactions = transactions
        self._upkeep = upkeep
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._run, name="croupier-store-writer", daemon=True).start()

    def _write(self, batch: Batch) -> None:
        try:
            batch.outcomes = self._transactions.begin(batch.units)
        except Exception as failure:
            reason = failure
            self._jobs.put(lambda: self._start_again(batch, reason))
        else:
            self._jobs.put(lambda: self._finish(batch))

    def _do(self, errand: Errand) -> None:
        self._jobs.put(lambda: self._go(errand))

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
        self._loop.call_soon_threadsafe(self._told, batch, complaint)

    def _told(self, batch: Batch, complaint: Exception | None) -> None:
        if complaint is not None:
            complain("the store's upkeep failed", complaint)
        self._ended(batch)

    def _go(self, errand: Errand) -> None:
        failure: Exception | None = None
        try:
            errand.call()
        except Exception as raised:
            failure = raised
        if errand.last:
            self._jobs.put(None)
        self._loop.call_soon_threadsafe(self._gone, errand, failure)
