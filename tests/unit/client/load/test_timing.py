"""What is measured is what was due in the steady phase, from when it was due; what was never sent counts too."""

from __future__ import annotations

import pytest

from croupier.client.load.histogram import Histogram
from croupier.client.load.timing import Counts, Timing

MS = 1_000_000
SECOND = 1000 * MS


def test_a_histogram_keeps_three_digits_and_gives_back_its_whole() -> None:
    histogram = Histogram()
    for number in range(1, 10_001):
        histogram.add(number * MS)
    latency = histogram.latency()
    assert latency.calls == 10_000
    for percent, value in (
        (50, latency.p50_ms),
        (90, latency.p90_ms),
        (99, latency.p99_ms),
        (100, latency.max_ms),
    ):
        assert value == pytest.approx(percent * 100, rel=0.001)
        assert latency.quantile_ms(percent) == value
    assert latency.mean_ms == pytest.approx(5000.5, rel=0.001)
    shares, values = zip(*latency.curve(), strict=True)
    assert shares[0] == 1
    assert shares[-1] == pytest.approx(10_000)
    assert list(values) == sorted(values)


def test_an_empty_histogram_has_no_curve() -> None:
    latency = Histogram().latency()
    assert (latency.calls, latency.p99_ms, latency.mean_ms, latency.curve()) == (0, 0, 0, [])


def test_only_what_was_due_in_the_steady_phase_is_measured() -> None:
    timing = Timing()
    timing.act(due=0, sent=0, ended=MS)
    timing.steady(10 * MS)
    timing.act(due=9 * MS, sent=11 * MS, ended=12 * MS)
    timing.act(due=10 * MS, sent=17 * MS, ended=20 * MS)
    timing.over(30 * MS)
    timing.act(due=29 * MS, sent=31 * MS, ended=49 * MS)
    timing.act(due=30 * MS, sent=30 * MS, ended=31 * MS)
    timing.unserved(due=20 * MS, now=120 * MS)
    timing.unserved(due=31 * MS, now=120 * MS)
    for due in (9, 10, 29, 30):
        timing.taken(due * MS)
    assert (timing.due_count, timing.unserved_count) == (3, 1)
    assert timing.acts.latency().calls == 3
    assert timing.acts.quantile_ms(50) == pytest.approx(20, rel=0.001)
    assert timing.acts.quantile_ms(100) == pytest.approx(100, rel=0.001)
    assert timing.from_sending.latency().calls == 2
    assert timing.from_sending.quantile_ms(100) == pytest.approx(18, rel=0.001)


def test_points_have_the_rates_of_their_time() -> None:
    timing = Timing()
    timing.start(0)
    for number in range(100):
        timing.act(due=0, sent=0, ended=(number + 1) * MS)
    timing.point(2 * SECOND, "ramp", Counts(due=120, acts=100, late=1, wrong=0, waiting=20))
    timing.point(2 * SECOND + MS, "ramp", Counts(120, 100, 1, 0, 20))
    timing.point(3 * SECOND, "steady", Counts(130, 130, 1, 2, 0))
    first, second = timing.points
    assert (first.at, first.phase, first.due_rate, first.rate, first.waiting) == (2, "ramp", 60, 50, 20)
    assert (first.p50_ms, first.p99_ms, first.max_ms) == (51, 100, 100)
    assert (second.due_rate, second.rate, second.late, second.wrong) == (10, 30, 0, 2)
    assert second.p99_ms == 0


def test_nothing_is_kept_of_a_run_that_nobody_has_started() -> None:
    timing = Timing()
    for number in range(1000):
        timing.act(number, number, number + 1)
    assert len(timing._second) == 0
    timing.start(1000)
    timing.act(1000, 1000, 1001)
    assert len(timing._second) == 1
