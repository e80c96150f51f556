"""The writer: has what the queue gathered written over its one connection, and keeps the lease meanwhile.

All on the event loop: the database's own process does the work and waits for the disk.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import LOST
from croupier.adapters.postgres.transaction import Transactions
from croupier.adapters.postgres.unusable import Replaced
from croupier.adapters.units.queue import Batch, CommitObserver, Errand, UnitQueue, complain
from croupier.room.failures import StoreAway
from croupier.room.ports import Failed

RENEWALS: Final = 6
"""Within a lease, where nothing else is written."""


class Writer(UnitQueue):
    """Errands are coroutine functions. `replaced` is called once, with the reason, should the store be lost."""

    def __init__(
        self,
        transactions: Transactions,
        observer: CommitObserver | None,
        lease_s: float,
        replaced: Callable[[str], None],
    ) -> None:
        super().__init__(observer)
        self._transactions = transactions
        self._figures = transactions.figures
        self._renewal_s = lease_s / RENEWALS
        self._on_replaced = replaced
        self._lost = ""
        self._stopped = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer = self._loop.call_later(self._renewal_s, self._renew)

    def _write(self, batch: Batch) -> None:
        self._begin(self._write_batch(batch))

    def _do(self, errand: Errand) -> None:
        self._begin(self._run_errand(errand))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write_batch(self, batch: Batch) -> None:
        try:
            if self._lost:
                raise Replaced(self._lost)
            batch.outcomes = await self._transactions.write(batch.units)
            self._figures.fenced_units += sum(
                isinstance(outcome, Failed) and outcome.fenced for outcome in batch.outcomes
            )
        except Replaced as replaced:
            self._give_up(replaced)
            batch.outcomes = self._transactions.fail(batch.units, self._lost)
            self._figures.fenced_units += len(batch.units)
        except Exception as failure:
            complain("the store's writer failed", failure)
            batch.outcomes = self._transactions.fail(batch.units, repr(failure))
        self._ended(batch)

    async def _run_errand(self, errand: Errand) -> None:
        failure: Exception | None = None
        try:
            if self._lost and not errand.last:
                raise StoreAway(self._lost)
            await errand.call()
        except Exception as raised:
            failure = raised
            if isinstance(raised, Replaced):
                self._give_up(raised)
                failure = StoreAway(self._lost)
            elif isinstance(raised, LOST):
                failure = StoreAway(f"the database cannot be reached: {raised!r}")
            elif isinstance(raised, asyncpg.PostgresError):
                failure = StoreAway(f"the database cannot be written: {raised!r}")
        if errand.last:
            self._stopped = True
            self._timer.cancel()
        self._gone(errand, failure)

    def _renew(self) -> None:
        """Now and then; a store that writes anyway needs no renewal.

        What was written at the last call was written a little after it: a whole period has never gone by since.
        """
        if self._stopped or self._lost:
            return
        if not self._busy and time.monotonic() - self._transactions.written >= self._renewal_s / 2:
            self.run(self._renewed)
        self._timer = self._loop.call_later(self._renewal_s, self._renew)

    async def _renewed(self) -> None:
        """An outage is told by `trouble`, and the next renewal tries again."""
        try:
            await self._transactions.run()
        except Replaced as replaced:
            self._give_up(replaced)
        except LOST as failure:
            self._transactions.trouble = str(failure)

    def _give_up(self, replaced: Replaced) -> None:
        if not self._lost:
            self._lost = str(replaced)
            self._on_replaced(self._lost)
