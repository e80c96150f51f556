"""The feed, counted, or looked at when a scrape asks. Left out where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final, NamedTuple

import structlog
from prometheus_client import CollectorRegistry

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.families import Family, Looked, gauge
from croupier.adapters.metrics.tally import Tallies
from croupier.numbers import NS_PER_S

QUIET_S: Final = 10.0
"""Failures are counted each time, and one is logged in so long."""
_KINDS: Final = ("hand", "entry_set")


class FeedLook(NamedTuple):
    """Settled hands that wait, and for how long the oldest does."""

    lag_hands: int
    lag_ns: int


class FeedMetrics(Looked):
    """The room's OutboxObserver, but for what the store does."""

    def __init__(self, registry: CollectorRegistry, look: Callable[[], FeedLook]) -> None:
        self._look: Final = look
        self._log = structlog.get_logger()
        self._quiet_until = 0.0
        messages = Tallies(registry, catalogue.FEED_MESSAGES)
        self._messages: Final = {kind: messages.child(kind) for kind in _KINDS}
        self._failures = Tallies(registry, catalogue.FEED_FAILURES).child()
        registry.register(self)

    def fed(self, kind: str) -> None:
        self._messages[kind].value += 1

    def feed_failed(self, failure: Exception, *, expected: bool) -> None:
        self._failures.value += 1
        now = monotonic()
        if now < self._quiet_until:
            return
        self._quiet_until = now + QUIET_S
        if expected:
            self._log.warning("feed_failed", why=str(failure))
        else:
            self._log.error("feed_failed", exc_info=failure)

    def collect(self) -> Iterator[Family]:
        look = self._look()
        yield gauge(catalogue.FEED_LAG_HANDS, look.lag_hands)
        yield gauge(catalogue.FEED_LAG_SECONDS, look.lag_ns / NS_PER_S)
