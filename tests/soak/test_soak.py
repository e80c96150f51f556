"""What the soak holds against a server, and what not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from tests.soak.samples import Sample, line, progress
from tests.soak.verdict import judged, told

LOOKS = 80


def samples(
    *,
    rss_mb: Callable[[int], float] = lambda _: 200.0,
    p99_ms: Callable[[int], float] = lambda _: 10.0,
    tasks: Callable[[int], int] = lambda _: 200,
    hands: int = 10_000,
) -> list[Sample]:
    """Looks at so many hands each."""
    return [
        Sample(
            seconds=10.0 * look,
            hands=hands * look,
            acts=9 * hands * look,
            opened=look,
            acts_per_s=1000.0,
            cpu_us=300.0,
            p50_ms=5.0,
            p99_ms=p99_ms(look),
            rss_mb=rss_mb(look) + look % 3,
            blocks=1,
            tasks=tasks(look),
            threads=12,
            files=30,
            store_mb=1.0,
            wal_mb=1.0,
            machine_load=1.0,
        )
        for look in range(1, LOOKS + 1)
    ]


def test_a_server_that_fills_its_caches_and_then_stays_is_well() -> None:
    verdict = judged(samples(rss_mb=lambda look: min(200, 100 + 5 * look)))
    assert (verdict.wrong, verdict.clear) == ([], True)
    assert "too few" not in told(verdict)[0]


def test_growing_memory_is_wrong() -> None:
    verdict = judged(samples(rss_mb=lambda look: 200 + 0.4 * look))
    assert [what[:12] for what in verdict.wrong] == ["memory grows"]


def test_a_slope_that_nobody_could_tell_is_said_to_be_none() -> None:
    short = judged(samples(rss_mb=lambda look: 200 + look % 7)[:16])
    assert not short.clear
    assert not short.wrong


def test_memory_that_swings_does_not_count_as_growing() -> None:
    """A look is much like the one before it: taken one by one, those of this run would tell of growth."""
    random, swings = Random(35), [0.0]
    for _ in range(LOOKS):
        swings.append(0.9 * swings[-1] + random.gauss(0, 0.5))
    verdict = judged(samples(rss_mb=lambda look: 200 + swings[look], hands=6_000))
    assert not verdict.wrong


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"p99_ms": lambda look: 10 + look / 10}, "p99 is"),
        ({"tasks": lambda look: 200 + 2 * look}, "80 more tasks"),
    ],
)
def test_growing_latency_and_tasks_are_wrong(given: dict[str, Any], what: str) -> None:
    assert [wrong[: len(what)] for wrong in judged(samples(**given)).wrong] == [what]


def test_a_few_looks_tell_nothing() -> None:
    with pytest.raises(ValueError, match="8 are the least"):
        judged(samples()[:7])


def test_quarters_are_told() -> None:
    told_of = told(judged(samples(p99_ms=lambda look: 10.0 if look <= 40 else 11.0)))
    assert "to hand 200,000: 201.0 MB, p50 5.00 ms, p99 10.00 ms" in told_of
    assert "to hand 800,000: 201.0 MB, p50 5.00 ms, p99 11.00 ms" in told_of


def test_a_look_is_a_line() -> None:
    assert len(f"{line(samples()[0])} {progress(samples()[:1], 10**6)}") < 150


def test_what_is_left_is_by_the_pace_of_the_last_minutes() -> None:
    looks = samples()
    assert progress(looks[:1], 40_000).split() == ["25.0%", "0:00:30"]
    assert progress(looks[:4], 40_000).split() == ["100.0%", "0:00:00"]
    slower = [*looks, *(msgspec.structs.replace(looks[-1], seconds=800.0 + 10 * one) for one in range(1, 90))]
    assert progress(slower, 10**6).split() == ["80.0%", "unknown"]
