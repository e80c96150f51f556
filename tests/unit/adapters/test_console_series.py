"""The console's figures of the last hour: read from what is exported, by the names it is exported under."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from croupier.adapters.console.series import PERIOD_NS, Series, quantile
from croupier.adapters.metrics import Metrics

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("before", "after", "share", "milliseconds"),
    [
        ((), (), 0.5, None),
        (((0.001, 4.0), (INFINITE, 4.0)), ((0.001, 4.0), (INFINITE, 4.0)), 0.5, None),
        ((), ((0.001, 10.0), (INFINITE, 10.0)), 0.5, 0.5),
        (
            ((0.001, 10.0), (0.003, 10.0), (INFINITE, 10.0)),
            ((0.001, 10.0), (0.003, 14.0), (INFINITE, 14.0)),
            0.5,
            2.0,
        ),
        ((), ((0.001, 0.0), (1.0, 1.0), (INFINITE, 100.0)), 0.99, 1000.0),
    ],
)
def test_shares_are_of_the_answers_between_two_samples(
    before: Any, after: Any, share: float, milliseconds: float | None
) -> None:
    assert quantile(before, after, share) == (None if milliseconds is None else pytest.approx(milliseconds))


def test_points_are_read_from_the_services_own_metrics() -> None:
    metrics = Metrics()
    room: Any = SimpleNamespace(tables=list)
    series = Series(room, metrics.registry)
    series.take(0)
    metrics.acted("Folded", "PLAYER")
    metrics.answered(0.002)
    series.take(PERIOD_NS)
    (point,) = series.told(0)["points"]
    assert point["actions"] == pytest.approx(1 / 5)
    assert 1 < point["p50"] <= 2.5
    assert series.told(point["time"])["points"] == []
