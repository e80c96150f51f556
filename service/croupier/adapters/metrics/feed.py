"""The feed, counted, or looked at when a scrape asks. Left out where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final, NamedTuple

import structlog
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.metric import Metric
from croupier.adapters.metrics.tally import Tallies

QUIET_S: Final = 10.0
"""Failures are counted each time, and one is logged in so long."""
_NS: Final = 1_000_000_000
_KINDS: Final = ("hand", "entry_set")


class FeedLook(NamedTuple):
    """Settled hands that wait, and for how long the oldest does."""

    lag_hands: int
    lag_ns: int


class FeedMetrics:
    """The room's OutboxObserver, but for what the store does."""

    def __init__(self, registry: CollectorRegistry, look: Callable[[], FeedLook]) -> None:
        self._look: Final = look
        self._log = structlog.get_logger()
        self._quiet_until = 0.0
        messages = _counter(registry, catalogue.FEED_MESSAGES)
        self._messages: Final = {kind: messages.child(kind) for kind in _KINDS}
        self._failures = _counter(registry, catalogue.FEED_FAILURES).child()
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

    def collect(self) -> Iterator[GaugeMetricFamily]:
        look = self._look()
        yield _gauge(catalogue.FEED_LAG_HANDS, look.lag_hands)
        yield _gauge(catalogue.FEED_LAG_SECONDS, look.lag_ns / _NS)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing is looked at before the first scrape."""
        yield from ()


def _counter(registry: CollectorRegistry, metric: Metric) -> Tallies:
    return Tallies(registry, metric.name, metric.meaning, *metric.labels)


def _gauge(metric: Metric, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(metric.name, metric.meaning, value=float(value))
