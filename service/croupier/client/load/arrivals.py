"""When actions are due in an open loop: a schedule made from the seed, kept to by a thread of its own."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from threading import Event, Thread
from time import monotonic_ns
from typing import Final

from croupier.client.load.dice import Dice

_PARTS: Final = 1 << 31
_MANY: Final = 512
_PAUSE: Final = 0.005
"""Where many actions wait already, further ones come some at a time: to wake up for each would only take time from
those under way.
"""


def schedule(rate: float, ramp: float, dice: Dice) -> Iterator[float]:
    """Seconds from the start at which actions are due, without end: a Poisson process of `rate` a second, which is
    reached after `ramp` seconds and rises evenly until then.
    """
    expected, in_ramp = 0.0, rate * ramp / 2
    while True:
        expected -= math.log((dice.below(_PARTS) + 1) / _PARTS)
        yield math.sqrt(2 * ramp * expected / rate) if expected < in_ramp else ramp / 2 + expected / rate


class Arrivals:
    """Puts the moments at which actions are due, in nanoseconds of the monotonic clock, into `queue` as they come;
    None ends it for one taker. A thread does, because an event loop's timers are a millisecond coarse.
    """

    def __init__(self, moments: Iterator[float], start: int) -> None:
        self.queue: Final[asyncio.Queue[int | None]] = asyncio.Queue()
        self.count = 0
        self._moments: Final = moments
        self._start: Final = start
        self._loop: Final = asyncio.get_running_loop()
        self._over: Final = Event()
        self._until = 0
        self._thread: Final = Thread(target=self._announce, name="arrivals", daemon=True)
        self._thread.start()

    def stop(self, until: int = 0) -> None:
        """Nothing is due from now on; what was due before `until`, a moment that is past, comes at once."""
        self._until = until
        self._over.set()
        self._thread.join()

    def _announce(self) -> None:
        come: list[int] = []
        for moment in self._moments:
            due = self._start + int(moment * 1e9)
            left = (due - monotonic_ns()) / 1e9
            if left > 0 or len(come) >= _MANY:
                self._loop.call_soon_threadsafe(self._put, come)
                come = []
                self._over.wait(max(left, _PAUSE if self.queue.qsize() > _MANY else 0))
            if self._over.is_set() and due >= self._until:
                break
            come.append(due)
        self._loop.call_soon_threadsafe(self._put, come)

    def _put(self, come: list[int]) -> None:
        self.count += len(come)
        for due in come:
            self.queue.put_nowait(due)
