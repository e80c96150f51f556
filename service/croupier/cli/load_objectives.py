"""What `--slo` asks of latencies, and whether a run has kept it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.client.load.histogram import Latency

_FORM: Final = re.compile(r"(?:p(\d{1,2}(?:\.\d+)?)|max)=(\d+(?:\.\d+)?)(us|ms|s)", re.ASCII)
_IN_MS: Final = {"us": 0.001, "ms": 1.0, "s": 1000.0}


class Objective(NamedTuple):
    """At least so many percent of the actions are to take `most_ms` at most."""

    text: str
    percent: float
    most_ms: float


class Judged(NamedTuple):
    """`took_ms` is what it was, None where no action was measured: such a run has kept nothing."""

    objective: str
    took_ms: float | None
    met: bool

    def __str__(self) -> str:
        took = "no action was measured" if self.took_ms is None else f"{self.took_ms:.2f} ms"
        return f"SLO {'met' if self.met else 'MISSED'} {self.objective}: {took}"


def objective_of(text: str) -> Objective:
    """Of QUANTILE=DURATION; raises ValueError."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not like p99=50ms, p99.9=0.25s or max=2s")
    percent, number, unit = found.groups()
    return Objective(text, float(percent or 100), float(number) * _IN_MS[unit])


def judged(objectives: Sequence[Objective], latency: Latency) -> list[Judged]:
    """One for each."""
    found = []
    for text, percent, most_ms in objectives:
        took_ms = latency.quantile_ms(percent) if latency.calls else None
        found.append(Judged(text, took_ms, took_ms is not None and took_ms <= most_ms))
    return found
