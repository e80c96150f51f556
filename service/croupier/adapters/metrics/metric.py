"""What is said of one metric; all of them are in the catalogue."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Metric(NamedTuple):
    """One family."""

    kind: Literal["counter", "gauge", "histogram", "info"]
    name: str
    meaning: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    with_bus: bool = False
    """Whether only servers that share their store tell it."""

    @property
    def told_as(self) -> str:
        """The name that queries use, less a histogram's `_bucket`, `_count` and `_sum`."""
        return self.name + {"counter": "_total", "info": "_info"}.get(self.kind, "")
