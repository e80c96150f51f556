"""What the trace of one command says, and the call that it is part of; an adapter keeps traces.

A trace names the table and the hand. It never has a card, a player, or anything of a request's body.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final, Protocol

import msgspec

ACCEPTED: Final = "ACCEPTED"


class Trace(msgspec.Struct):
    """One command. Times are in nanoseconds since the epoch, each when a stage begins, 0 where it never did.

    Stages: `queue` until the table has the command before it, `decide` until its record is made, `journal` until
    that is on disk, `publish` until the watchers' queues have it. `outcome` is ACCEPTED, or the reason why not.
    """

    command: str
    queue: int
    method: str = ""
    """The RPC, empty for what the service does of itself."""
    parent: Any = None
    """Whatever the adapter needs to tie the trace to the caller's."""
    table_id: str = ""
    hand_id: str = ""
    decide: int = 0
    journal: int = 0
    publish: int = 0
    ended: int = 0
    outcome: str = ACCEPTED


class Tracer(Protocol):
    """Keeps traces."""

    def command(self, trace: Trace) -> None:
        """A command has ended. Called on the path of an action; raises nothing."""
        ...


class Call:
    """A call under way. What is done in its context belongs to it, until it is over."""

    __slots__ = ("_arrived", "method", "over", "parent", "traced")

    def __init__(self, method: str, parent: Any, arrived: int, *, over: bool = False) -> None:
        self.method: Final = method
        self.parent: Final = parent
        self._arrived = arrived
        self.over = over
        self.traced = False
        """Whether a command of it was."""

    def trace(self, command: str, now: int) -> Trace:
        """The trace of a command that is carried out now; the first one has waited since the call arrived."""
        queue, self._arrived = self._arrived or now, 0
        self.traced = True
        return Trace(command, queue, self.method, self.parent)


current: Final[ContextVar[Call | None]] = ContextVar("current", default=None)
