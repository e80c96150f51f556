"""In the server's process: time stands still until it is told to go on, and entropy follows from what it is for.

So two runs of the same story are the same, however often one of them is killed and begun again.
"""

from __future__ import annotations

import contextvars
import hashlib
import heapq
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from croupier.adapters.runtime import AsyncioRuntime
from croupier.adapters.units.staging import Staging
from croupier.room.actor import TableActor
from croupier.room.requests import Requests

_request: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="")


class Due:
    """A call that waits for its time."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class StagedTime:
    """Nanoseconds since the epoch."""

    def __init__(self, now: int) -> None:
        self.now = now
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, Due]] = []

    def call_at(self, when: int, call: Callable[[], None]) -> Due:
        due = Due(call)
        heapq.heappush(self._waiting, (when, next(self._order), due))
        return due

    def next(self) -> int:
        """When something is next to happen, 0 for never."""
        while self._waiting and self._waiting[0][2].call is None:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else 0

    def go_on(self, until: int) -> None:
        """Make the calls whose time has come by then."""
        self.now = max(self.now, until)
        while (when := self.next()) and when <= self.now:
            call = heapq.heappop(self._waiting)[2].call
            assert call is not None
            call()

    def install(self) -> None:
        """Be the time of every runtime of this process, and of its ledger."""
        AsyncioRuntime.now = lambda _: self.now  # type: ignore[assignment,method-assign]
        AsyncioRuntime.call_at = lambda _, when, call: self.call_at(when, call)  # type: ignore[method-assign,assignment,return-value]
        made = Staging.__init__

        def staging(this: Any, *parts: Any) -> None:
            made(this, *parts)
            this._clock = lambda: self.now

        Staging.__init__ = staging  # type: ignore[assignment,method-assign]


class StagedEntropy:
    """What is drawn for one record, or one request, is the same whenever it is drawn; but for another `seed`."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._purpose = ""
        self._drawn = 0

    def draw(self, count: int) -> bytes:
        purpose = self._purpose or f"request {_request.get()}"
        self._drawn += 1
        name = f"{self._seed} {purpose} {self._drawn if self._purpose else 0}"
        return hashlib.shake_256(name.encode()).digest(count)

    @contextmanager
    def purpose(self, actor: TableActor) -> Iterator[None]:
        before = self._purpose, self._drawn
        self._purpose, self._drawn = f"record {actor.table_id}/{actor.next_record}", 0
        try:
            yield
        finally:
            self._purpose, self._drawn = before

    def install(self) -> None:
        """Be the entropy of every runtime of this process."""
        AsyncioRuntime.entropy = lambda _, count: self.draw(count)  # type: ignore[assignment,method-assign]
        for name in ("start_hand", "commit_deck", "_run"):
            setattr(TableActor, name, self._purposeful(getattr(TableActor, name)))
        run = Requests._run

        async def named(this: Requests, name: Any, key: Any, *rest: Any) -> None:
            _request.set(f"{key.method} {key.request_id}")
            await run(this, name, key, *rest)

        Requests._run = named  # type: ignore[assignment,method-assign]

    def _purposeful(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def carried_out(actor: TableActor, *arguments: Any) -> Any:
            with self.purpose(actor):
                return method(actor, *arguments)

        return carried_out


START: Final = 1_800_000_000 * 10**9
