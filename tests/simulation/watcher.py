"""Who watches a table: keeps count of what is heard, and comes back where a stream breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tests.simulation.chance import Chance
from tests.simulation.checks import Checks
from tests.simulation.life import Life
from tests.simulation.scenario import Faults
from tests.simulation.stream import End, Message, News, Snapshot, Stream
from tests.simulation.world import MS, NS, World

from croupier.engine import table_events as tev

Hear = Callable[[Message], None]


class Host(Protocol):
    """What takes a watcher's request."""

    def watch(self, stream: Stream, /) -> None: ...


class Watcher:
    """`viewer` is the player whose own cards are seen, empty for none; `listener` hears every message."""

    def __init__(
        self,
        world: World,
        chance: Chance,
        faults: Faults,
        checks: Checks,
        host: Callable[[], Host | None],
        table_id: str,
        viewer: str,
        listener: Hear,
    ) -> None:
        self.world = world
        self.chance = chance
        self.checks = checks
        self.table_id = table_id
        self.viewer = viewer
        self.name = f"watcher {viewer or 'of nobody'} at {table_id[:6]}"
        self.sequence = 0
        self.ended = False
        self._private = 0
        self._faults = faults
        self._host = host
        self._listener = listener
        self._stream: Stream | None = None
        self._slow = chance.one_in(2)
        self._resumes = False
        self._connect()

    def _connect(self) -> None:
        """With what is known already, or from a snapshot."""
        if self.ended:
            return
        host = self._host()
        if host is None:
            self.world.after(300 * MS, self._connect)
            return
        resumes = self._resumes and not self.chance.one_in(4)
        self._stream = Stream(self, (self.sequence, self._private) if resumes else None)
        self.world.after(self.chance.below(5 * MS), host.watch, self._stream)

    def lost(self, stream: Stream) -> None:
        """A stream broke; another one follows."""
        if stream is self._stream:
            self._stream = None
            self.world.after(self.chance.between(50 * MS, NS), self._connect)

    def cut(self) -> None:
        """The connection breaks."""
        if self._stream is not None:
            self._stream.broken()

    def cut_from(self, life: Life) -> None:
        """The process at the other end is gone."""
        if self._stream is not None and self._stream.life is life:
            self._stream.broken()

    def slowness(self) -> int:
        """How long the next message lies unread."""
        if self.world.healed or not self._slow:
            return 0
        if self.chance.one_in(self._faults.broken_stream):
            self.world.fault("broken stream")
            self.world.after(0, self.cut)
        if self.chance.one_in(self._faults.slow_watcher):
            self.world.fault("slow watcher")
            return self.chance.between(NS, 90 * NS)
        return 0

    def hear(self, message: Message) -> None:
        """A message is read."""
        if isinstance(message, Snapshot):
            if message.view.sequence < self.sequence and self.checks.snapshots_are_fresh:
                self.checks.violated(f"{self.name} was at {self.sequence}, and gets {message.view.sequence}")
            self.sequence, self._private = message.view.sequence, message.private_sequence
            self._resumes = True
        elif isinstance(message, News):
            for told in message.told:
                self._count(told.sequence, told.events, told.private)
            self.world.trace("heard", self.name, self.sequence, self._private)
        elif isinstance(message, End):
            self._end(message.reason)
        self._listener(message)

    def _count(self, sequence: int, events: tuple[object, ...], private: object) -> None:
        """Public and private sequences have no gap; the private one begins anew with a seat."""
        if events:
            if sequence != self.sequence + 1:
                self.checks.violated(f"{self.name} hears of {sequence} after {self.sequence}")
            self.sequence = sequence
        for event in events:
            if isinstance(event, tev.SeatReserved) and event.player_id == self.viewer:
                self._private = 0
        for event in getattr(private, "events", ()):
            if event.private_sequence != self._private + 1:
                self.checks.violated(
                    f"{self.name} hears of private {event.private_sequence} after {self._private}"
                )
            self._private = event.private_sequence

    def _end(self, reason: str) -> None:
        self._stream = None
        if reason == "TABLE_CLOSED":
            self.ended = True
        else:
            if reason == "SLOW_CONSUMER":
                self.world.fault("watcher cut off")
            self.world.after(100 * MS, self._connect)
