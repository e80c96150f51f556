"""The console's figures of the last hour: read from what is exported, by the names it is exported under."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from croupier.adapters.console.floor import Paces
from croupier.adapters.console.series import PERIOD_NS, SLICE, Series, quantile
from croupier.adapters.metrics import Metrics
from croupier.numbers import NS_PER_MS

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


async def test_points_are_read_from_the_services_own_metrics() -> None:
    metrics = Metrics()
    room: Any = SimpleNamespace(tables=list)
    series = Series(room, metrics.registry)
    await series.take(0)
    metrics.acted("Folded", "PLAYER")
    metrics.answered(0.002)
    await series.take(PERIOD_NS)
    (point,) = (await series.told(0))["points"]
    assert point["actions"] == pytest.approx(1 / 5)
    assert 1 < point["p50"] <= 2.5
    assert (await series.told(point["time"]))["points"] == []


def of_seats(number: int, seats: int, watchers: int) -> Any:
    carried = SimpleNamespace(seats=dict.fromkeys(range(seats)), hand_number=number)
    return SimpleNamespace(
        table_id=str(number), table=SimpleNamespace(carried=carried), watchers=[None] * watchers
    )


async def test_tables_are_looked_at_in_slices_between_which_the_event_loop_goes_on() -> None:
    tables = [of_seats(number, seats=3, watchers=2) for number in range(3 * SLICE + 1)]
    room: Any = SimpleNamespace(tables=lambda: tables)
    series, paces = Series(room, Metrics().registry), Paces()
    for look in (series.take(0), paces.note(0, room), series.take(PERIOD_NS)):
        assert sum(1 for _ in look.__await__()) == 3
    (point,) = (await series.told(0))["points"]
    assert (point["tables"], point["seats"], point["watchers"]) == (
        3 * SLICE + 1,
        9 * SLICE + 3,
        6 * SLICE + 2,
    )
    assert paces.of(str(3 * SLICE), 3_600_000 * NS_PER_MS, 3 * SLICE + 7) == 7


async def test_points_are_made_in_slices_between_which_the_event_loop_goes_on() -> None:
    room: Any = SimpleNamespace(tables=list)
    series = Series(room, Metrics().registry)
    for number in range(101):
        await series.take(number * PERIOD_NS)
    assert sum(1 for _ in series.told(-1).__await__()) == 2
    assert len((await series.told(-1))["points"]) == 100
