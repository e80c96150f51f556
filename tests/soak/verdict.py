"""Whether a server grew or slowed, by what was looked at while it played."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from math import sqrt
from typing import Final

import msgspec
from tests.soak.samples import Sample

MOST_MB: Final = 8.0
"""By which resident memory may grow in a million hands. What is remembered of tables, hands and accounts has a bound
that is reached in the first half; accounts that hold nothing are forgotten, and players come back.
"""
MOST_SLOWER: Final = 1.25
"""Median p99 of the last quarter against the first."""
MOST_TASKS: Final = 32
"""More of them in the last quarter than in the second; calls under way are tasks, and come and go."""
MOST_FILES: Final = 2
_LEAST: Final = 8
_BATCHES: Final = 10
"""Memory swings with the garbage collector, over several looks: means of so many batches are independent enough."""
_MILLION: Final = 1e6


class Quarter(msgspec.Struct):
    """Medians of a quarter of the looks; `hands` are those played by its end."""

    hands: int
    rss_mb: float
    p50_ms: float
    p99_ms: float


class Verdict(msgspec.Struct):
    """`mb_per_million` and its standard error are of a line through the second half; a line whose error is greater than
    what is allowed tells nothing. `wrong` is what speaks against the server.
    """

    mb_per_million: float
    error: float
    slower: float
    tasks_grown: int
    files_grown: int
    clear: bool
    wrong: list[str]
    quarters: list[Quarter]


def judged(samples: Sequence[Sample]) -> Verdict:
    """Raises ValueError where there are too few looks."""
    if len(samples) < _LEAST:
        raise ValueError(f"{len(samples)} looks tell nothing; {_LEAST} are the least")
    half = samples[len(samples) // 2 :]
    slope, error = _line([_middle(batch) for batch in _batches(half)])
    size = len(samples) // 4
    last, second = samples[-size:], samples[size : 2 * size]
    quarters = [_quarter(samples[place * size :][:size]) for place in range(3)] + [_quarter(last)]
    slower = quarters[-1].p99_ms / quarters[0].p99_ms
    tasks, files = (_usual(last, what) - _usual(second, what) for what in ("tasks", "files"))
    wrong = []
    clear = 2 * error <= MOST_MB
    if clear and slope - 2 * error > MOST_MB:
        wrong.append(f"memory grows by {slope:.1f} MB in a million hands, {MOST_MB:.0f} are allowed")
    if slower > MOST_SLOWER:
        wrong.append(f"p99 is {slower:.2f} times what it was, {MOST_SLOWER} are allowed")
    if tasks > MOST_TASKS:
        wrong.append(f"{tasks} more tasks, {MOST_TASKS} are allowed")
    if files > MOST_FILES:
        wrong.append(f"{files} more open files, {MOST_FILES} are allowed")
    return Verdict(slope, error, slower, tasks, files, clear, wrong, quarters)


def told(verdict: Verdict) -> list[str]:
    """In words."""
    slope, error = verdict.mb_per_million, verdict.error
    doubt = "" if verdict.clear else "; too few hands to tell"
    return [
        f"memory: {slope:+.1f} MB in a million hands, give or take {2 * error:.1f} (at most {MOST_MB:.0f}){doubt}",
        f"p99: last quarter {verdict.slower:.2f} times the first (at most {MOST_SLOWER})",
        f"tasks {verdict.tasks_grown:+}, open files {verdict.files_grown:+} from the second quarter to the last",
        *(
            f"to hand {one.hands:,}: {one.rss_mb:.1f} MB, p50 {one.p50_ms:.2f} ms, p99 {one.p99_ms:.2f} ms"
            for one in verdict.quarters
        ),
        *(f"WRONG: {what}" for what in verdict.wrong),
    ]


def _quarter(samples: Sequence[Sample]) -> Quarter:
    rss, p50, p99 = (
        statistics.median(getattr(one, what) for one in samples) for what in ("rss_mb", "p50_ms", "p99_ms")
    )
    return Quarter(samples[-1].hands, rss, p50, p99)


def _batches(samples: Sequence[Sample]) -> list[Sequence[Sample]]:
    count = min(_BATCHES, len(samples))
    return [
        samples[place * len(samples) // count : (place + 1) * len(samples) // count] for place in range(count)
    ]


def _middle(samples: Sequence[Sample]) -> tuple[float, float]:
    """Millions of hands, and megabytes."""
    return statistics.fmean(one.hands for one in samples) / _MILLION, statistics.fmean(
        one.rss_mb for one in samples
    )


def _usual(samples: Sequence[Sample], what: str) -> int:
    values: list[int] = sorted(getattr(one, what) for one in samples)
    return values[len(values) // 2]


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Slope of the line of least squares and its standard error."""
    xs, ys = zip(*points, strict=True)
    slope, start = statistics.linear_regression(xs, ys)
    rest = sum((y - start - slope * x) ** 2 for x, y in points)
    middle = statistics.fmean(xs)
    spread = sum((x - middle) ** 2 for x in xs)
    return slope, sqrt(rest / (len(points) - 2) / spread)
