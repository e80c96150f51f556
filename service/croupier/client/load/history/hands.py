"""The latest hands of a history, held against the same hands as they are listed and returned."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from croupier.client.load.history.finding import Finding, Kind
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_record_pb2 import HandRecord

LISTED: Final = 50
WHOLE: Final = 2
"""How many of the latest hands are compared by their results, and how many event by event."""


class LatestHands:
    """Follows a table's events; `ended` are the hands that ended last, in order."""

    def __init__(self, table_id: str) -> None:
        self.ended: Final[deque[TableEvent]] = deque(maxlen=LISTED)
        self._table_id: Final = table_id
        self._events: Final[deque[list[TableEvent]]] = deque(maxlen=WHOLE)
        self._open: list[TableEvent] = []

    @property
    def last(self) -> str:
        """The hand that ended last; empty before any."""
        return self.ended[-1].hand_ended.hand_id if self.ended else ""

    def take(self, event: TableEvent) -> None:
        """The next event of the history."""
        if event.HasField("hand_started"):
            self._open = []
        self._open.append(event)
        if event.HasField("hand_ended"):
            self.ended.append(event)
            self._events.append(self._open)
            self._open = []

    def compare(self, listed: Sequence[HandRecord], whole: Sequence[HandRecord]) -> Iterator[Finding]:
        """`listed` are the table's hands, latest first, as many as `ended`; `whole` some of them with their events."""
        table_id = self._table_id
        told = {hand.hand_id: hand for hand in listed}
        came = {event.hand_ended.hand_id: event for event in self.ended}
        for hand_id, event in came.items():
            if hand_id not in told:
                yield Finding(
                    Kind.LOST, table_id, event.sequence, "", f"{hand_id} has ended, and is not listed"
                )
            elif (was := _came_to(event)) != (says := _told(told[hand_id])):
                what = f"{hand_id} is listed with results and rake {says}, they were {was}"
                yield Finding(Kind.ALTERED, table_id, event.sequence, "", what)
        for hand_id in told:
            if hand_id not in came:
                yield Finding(Kind.INVENTED, table_id, 0, "", f"{hand_id} is listed, the history has it not")
        if told.keys() == came.keys() and list(told) != list(reversed(came)):
            yield Finding(
                Kind.REORDERED, table_id, 0, "", "hands are listed in another order than they ended in"
            )
        for hand in whole:
            yield from self._compare_events(hand)

    def _compare_events(self, hand: HandRecord) -> Iterator[Finding]:
        known = next((one for one in self._events if one[-1].hand_ended.hand_id == hand.hand_id), None)
        if known is None:
            return
        told = [event for event in hand.events if not event.HasField("cards_shown")]
        for stands, says in zip_longest(known, told):
            if stands != says:
                kind = Kind.LOST if says is None else Kind.INVENTED if stands is None else Kind.ALTERED
                sequence = (stands or says).sequence
                what = f"GetHand tells {_name(says)} in {hand.hand_id}, the history has {_name(stands)}"
                yield Finding(kind, self._table_id, sequence, "", what)
                return


_Results = tuple[list[tuple[int, int]], int]


def _came_to(event: TableEvent) -> _Results:
    ended = event.hand_ended
    return [(result.seat_number, result.net) for result in ended.results], ended.rake


def _told(hand: HandRecord) -> _Results:
    return [(seat.seat_number, seat.net) for seat in hand.seats], hand.rake


def _name(event: TableEvent | None) -> str:
    return "nothing" if event is None else event.WhichOneof("event") or "something unknown"
