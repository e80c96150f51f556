"""A record on its way to the disk, and everybody who waits for it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from croupier.engine.events import Event
from croupier.room.hand_ports import SettledHand
from croupier.room.operations import Operation
from croupier.room.ports import PendingAnswer, Record, RequestRecord, Runtime
from croupier.room.subscriptions import Publication

MakeOperation = Callable[[list[Event]], Operation]
"""From a record's events to the entry of the operator log that is written with it."""
MakeAnswer = Callable[[list[Event], int], RequestRecord | None]
"""From a record's events and sequence to the lasting answer that is written with it."""


class Commit:
    """`publication` goes to the watchers, and the waiters go on, once the record is on disk."""

    __slots__ = (
        "_runtime",
        "_waiters",
        "deadline",
        "dealt_time",
        "ended",
        "events",
        "failure",
        "hand_key",
        "publication",
        "record",
        "settled",
    )

    def __init__(self, runtime: Runtime, record: Record, events: list[Event]) -> None:
        self._runtime = runtime
        self._waiters: list[PendingAnswer] = []
        self.record = record
        self.events = events
        self.publication: Publication | None = None
        self.deadline = 0
        """That of the decision that arises from it; 0 where none does."""
        self.hand_key = b""
        """What the store was given of the key of a hand that begins with it."""
        self.ended: SettledHand | None = None
        """The hand that the record ends."""
        self.dealt_time = 0
        """When that was dealt, in nanoseconds since the epoch; 0 where it was before a restart."""
        self.settled = False
        self.failure: Exception | None = None

    def ask_until(self, deadline: int) -> None:
        """Move the deadline of the decision that arises from it."""
        self.deadline = deadline
        publication = self.publication
        if publication is not None and publication.decision is not None:
            publication.decision = msgspec.structs.replace(publication.decision, deadline=deadline)

    async def durable(self) -> None:
        """Return once the record is on disk. Raises StoreAway where it did not get there."""
        if not self.settled:
            waiter = self._runtime.future()
            self._waiters.append(waiter)
            await waiter
        if self.failure is not None:
            raise self.failure

    def settle(self, failure: Exception | None) -> None:
        """The store has answered."""
        self.settled = True
        self.failure = failure
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()
