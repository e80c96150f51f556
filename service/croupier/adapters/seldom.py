"""How often what strangers cause is written to the log: a line a minute of each kind, however much of it there is."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic
from typing import Final

EVERY_S: Final = 60.0
"""A line of a kind is written once in so long at most; the next one tells how many were left out."""


class _Written:
    """When a line was written last, and how many would have been since."""

    def __init__(self, time: float) -> None:
        self.time = time
        self.left_out = 0


class Seldom:
    """The lines of one writer."""

    def __init__(self) -> None:
        self._written: Final[dict[Hashable, _Written]] = {}

    def left_out(self, kind: Hashable) -> int | None:
        """How many lines of the kind were left out before the one now to be written; None where it is left out too."""
        now = monotonic()
        before = self._written.get(kind)
        if before is not None and now - before.time < EVERY_S:
            before.left_out += 1
            return None
        self._written[kind] = _Written(now)
        return before.left_out if before is not None else 0
