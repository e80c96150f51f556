"""How much one caller may ask for at a time, on all its connections together."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

import msgspec

from croupier.room.failures import Refusal


class Limits(msgspec.Struct, frozen=True):
    """Unary calls and streams under way, and requests begun in a second; `max_rate` 0 is any number of them."""

    max_calls: int
    max_streams: int
    max_rate: int = 0


class Usage:
    """What one caller has under way. `max_rate` requests may come at once, and as many each second."""

    __slots__ = (
        "__weakref__",
        "_clock",
        "_full_at",
        "_limits",
        "_max_calls",
        "_max_rate",
        "calls",
        "streams",
    )

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits: Final = limits
        self._max_calls: Final = limits.max_calls
        self._max_rate: Final = limits.max_rate
        self._clock: Final = clock
        self._full_at = clock()
        """When the bucket is, or was, full again."""
        self.calls = 0
        self.streams = 0

    def begin_call(self) -> None:
        """Count a unary call in; whoever did counts it out. Raises Refusal, and counts nothing then."""
        if self._max_rate:
            self._spend()
        if self.calls >= self._max_calls:
            raise Refusal("TOO_MANY_CALLS", max_calls=self._max_calls)
        self.calls += 1

    def begin_stream(self) -> None:
        """As begin_call, for a stream."""
        if self._max_rate:
            self._spend()
        self.begin_view()

    def begin_view(self) -> None:
        """As begin_stream, for what a stream shows of its own accord: no request, and as much work as a stream."""
        if self.streams >= self._limits.max_streams:
            raise Refusal("TOO_MANY_STREAMS", max_streams=self._limits.max_streams)
        self.streams += 1

    def begin_request(self) -> None:
        """As begin_call, for a request on a stream, which counts how many are under way on its own."""
        if self._max_rate:
            self._spend()

    def _spend(self) -> None:
        """Take one request out of the bucket, which is a second deep."""
        now = self._clock()
        full_at = max(self._full_at, now) + 1 / self._max_rate
        if full_at > now + 1.000001:
            wait = math.ceil((full_at - now - 1) * 1000)
            raise Refusal("RATE_EXCEEDED", max_rate=self._max_rate, retry_after_ms=wait)
        self._full_at = full_at
