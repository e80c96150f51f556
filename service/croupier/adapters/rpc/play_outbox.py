"""What waits to leave on one Play stream: results at once, news as far as the caller has given credit."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.adapters.rpc import play_messages
from croupier.adapters.rpc.play_messages import ViewName

MOST_RESULTS: Final = 1024
"""Results and failures that may wait before the caller is not read any more."""
MOST_BYTES: Final = 256 * 1024
"""A message takes no more news once it is as long as this."""


class PlayOutbox:
    """Filled by many, emptied by one: `ready`, `take`, and `sent` once that has gone."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._news: dict[ViewName, tuple[bytes, asyncio.Future[None]]] = {}
        self._taken: list[asyncio.Future[None]] = []
        self._credits = 0
        self._begun = False
        self._finished = False
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None
        self._emptied: asyncio.Future[None] | None = None

    async def room(self) -> None:
        """Return once fewer than MOST_RESULTS results wait: a caller who does not read them is not read either."""
        while len(self._parts) >= MOST_RESULTS and not self._closed:
            self._emptied = asyncio.get_running_loop().create_future()
            await self._emptied

    def put(self, part: bytes) -> None:
        """A result, or a failure."""
        self._parts.append(part)
        self._wake()

    async def put_news(self, view: ViewName, told: bytes) -> None:
        """The next news of a view, one at a time; returns once they have gone, which without credit is never."""
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = self._news[view] = (play_messages.news(view, told), gone)
        self._wake()
        try:
            await gone
        finally:
            if self._news.get(view) is entry:
                del self._news[view]

    def grant(self, credits: int) -> None:
        """Credit for so many news more."""
        self._credits += credits
        self._wake()

    def finish(self) -> None:
        """The caller has ended its side, and every action has its result: what waits is the last."""
        self._finished = True
        self._wake()

    def close(self) -> None:
        """Nothing more may go, not even what waits."""
        self._closed = True
        self._wake()

    async def ready(self) -> bool:
        """Return once there is something to take; False where there will not be."""
        while not (self._closed or self._something()):
            if self._finished:
                return False
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return not self._closed

    def take(self, act_credits: int) -> bytes:
        """A serialized PlayResponse of all that may go."""
        self._begun = True
        parts, self._parts = self._parts, []
        if self._emptied is not None and not self._emptied.done():
            self._emptied.set_result(None)
        parts.append(play_messages.act_credits(act_credits))
        size = 0
        while self._news and self._credits and size < MOST_BYTES:
            told, gone = self._news.pop(next(iter(self._news)))
            self._credits -= 1
            size += len(told)
            parts.append(told)
            self._taken.append(gone)
        return b"".join(parts)

    def sent(self) -> None:
        """What was taken has gone."""
        for gone in self._taken:
            if not gone.done():
                gone.set_result(None)
        self._taken.clear()

    def _something(self) -> bool:
        return not self._begun or bool(self._parts) or bool(self._news and self._credits)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
