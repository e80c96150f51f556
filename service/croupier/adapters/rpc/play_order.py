"""In which order the results of a Play stream leave: at each table as its actions were sent. It carries nothing out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

MOST_OWED: Final = 1024
"""Actions without a result, from which on the caller is not read any more."""


class Owed:
    """An action whose result has not left. `task` carries it out, or until there is one what was sent before it.

    `one_by_one`: it is not to begin before that has ended.
    """

    __slots__ = ("first", "next", "one_by_one", "result", "table_id", "task")

    def __init__(self, table_id: str, *, one_by_one: bool) -> None:
        self.table_id = table_id
        self.one_by_one = one_by_one
        self.first = True
        self.next: Owed | None = None
        self.result: bytes | None = None
        self.task: asyncio.Task[None] | None = None


class PlayOrder:
    """Every action begins and ends here once; `put` is given the results that may leave."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put: Final = put
        self._last: Final[dict[str, Owed]] = {}
        """By table, where there are any."""
        self._fewer: asyncio.Future[None] | None = None
        self.count = 0
        """Actions that have begun, and whose results have not left."""

    def begin(self, table_id: str, *, at_once: bool) -> Owed:
        """An action was sent. One that is not carried out `at_once` holds up those sent after it at its table."""
        owed = Owed(table_id, one_by_one=not at_once)
        behind = self._last.get(table_id)
        if behind is not None:
            behind.next = owed
            owed.first = False
            owed.one_by_one = behind.one_by_one or not at_once
            owed.task = behind.task
        self._last[table_id] = owed
        self.count += 1
        return owed

    def end(self, owed: Owed, result: bytes) -> None:
        """The action has its result, which leaves once those have left that were sent before it at its table."""
        owed.result = result
        if not owed.first:
            return
        while True:
            self._put(result)
            self.count -= 1
            following = owed.next
            if following is None:
                del self._last[owed.table_id]
                break
            following.first = True
            if following.result is None:
                break
            owed, result = following, following.result
        if self._fewer is not None and self.count < MOST_OWED and not self._fewer.done():
            self._fewer.set_result(None)

    async def room(self) -> None:
        """Return once fewer than MOST_OWED are owed."""
        while self.count >= MOST_OWED:
            self._fewer = asyncio.get_running_loop().create_future()
            await self._fewer
