"""How late the event loop runs what is due: a sample every quarter of a second."""

from __future__ import annotations

import asyncio
import time

from prometheus_client import CollectorRegistry

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.tally import Spreads

PERIOD_SECONDS = 0.25


class LoopLag:
    """Started by its constructor on a running event loop; `last` is the newest sample in seconds."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = Spreads(registry, catalogue.LOOP_LAG).child()
        self.last = 0.0
        self._due = 0.0
        self._handle = self._next()

    def stop(self) -> None:
        self._handle.cancel()

    def _next(self) -> asyncio.TimerHandle:
        self._due = time.monotonic() + PERIOD_SECONDS
        return self._loop.call_later(PERIOD_SECONDS, self._sample)

    def _sample(self) -> None:
        self.last = max(0.0, time.monotonic() - self._due)
        self._seconds.observe(self.last)
        self._handle = self._next()
