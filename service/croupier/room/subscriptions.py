"""Watchers of one table: what waits for each, bounded; a slow one is cut off and slows nobody."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.room.ports import PendingAnswer, Runtime, Timer
from croupier.room.views import DecisionView

MOST_WAITING: Final = 256
"""Events that may wait for one watcher before it is cut off."""
MOST_ANNOTATIONS: Final = 8


_CONCEALED: Final = frozenset((*tev.INTERNAL, *tev.PRIVATE))


def public(events: Sequence[Event]) -> list[Event]:
    """The events that the whole table may know."""
    return [event for event in events if type(event) not in _CONCEALED]


def any_public(events: Sequence[Event]) -> bool:
    """Whether there is one that the whole table may know."""
    return type(events[0]) not in _CONCEALED or any(type(event) not in _CONCEALED for event in events)


class PrivatePart(NamedTuple):
    """What one player alone hears of a record; `sequence` is the last one's private_sequence."""

    player_id: str
    sequence: int
    events: tuple[tev.AdvanceActionSet | tev.PreferencesSet, ...]


def private_part(events: Sequence[Event]) -> PrivatePart | None:
    """What a record keeps to one player, who has said something of his own; None for nothing."""
    own = tuple([event for event in events if isinstance(event, tev.PRIVATE)])
    return PrivatePart(own[-1].player_id, own[-1].private_sequence, own) if own else None


class Publication:
    """One durable record as watchers hear of it: its public events, and what players alone may know.

    `record` is its journal_sequence. `hole_cards` are a player's own cards: as dealt, or in the record of a draw
    those discarded and then those drawn for them. `private` is what one player alone hears of.

    `board` is the hand's after it; `decision` is the one that stands after it. `encoded` and `messages` are for the
    adapter, which fills them once and shares them among all watchers.
    """

    __slots__ = (
        "board",
        "decision",
        "encoded",
        "events",
        "hole_cards",
        "messages",
        "private",
        "record",
        "recorded_time",
        "sequence",
    )

    def __init__(
        self,
        record: int,
        sequence: int,
        recorded_time: int,
        events: list[Event],
        hole_cards: dict[str, bytes],
        decision: DecisionView | None,
    ) -> None:
        self.record = record
        self.sequence = sequence
        self.recorded_time = recorded_time
        self.events = events
        self.hole_cards = hole_cards
        self.private: PrivatePart | None = None
        self.decision = decision
        self.board = b""
        self.encoded: dict[str, bytes] = {}
        self.messages: dict[str, tuple[int, bytes]] = {}

    def board_at(self, event: Event) -> bytes:
        """The board as it was when the event happened, which must be one of these."""
        place = next(place for place, one in enumerate(self.events) if one is event)
        if any(type(one) is ev.HandStarted for one in self.events[:place]):
            return _dealt(self.events[:place])
        return self.board[: len(self.board) - len(_dealt(self.events[place:]))]

    def concerns(self, viewer: str) -> bool:
        """Whether a viewer hears anything of it."""
        return bool(self.events) or (self.private is not None and self.private.player_id == viewer)

    def private_sequence_after(self, viewer: str, before: int) -> int:
        """A viewer's private_sequence after it: counted anew from when the viewer takes a seat."""
        if self.private is not None and self.private.player_id == viewer:
            return self.private.sequence
        taken = (event for event in self.events if type(event) is tev.SeatReserved)
        return 0 if any(event.player_id == viewer for event in taken) else before


def _dealt(events: Sequence[Event]) -> bytes:
    return b"".join([event.cards for event in events if isinstance(event, ev.StreetDealt)])


class Beginning(NamedTuple):
    """Where a subscription begins: what was done up to here its watcher learns otherwise.

    `private_sequence` is None where the watcher has no seat.
    """

    record: int
    sequence: int
    private_sequence: int | None


class Subscription:
    """One watcher's queue. `viewer` is the player whose cards it may see, empty for none."""

    __slots__ = (
        "_annotations",
        "_runtime",
        "_timer",
        "_waiter",
        "_waiting",
        "begins",
        "ended",
        "last_sequence",
        "viewer",
        "waiting_events",
    )

    def __init__(self, runtime: Runtime, viewer: str, begins: Beginning) -> None:
        self._runtime = runtime
        self._waiting: deque[Publication] = deque()
        self._annotations: list[bytes] = []
        self._waiter: PendingAnswer | None = None
        self._timer: Timer | None = None
        self.viewer = viewer
        self.begins = begins
        self.last_sequence = begins.sequence
        """Sequence that the watcher has been given everything up to, by what was taken."""
        self.waiting_events = 0
        self.ended = ""
        """Why the stream is over (a StreamEndReason's name), empty while it is not."""

    def push(self, publication: Publication) -> None:
        """Queue a publication; past MOST_WAITING events the watcher is cut off instead."""
        if self.ended or publication.record <= self.begins.record or not publication.concerns(self.viewer):
            return
        self.waiting_events += len(publication.events) or 1
        if self.waiting_events > MOST_WAITING:
            self._waiting.clear()
            self.waiting_events = 0
            self.end("SLOW_CONSUMER")
            return
        self._waiting.append(publication)
        self._wake()

    def annotate(self, record: int, annotation: bytes) -> None:
        """Queue what an adapter adds to a record, serialized by it; left out where many wait already."""
        if self.ended or record <= self.begins.record or len(self._annotations) >= MOST_ANNOTATIONS:
            return
        self._annotations.append(annotation)
        self._wake()

    def end(self, reason: str) -> None:
        """No more will come; what waits may still be taken."""
        if not self.ended:
            self.ended = reason
        self._wake()

    def take(self) -> list[Publication]:
        """Everything that waits, oldest first."""
        taken = list(self._waiting)
        self._waiting.clear()
        self.waiting_events = 0
        if taken:
            self.last_sequence = taken[-1].sequence
        return taken

    def take_annotations(self) -> list[bytes]:
        """Those that wait, oldest first; what they are about was taken before."""
        taken, self._annotations = self._annotations, []
        return taken

    def ready(self) -> bool:
        """Whether there is something to take, or nothing more to wait for."""
        return bool(self._waiting) or bool(self._annotations) or bool(self.ended)

    async def wait(self, until: int) -> None:
        """Return once something waits, the stream ends, or the time `until` may have come.

        One timer serves many waits: it is not moved for each event, so it may ring early.
        """
        if self.ready():
            return
        if self._timer is None:
            self._timer = self._runtime.call_at(until, self._rang)
        self._waiter = self._runtime.future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def close(self) -> None:
        """Nobody will wait again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rang(self) -> None:
        self._timer = None
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
