"""Writes to one stream, and gives up on a reader who does not take what is written."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import grpc

OLDEST_WRITE_S: Final = 10.0
"""A stream whose reader has not taken a message in so long is cut off."""


class SlowReader(Exception):
    """Raised by a stream's write when its reader has not taken the message within OLDEST_WRITE_S."""


class ReaderGone(Exception):
    """Raised by a stream's write when the call has ended meanwhile: cancelled, or its connection lost."""


class StreamWriter:
    """One timer serves all messages of a stream: it is set anew when it rings, not for each message."""

    __slots__ = ("_context", "_late", "_loop", "_since", "_task", "_timer")

    def __init__(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[Any] | None = None
        self._since = 0.0
        self._late = False

    async def write(self, message: bytes) -> None:
        """One message at a time. Raises SlowReader, ReaderGone."""
        self._task = task = asyncio.current_task()
        cancelling = task.cancelling() if task is not None else 0
        self._since = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_at(self._since + OLDEST_WRITE_S, self._look)
        try:
            await self._context.write(message)
        except grpc.aio.InternalError:
            raise ReaderGone from None
        except asyncio.CancelledError:
            if self._late and task is not None and task.uncancel() <= cancelling:
                raise SlowReader from None
            raise
        finally:
            self._task = None
            self._late = False

    def close(self) -> None:
        """Nothing more is written."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._task is None:
            return
        due = self._since + OLDEST_WRITE_S
        if self._loop.time() < due:
            self._timer = self._loop.call_at(due, self._look)
        else:
            self._late = True
            self._task.cancel()
