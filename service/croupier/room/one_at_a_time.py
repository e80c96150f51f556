"""Work that must not overlap: one at a time for each name, in the order asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

from croupier.room.ports import PendingAnswer, Runtime

Answer = TypeVar("Answer")


class OneAtATime:
    """Who works on what; a name that nobody works on is forgotten."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._ends: dict[Hashable, PendingAnswer] = {}

    async def run(self, name: Hashable, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of `work`, which begins once nobody else works on the name."""
        while (end := self._ends.get(name)) is not None:
            await end
        end = self._ends[name] = self._runtime.future()
        try:
            return await work()
        finally:
            del self._ends[name]
            end.set_result(None)
