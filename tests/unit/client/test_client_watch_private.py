"""A player's watch brings what concerns the player alone once, and in its order, over broken streams as well."""

from __future__ import annotations

from grpc import StatusCode
from tests.unit.client.scripted import Refusal, Scripted

from croupier.client import Croupier
from croupier.v1.event_pb2 import PrivateEvent, SeatReserved, TableEvent
from croupier.v1.table_pb2 import OwnState, Table
from croupier.v1.table_service_pb2 import (
    EventBatch,
    PrivateEventBatch,
    StreamEnd,
    StreamEndReason,
    WatchTableResponse,
)

BROKEN = Refusal(StatusCode.UNAVAILABLE)
CLOSED = WatchTableResponse(end=StreamEnd(reason=StreamEndReason.STREAM_END_REASON_TABLE_CLOSED))


def snapshot(sequence: int, private: int) -> WatchTableResponse:
    own = OwnState(private_sequence=private)
    return WatchTableResponse(snapshot=Table(table_id="T", sequence=sequence, own=own))


def events(*sequences: int, seated: str = "") -> WatchTableResponse:
    batch = EventBatch(events=[TableEvent(sequence=sequence) for sequence in sequences])
    if seated:
        batch.events[-1].seat_reserved.CopyFrom(SeatReserved(player_id=seated))
    return WatchTableResponse(events=batch)


def private(*numbers: int) -> WatchTableResponse:
    batch = PrivateEventBatch(events=[PrivateEvent(private_sequence=number) for number in numbers])
    return WatchTableResponse(private_events=batch)


async def told(client: Croupier) -> list[int]:
    """The numbers that anna gets to see; those of what concerns her alone are negative."""
    seen: list[int] = []
    async for news in client.watch("T", "anna"):
        if isinstance(news, EventBatch):
            seen += [event.sequence for event in news.events]
        elif isinstance(news, PrivateEventBatch):
            seen += [-event.private_sequence for event in news.events]
    return seen


def resumed(scripted: Scripted) -> list[tuple[int, int]]:
    return [(one.resume_after_sequence, one.resume_after_private_sequence) for one in scripted.watches]


async def test_a_broken_watch_is_resumed_by_both_numbers(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4, 2), private(3), events(5), BROKEN], [private(3, 4), events(6), CLOSED]]
    assert await told(client) == [-3, 5, -4, 6]
    assert resumed(scripted) == [(0, 0), (5, 3)]


async def test_a_private_gap_is_asked_for_again_instead_of_told(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4, 2), private(4)], [private(3, 4), CLOSED]]
    assert await told(client) == [-3, -4]
    assert resumed(scripted) == [(0, 0), (4, 2)]


async def test_with_a_new_seat_the_player_is_counted_anew(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [
        [snapshot(4, 2), events(5, seated="bert"), private(3), events(6, seated="anna"), BROKEN],
        [private(1), CLOSED],
    ]
    assert await told(client) == [5, -3, 6, -1]
    assert resumed(scripted) == [(0, 0), (6, 0)]
