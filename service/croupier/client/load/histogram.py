"""Latencies in an HDR histogram: microseconds to three significant digits, whatever their size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]

_MOST_US: Final = 3_600_000_000
_DIGITS: Final = 3
_STEPS_A_DECADE: Final = 12


class Latency(NamedTuple):
    """Of so many `calls`. `hdr` is the whole histogram in the interchange format of HdrHistogram, base64; it counts
    microseconds.
    """

    calls: int
    mean_ms: float
    p50_ms: float
    p90_ms: float
    p99_ms: float
    p999_ms: float
    max_ms: float
    hdr: str

    def quantile_ms(self, percent: float) -> float:
        """The latency that so many percent of the calls did not exceed."""
        return float(_decoded(self.hdr).get_value_at_percentile(percent)) / 1000

    def curve(self) -> list[tuple[float, float]]:
        """Pairs of 1 / (1 - share) and the milliseconds that this share did not exceed, to the last but one call."""
        steps = range(_steps(self.calls) + 1)
        upside = [10 ** (step / _STEPS_A_DECADE) for step in steps] if self.calls else []
        percents = [100 * (1 - 1 / one) for one in upside]
        values = _decoded(self.hdr).get_percentile_to_value_dict(percents) if percents else {}
        return [(one, values[percent] / 1000) for one, percent in zip(upside, percents, strict=True)]


class Histogram:
    """Counts latencies as they come."""

    def __init__(self) -> None:
        self._counts: Final[Any] = HdrHistogram(1, _MOST_US, _DIGITS)

    def add(self, nanoseconds: int) -> None:
        """An hour is the longest that is told from longer ones."""
        self._counts.record_value(min(nanoseconds // 1000, _MOST_US))

    def quantile_ms(self, percent: float) -> float:
        """As Latency has it; 0 of none."""
        return float(self._counts.get_value_at_percentile(percent)) / 1000

    def latency(self) -> Latency:
        counts = self._counts
        calls: int = counts.get_total_count()
        return Latency(
            calls=calls,
            mean_ms=counts.get_mean_value() / 1000 if calls else 0.0,
            p50_ms=self.quantile_ms(50),
            p90_ms=self.quantile_ms(90),
            p99_ms=self.quantile_ms(99),
            p999_ms=self.quantile_ms(99.9),
            max_ms=self.quantile_ms(100),
            hdr=counts.encode().decode(),
        )


def quantile(ordered: Sequence[int], share: float) -> int:
    """The value below which `share` of the ordered values lie; 0 of none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0


def _decoded(hdr: str) -> Any:
    return HdrHistogram.decode(hdr)


def _steps(count: int) -> int:
    """So far that one call in 10^(steps / _STEPS_A_DECADE) is at least one."""
    steps = 0
    while 10 ** ((steps + 1) / _STEPS_A_DECADE) <= count:
        steps += 1
    return steps
