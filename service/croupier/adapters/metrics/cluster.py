"""What servers that share a store do together, counted, or looked at when a scrape asks. Left out with one server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.metric import Metric
from croupier.adapters.metrics.tally import Spread, Spreads, Tallies, Tally

Family = GaugeMetricFamily | CounterMetricFamily
_NS: Final = 1_000_000_000


class ClusterLook(NamedTuple):
    """How a server stands among the others at a moment, and what its part in their store has come to."""

    serving: int
    not_serving: int
    ownerless: int
    fenced_units: int
    declared_dead: int
    lease_remaining_s: float
    late_renewals: int
    clock_skew_s: float
    bus_connected: bool
    followers: int
    follower_gaps: int


class ClusterMetrics:
    """Counts on the event loop, and looks there when a scrape asks."""

    def __init__(self, registry: CollectorRegistry, look: Callable[[], ClusterLook]) -> None:
        self._look: Final = look
        self._takeovers = _histogram(registry, catalogue.TAKEOVER_SECONDS)
        self._failed = _counter(registry, catalogue.FAILED_TAKEOVERS).child()
        self._handed_over = _counter(registry, catalogue.HANDED_OVER).child()
        self._forwarded = _counter(registry, catalogue.FORWARDED_CALLS)
        self._forwarded_children: dict[tuple[str, str], Tally] = {}
        self._forwarded_seconds = _histogram(registry, catalogue.FORWARDED_SECONDS)
        registry.register(self)

    def taken_over(self, ns: int) -> None:
        """A table goes on here, so long after the lease of its last owner ran out."""
        self._takeovers.observe(ns / _NS)

    def not_taken_over(self) -> None:
        self._failed.value += 1

    def handed_over(self, tables: int) -> None:
        self._handed_over.value += tables

    def forwarded(self, method: str, outcome: str, seconds: float) -> None:
        """A call for another server's table came to an end."""
        child = self._forwarded_children.get((method, outcome))
        if child is None:
            child = self._forwarded_children[method, outcome] = self._forwarded.child(method, outcome)
        child.value += 1
        self._forwarded_seconds.observe(seconds)

    def collect(self) -> Iterator[Family]:
        look = self._look()
        yield _gauges(catalogue.NODES, {"serving": look.serving, "not_serving": look.not_serving})
        yield _gauge(catalogue.OWNERLESS, look.ownerless)
        yield _count(catalogue.FENCED_UNITS, look.fenced_units)
        yield _count(catalogue.DECLARED_DEAD, look.declared_dead)
        yield _gauge(catalogue.LEASE_REMAINING, look.lease_remaining_s)
        yield _count(catalogue.LATE_RENEWALS, look.late_renewals)
        yield _gauge(catalogue.CLOCK_SKEW, look.clock_skew_s)
        yield _gauge(catalogue.BUS_CONNECTED, look.bus_connected)
        yield _gauge(catalogue.FOLLOWERS, look.followers)
        yield _count(catalogue.FOLLOWER_GAPS, look.follower_gaps)

    def describe(self) -> Iterator[Family]:
        """Nothing is looked at before the first scrape."""
        yield from ()


def _counter(registry: CollectorRegistry, metric: Metric) -> Tallies:
    return Tallies(registry, metric.name, metric.meaning, *metric.labels)


def _histogram(registry: CollectorRegistry, metric: Metric) -> Spread:
    return Spreads(registry, metric.name, metric.meaning, metric.bounds).child()


def _gauge(metric: Metric, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(metric.name, metric.meaning, value=float(value))


def _count(metric: Metric, value: int) -> CounterMetricFamily:
    return CounterMetricFamily(metric.name, metric.meaning, value=value)


def _gauges(metric: Metric, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(metric.name, metric.meaning, labels=metric.labels)
    for label, value in values.items():
        family.add_metric((label,), value)
    return family
