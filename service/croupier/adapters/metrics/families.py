"""What a collector yields for one metric of the catalogue when a scrape asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import prometheus_client
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from croupier.adapters.metrics.metric import Metric

Family = prometheus_client.Metric


class Looked:
    """A collector that is looked at only by scrapes: registering it yields nothing."""

    def describe(self) -> Iterator[Family]:
        yield from ()


def gauge(metric: Metric, value: float) -> Family:
    return GaugeMetricFamily(metric.name, metric.meaning, value=float(value))


def gauges(metric: Metric, values: Mapping[tuple[str, ...], float]) -> Family:
    """By the values of its labels."""
    family = GaugeMetricFamily(metric.name, metric.meaning, labels=metric.labels)
    for labels, value in values.items():
        family.add_metric(labels, value)
    return family


def count(metric: Metric, value: int) -> Family:
    """A counter that somebody else counts."""
    return CounterMetricFamily(metric.name, metric.meaning, value=value)
