"""Work that must not overlap: one at a time for each name, in the order asked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

from croupier.room.ports import PendingAnswer, Runtime

Answer = TypeVar("Answer")


class Turns:
    """Who works on what; a name that nobody works on is forgotten."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._turns: dict[Hashable, PendingAnswer] = {}

    async def take(self, name: Hashable, run: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of `run`, which begins once nobody else works on the name."""
        while (turn := self._turns.get(name)) is not None:
            await turn
        turn = self._turns[name] = self._runtime.future()
        try:
            return await run()
        finally:
            del self._turns[name]
            turn.set_result(None)
