"""How long calls took: in the steady phase by method, and second by second from the start of the ramp."""

from __future__ import annotations

from array import array
from collections import defaultdict
from typing import Final, Literal, NamedTuple

from croupier.client.load.histogram import Histogram, quantile

Phase = Literal["ramp", "steady", "draining"]

_NEVER: Final = 1 << 62
_LEAST_POINT: Final = 50_000_000
"""A rest of a second that is shorter makes no point, in nanoseconds."""


class Counts(NamedTuple):
    """What had been counted by a moment: actions due in an open loop, answered, late, wrong answers; `waiting` are the
    actions that were due and not yet sent.
    """

    due: int
    acts: int
    late: int
    wrong: int
    waiting: int


class Point(NamedTuple):
    """About a second of a run, `at` seconds after it began; rates are a second's. Latencies are of what was answered in
    it, 0 where nothing was.
    """

    at: float
    phase: Phase
    due_rate: float
    rate: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    late: int
    wrong: int
    waiting: int


class Timing:
    """Moments are nanoseconds of the monotonic clock. An action belongs to the phase in which it was due. Of the
    `due_count` due by the schedule in the steady phase `unserved_count` were never sent.

    Nothing is kept where nobody has told it to `start`.
    """

    def __init__(self) -> None:
        self.acts: Final = Histogram()
        self.from_sending: Final = Histogram()
        self.others: Final[defaultdict[str, Histogram]] = defaultdict(Histogram)
        self.points: Final[list[Point]] = []
        self.due_count = 0
        self.unserved_count = 0
        self._begin = self._end = _NEVER
        self._second: Final = array("q")
        self._start = self._since = _NEVER
        self._counted = Counts(0, 0, 0, 0, 0)

    def act(self, due: int, sent: int, ended: int) -> None:
        """An action was answered, which was `due` by the schedule, or as it was sent."""
        if self._start < _NEVER:
            self._second.append(ended - due)
        if self._measured(due):
            self.acts.add(ended - due)
            self.from_sending.add(ended - sent)

    def taken(self, due: int) -> None:
        """An action that was due is being sent."""
        self.due_count += self._measured(due)

    def unserved(self, due: int, now: int) -> None:
        """An action was due and is not sent any more: it has waited for so long at least."""
        if self._measured(due):
            self.due_count += 1
            self.unserved_count += 1
            self.acts.add(now - due)

    def other(self, method: str, sent: int, ended: int) -> None:
        """Another call was answered."""
        if method != "Act" and self._measured(sent):
            self.others[method].add(ended - sent)

    def start(self, now: int) -> None:
        """The ramp begins."""
        self._start = self._since = now

    def steady(self, begin: int) -> None:
        """What is due from then on is measured."""
        self._begin = begin

    def over(self, end: int) -> None:
        """What is due from then on is not measured."""
        self._end = end

    def _measured(self, due: int) -> bool:
        return self._begin <= due < self._end

    def point(self, now: int, phase: Phase, counts: Counts) -> None:
        """Ends a point, and begins the next."""
        width = now - self._since
        if width < _LEAST_POINT:
            return
        second, before = sorted(self._second), self._counted
        self.points.append(
            Point(
                at=(now - self._start) / 1e9,
                phase=phase,
                due_rate=(counts.due - before.due) * 1e9 / width,
                rate=(counts.acts - before.acts) * 1e9 / width,
                p50_ms=quantile(second, 0.5) / 1e6,
                p99_ms=quantile(second, 0.99) / 1e6,
                max_ms=quantile(second, 1.0) / 1e6,
                late=counts.late - before.late,
                wrong=counts.wrong - before.wrong,
                waiting=counts.waiting,
            )
        )
        del self._second[:]
        self._since, self._counted = now, counts
