"""Watchers that stop reading, each on a connection of its own whose window is never widened, and what they cost."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import psutil
from tests.support.live import Backend
from tests.support.raw_http2 import WINDOW, RawHttp2

from croupier.v1 import hand_pb2
from croupier.v1.table_service_pb2 import WatchTableRequest

WATCH: Final = "/croupier.v1.TableService/WatchTable"
_AT_ONCE: Final = 50
MOST_KIB: Final = 256.0
"""What a watcher that stalls may cost the server."""
_SAMPLE_SECONDS: Final = 0.02


class Stalled:
    """Opens watches and never reads from one."""

    def __init__(self, port: int, window: int = WINDOW) -> None:
        self._port = port
        self._window = window
        self._raws: list[RawHttp2] = []

    async def watch(self, table_id: str, count: int, **request: Any) -> None:
        """So many watchers more."""
        asked = WatchTableRequest(table_id=table_id, **request)
        for begin in range(0, count, _AT_ONCE):
            some = range(min(_AT_ONCE, count - begin))
            raws = await asyncio.gather(*(RawHttp2.connect(self._port, self._window) for _ in some))
            for raw in raws:
                raw.call(WATCH, asked)
            self._raws += raws

    async def window_is_full(self) -> bool:
        """Whether the first of them has been sent all that it has room for, by reading it; once."""
        return await self._raws[0].read_until_stalled() == self._window

    async def close(self) -> None:
        for raw in self._raws:
            with suppress(OSError):
                await raw.close()


class PeakMemory:
    """The most memory that a process holds at a time, in bytes, while this is entered."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.first = self.most = self.now()

    def kib_each(self, count: int) -> float:
        """What the process has taken at most since, in KiB for each of so many."""
        return (self.most - self.first) / count / 1024

    def now(self) -> int:
        held: int = self._process.memory_info().rss
        return held

    async def __aenter__(self) -> PeakMemory:
        self._task = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        self.most = max(self.most, self.now())

    async def _look(self) -> None:
        while True:
            self.most = max(self.most, self.now())
            await asyncio.sleep(_SAMPLE_SECONDS)


async def play(backend: Backend, table_id: str, acts: int, *, pause: float = 0.0, fold: bool = False) -> None:
    """So many checks and calls, or folds, of which more is told; with a pause in seconds after each."""
    decision = await backend.dealt(table_id)
    for _ in range(acts):
        if fold:
            answer = await backend.act(table_id, decision, hand_pb2.ACTION_KIND_FOLD)
            decision = answer.next_decision
        else:
            decision = await backend.check_or_call(table_id, decision)
        if not decision.player_id:
            decision = await backend.dealt(table_id)
        if pause:
            await asyncio.sleep(pause)
