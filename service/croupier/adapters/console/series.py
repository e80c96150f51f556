"""How the service did over the last hour: samples of its own metrics, few enough to be drawn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from prometheus_client import CollectorRegistry

from croupier.adapters.metrics import catalogue
from croupier.numbers import NS_PER_MS, NS_PER_S
from croupier.room.room import Room

PERIOD_NS: Final = 5_000 * NS_PER_MS
MOST_SAMPLES: Final = 720
SLICE: Final = 200
"""Tables that are looked at before the event loop goes on: less than a millisecond."""
_POINTS_AT_ONCE: Final = 40
_HANDS: Final = catalogue.HANDS.told_as
_ACTIONS: Final = catalogue.ACTIONS.told_as
_RAKE: Final = catalogue.RAKE_CHIPS.told_as
_ANSWERS: Final = f"{catalogue.ANSWER_SECONDS.told_as}_bucket"

Buckets = tuple[tuple[float, float], ...]
"""Upper bounds in seconds, and how many answers took at most so long; bounds ascend."""


class Sample(NamedTuple):
    """What had happened by `time`, in nanoseconds; `rake` by currency, in chips."""

    time: int
    hands: float
    actions: float
    rake: Mapping[str, float]
    answers: Buckets
    tables: int
    seats: int
    watchers: int


class Series:
    """Samples, oldest first."""

    def __init__(self, room: Room, registry: CollectorRegistry) -> None:
        self._room = room
        self._metrics = registry.restricted_registry((_HANDS, _ACTIONS, _RAKE, _ANSWERS))
        self._samples: deque[Sample] = deque(maxlen=MOST_SAMPLES + 1)

    async def take(self, now: int) -> None:
        """Note how things stand: what happened by `now`, then the tables, counted slice by slice."""
        totals = {_HANDS: 0.0, _ACTIONS: 0.0}
        rake: dict[str, float] = {}
        answers: dict[float, float] = {}
        for metric in self._metrics.collect():
            for sample in metric.samples:
                if sample.name == _RAKE:
                    currency = sample.labels.get("currency", "")
                    rake[currency] = rake.get(currency, 0.0) + sample.value
                elif sample.name == _ANSWERS:
                    bound = float(sample.labels["le"])
                    answers[bound] = answers.get(bound, 0.0) + sample.value
                elif sample.name in totals:
                    totals[sample.name] += sample.value
        happened = (now, totals[_HANDS], totals[_ACTIONS], rake, tuple(sorted(answers.items())))
        self._samples.append(Sample(*happened, *await self._standing()))

    async def _standing(self) -> tuple[int, int, int]:
        """Tables, taken seats, watchers."""
        tables = self._room.tables()
        seats = watchers = 0
        for number, actor in enumerate(tables, start=1):
            seats += len(actor.table.carried.seats)
            watchers += len(actor.watchers)
            if number % SLICE == 0:
                await asyncio.sleep(0)
        return len(tables), seats, watchers

    async def told(self, after_ms: int) -> dict[str, Any]:
        """Points later than a time, in milliseconds since the epoch, as the page draws them; made slice by slice."""
        points = []
        for number, point in enumerate(self._points(after_ms), start=1):
            points.append(point)
            if number % _POINTS_AT_ONCE == 0:
                await asyncio.sleep(0)
        return {"points": points}

    def _points(self, after_ms: int) -> Iterator[dict[str, Any]]:
        samples = list(self._samples)
        for before, sample in pairwise(samples):
            time = sample.time // NS_PER_MS
            if time <= after_ms:
                continue
            seconds = (sample.time - before.time) / NS_PER_S or 1.0
            yield {
                "time": time,
                "actions": (sample.actions - before.actions) / seconds,
                "hands": (sample.hands - before.hands) / seconds * 3600,
                "rake": sample.rake,
                "p50": quantile(before.answers, sample.answers, 0.5),
                "p99": quantile(before.answers, sample.answers, 0.99),
                "tables": sample.tables,
                "seats": sample.seats,
                "watchers": sample.watchers,
            }


def quantile(before: Buckets, after: Buckets, share: float) -> float | None:
    """Milliseconds that a share of the answers between two samples took at most; None where there were none.

    Within a bucket answers are held to be spread evenly; above the last bound, to be at it.
    """
    earlier = dict(before)
    counts = [(bound, count - earlier.get(bound, 0.0)) for bound, count in after]
    if not counts or counts[-1][1] <= 0:
        return None
    return _within(counts, share * counts[-1][1]) * 1000


def _within(counts: Sequence[tuple[float, float]], rank: float) -> float:
    low, below = 0.0, 0.0
    for bound, count in counts:
        if count >= rank:
            if bound == float("inf"):
                return low
            inside = count - below
            return low + (bound - low) * ((rank - below) / inside if inside else 1.0)
        low, below = bound, count
    return low
