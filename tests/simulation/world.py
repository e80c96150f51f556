"""Simulated time: one thing happens after another, and each is a step. Nothing here knows what happens."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Final, Protocol

NS: Final = 1_000_000_000
MS: Final = 1_000_000


class Lane(Protocol):
    """What a step belongs to: a process that may be dead by then, or stand still until a time."""

    alive: bool
    stalled_until: int
    loop: asyncio.AbstractEventLoop


class Due:
    """A step to come; it can be taken back."""

    __slots__ = ("arguments", "call", "lane")

    def __init__(self, lane: Lane | None, call: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self.lane = lane
        self.call: Callable[..., object] | None = call
        self.arguments = arguments

    def cancel(self) -> None:
        self.call = None


class World:
    """`now` is nanoseconds since the beginning. `wrong` holds what was found to be broken."""

    def __init__(self) -> None:
        self.now = 0
        self.steps = 0
        self.wrong: list[str] = []
        self.faults: Counter[str] = Counter()
        self.healed = False
        """Whether nothing goes wrong any more, so that everything may come to its end."""
        self._order = 0
        self._lane: Lane | None = None
        self._ready: deque[Due] = deque()
        self._later: list[tuple[int, int, Due]] = []
        self._trace = hashlib.blake2b(digest_size=16)

    def soon(self, lane: Lane | None, call: Callable[..., object], *arguments: Any) -> Due:
        due = Due(lane, call, arguments)
        self._ready.append(due)
        return due

    def at(self, when: int, lane: Lane | None, call: Callable[..., object], *arguments: Any) -> Due:
        due = Due(lane, call, arguments)
        self._push(when, due)
        return due

    def after(self, span: int, call: Callable[..., object], *arguments: Any) -> Due:
        """Outside of the service."""
        return self.at(self.now + span, None, call, *arguments)

    def step(self) -> bool:
        """Let the next thing happen; whether there was one."""
        while True:
            if self._ready:
                due = self._ready.popleft()
            elif self._later:
                when, _, due = heapq.heappop(self._later)
                if due.call is not None and when > self.now:
                    self.now = when
            else:
                return False
            if due.call is None:
                continue
            lane = due.lane
            if lane is not None:
                if not lane.alive:
                    continue
                if lane.stalled_until > self.now:
                    self._push(lane.stalled_until, due)
                    continue
            self.steps += 1
            if lane is not self._lane:
                self._lane = lane
                asyncio._set_running_loop(None if lane is None else lane.loop)
            due.call(*due.arguments)
            return True

    def _push(self, when: int, due: Due) -> None:
        self._order += 1
        heapq.heappush(self._later, (when, self._order, due))

    def leave(self) -> None:
        """No step is under way any more."""
        self._lane = None
        asyncio._set_running_loop(None)

    # what is told of it

    def violated(self, what: str) -> None:
        self.wrong.append(what)

    def fault(self, kind: str) -> None:
        """A fault was injected."""
        self.faults[kind] += 1
        self.trace("fault", kind)

    def trace(self, *what: str | int | bytes) -> None:
        """Make it part of what two runs of a seed must have alike."""
        self._trace.update(f"{self.now} {what}\n".encode())

    def digest(self) -> str:
        return self._trace.hexdigest()
