"""Counters and histograms for the path of an action: prometheus_client's take a lock, which costs more than counting.

They are counted on the event loop alone, and read there by a scrape.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.utils import floatToGoString

from croupier.adapters.metrics.metric import Metric


class Tally:
    """A number that only grows."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


class Spread:
    """How many observations fell under each bound, and their sum."""

    __slots__ = ("_bounds", "_counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self.sum += value

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound as Prometheus writes it, with how many observations were at most that."""
        below = 0
        told: list[tuple[str, float]] = []
        for bound, count in zip((*self._bounds, float("inf")), self._counts, strict=True):
            below += count
            told.append((floatToGoString(bound), below))  # type: ignore[no-untyped-call]
        return told


class Tallies:
    """A family of tallies by label values, registered as one counter. The caller keeps what `child` gives."""

    def __init__(self, registry: CollectorRegistry, metric: Metric) -> None:
        self._metric: Final = metric
        self._children: dict[tuple[str, ...], Tally] = {} if metric.labels else {(): Tally()}
        registry.register(self)

    def child(self, *values: str) -> Tally:
        """The tally of these label values."""
        return self._children.setdefault(values, Tally())

    def collect(self) -> Iterator[CounterMetricFamily]:
        metric = self._metric
        family = CounterMetricFamily(metric.name, metric.meaning, labels=metric.labels)
        for values, tally in self._children.items():
            family.add_metric(values, tally.value)
        yield family

    describe = collect


class Spreads:
    """A family of spreads by label values, registered as one histogram."""

    def __init__(self, registry: CollectorRegistry, metric: Metric) -> None:
        self._metric: Final = metric
        self._children: dict[tuple[str, ...], Spread] = {} if metric.labels else {(): Spread(metric.bounds)}
        registry.register(self)

    def child(self, *values: str) -> Spread:
        """The spread of these label values."""
        return self._children.setdefault(values, Spread(self._metric.bounds))

    def collect(self) -> Iterator[HistogramMetricFamily]:
        metric = self._metric
        family = HistogramMetricFamily(metric.name, metric.meaning, labels=metric.labels)
        for values, spread in self._children.items():
            family.add_metric(values, spread.buckets(), spread.sum)
        yield family

    describe = collect
