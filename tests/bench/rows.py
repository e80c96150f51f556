"""What a bench comes to: one row a figure, with what it was held against and on what."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict


class Row(TypedDict):
    """`ratio` is ours over what it is held `against`, turned so that larger is better; `goal` is the ratio
    asked for, 0 where there is none. `runs` is how many runs `value` is the median of.
    """

    name: str
    value: float
    unit: str
    against: str
    ratio: float
    goal: float
    runs: int
    conditions: str


def row(
    name: str, value: float, unit: str, *, against: str, ratio: float, goal: float, runs: int, conditions: str
) -> Row:
    """A figure, rounded to what is worth reading."""
    return Row(
        name=name,
        value=round(value, 3),
        unit=unit,
        against=against,
        ratio=round(ratio, 3),
        goal=goal,
        runs=runs,
        conditions=conditions,
    )


def in_words(row: Mapping[str, Any]) -> Row:
    """A row as all are written down: where a bench gave numbers, lists or mappings for them, `against` and
    `conditions` are texts and `runs` is a count.
    """
    against, runs, conditions = row["against"], row["runs"], row["conditions"]
    if isinstance(against, int | float):
        against = f"{against:,} {row['unit']}"
    if isinstance(conditions, Mapping):
        conditions = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in conditions.items())
    return Row(
        name=row["name"],
        value=row["value"],
        unit=row["unit"],
        against=against,
        ratio=row["ratio"],
        goal=row["goal"],
        runs=runs if isinstance(runs, int) else len(runs),
        conditions=conditions,
    )


def failed(name: str, why: str) -> Row:
    """The row of a bench that could not be run to its end."""
    return row(name, 0.0, "", against="", ratio=0.0, goal=0.0, runs=0, conditions=f"FAILED: {why}")


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def told(values: Sequence[float]) -> str:
    """The single values behind a median."""
    return ", ".join(f"{value:,.4g}" for value in values)


def machine() -> str:
    """The machine and the interpreter this runs on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return f"{os.cpu_count()} x {model}, Python {platform.python_version()}, {platform.system()}"
