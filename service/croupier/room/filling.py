"""Reading that many ask for at once, done one after the other for all who asked meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from croupier.room.failures import StoreAway
from croupier.room.ports import PendingAnswer
from croupier.room.services import Services


class Filling:
    """Calls `read` whenever it is asked to, and never twice at a time."""

    def __init__(self, services: Services, read: Callable[[], Awaitable[None]]) -> None:
        self._services = services
        self._runtime = services.runtime
        self._read = read
        self._reading = False
        self._asking: list[PendingAnswer] = []

    def soon(self) -> PendingAnswer:
        """Resolved, once a reading that begins from now on has ended, with why it failed, or None."""
        waiter = self._runtime.future()
        self._asking.append(waiter)
        if not self._reading:
            self._reading = True
            self._runtime.spawn(self._read_on())
        return waiter

    async def done(self) -> None:
        """Return once a reading that begins from now on has ended. Raises StoreAway."""
        failure = await self.soon()
        if failure is not None:
            raise failure

    async def _read_on(self) -> None:
        try:
            while self._asking:
                waiters, self._asking = self._asking, []
                failure: Exception | None = None
                try:
                    await self._read()
                except StoreAway as away:
                    self._services.observer.store_failed(away)
                    failure = away
                for waiter in waiters:
                    if not waiter.done():
                        waiter.set_result(failure)
        finally:
            self._reading = False
