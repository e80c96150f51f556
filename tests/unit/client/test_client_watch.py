"""A watch goes on over broken streams with every event once, and says so where it cannot."""

from __future__ import annotations

import pytest
from grpc import StatusCode
from tests.unit.client.scripted import Refusal, Scripted

from croupier.client import Croupier, Refused, Unanswered
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    EventBatch,
    Heartbeat,
    StreamEnd,
    StreamEndReason,
    WatchTableResponse,
)

BROKEN = Refusal(StatusCode.UNAVAILABLE)


def snapshot(sequence: int) -> WatchTableResponse:
    return WatchTableResponse(snapshot=Table(table_id="T", sequence=sequence))


def events(*sequences: int) -> WatchTableResponse:
    batch = EventBatch(events=[TableEvent(sequence=sequence) for sequence in sequences])
    batch.next_decision.CopyFrom(Decision(action_sequence=sequences[-1]))
    return WatchTableResponse(events=batch)


def heartbeat(sequence: int) -> WatchTableResponse:
    return WatchTableResponse(heartbeat=Heartbeat(sequence=sequence))


def end(reason: str) -> WatchTableResponse:
    value = StreamEndReason.Value(f"STREAM_END_REASON_{reason}")
    return WatchTableResponse(end=StreamEnd(reason=value))


CLOSED = end("TABLE_CLOSED")


async def told(client: Croupier, resume_after: int | None = None) -> list[int]:
    """The sequences a watcher of the table gets to see; a snapshot's is negative."""
    seen: list[int] = []
    async for news in client.watch("T", resume_after=resume_after):
        if isinstance(news, Table):
            seen.append(-news.sequence)
        elif isinstance(news, EventBatch):
            seen.extend(event.sequence for event in news.events)
    return seen


def resumed(scripted: Scripted) -> list[int | None]:
    return [
        request.resume_after_sequence if request.HasField("resume_after_sequence") else None
        for request in scripted.watches
    ]


async def test_a_watch_ends_when_the_table_closes(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), events(5, 5), events(6, 7), CLOSED]]
    assert await told(client) == [-4, 5, 5, 6, 7]
    assert resumed(scripted) == [None]


@pytest.mark.parametrize(
    "last",
    [
        [BROKEN],
        [Refusal(StatusCode.INTERNAL)],
        [Refusal(StatusCode.RESOURCE_EXHAUSTED, "SLOW_CONSUMER", {"resume_after_sequence": "4"})],
        [],
        [end("SERVER_DRAINING")],
        [end("SLOW_CONSUMER")],
    ],
    ids=["away", "reset", "blocked", "cut off", "draining", "slow"],
)
async def test_a_broken_watch_goes_on_after_the_last_event(
    client: Croupier, scripted: Scripted, last: list[WatchTableResponse | Refusal]
) -> None:
    scripted.streams = [[snapshot(4), events(5, 5), *last], [BROKEN], [events(6), CLOSED]]
    assert await told(client) == [-4, 5, 5, 6]
    assert resumed(scripted) == [None, 5, 5]


async def test_a_watch_begins_where_its_caller_left_off(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[events(1), CLOSED]]
    assert await told(client, resume_after=0) == [1]
    assert resumed(scripted) == [0]


async def test_events_sent_twice_are_told_once(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), events(5), events(4, 5), events(5, 6), CLOSED]]
    assert await told(client) == [-4, 5, 6]


async def test_what_is_left_of_a_batch_keeps_its_decision(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[events(5, 6), CLOSED]]
    batches = [news async for news in client.watch("T", resume_after=5) if isinstance(news, EventBatch)]
    assert [batch.next_decision.action_sequence for batch in batches] == [6]


async def test_a_gap_is_asked_for_again_instead_of_told(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), events(5), events(7)], [events(6, 7), CLOSED]]
    assert await told(client) == [-4, 5, 6, 7]
    assert resumed(scripted) == [None, 5]


async def test_a_heartbeat_tells_of_a_lost_event(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), heartbeat(4), heartbeat(5)], [events(5), CLOSED]]
    assert await told(client) == [-4, 5]
    assert resumed(scripted) == [None, 4]


async def test_a_gap_that_cannot_be_filled_is_refused(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [
        [snapshot(4), BROKEN],
        [Refusal(StatusCode.OUT_OF_RANGE, "SEQUENCE_UNAVAILABLE", {"oldest_sequence": "9"})],
    ]
    with pytest.raises(Refused, match="SEQUENCE_UNAVAILABLE"):
        await told(client)


async def test_a_halted_table_is_refused(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), end("TABLE_HALTED")]]
    with pytest.raises(Refused, match="TABLE_HALTED"):
        await told(client)


async def test_news_renew_the_patience_and_silence_ends_it(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[BROKEN], [BROKEN], [snapshot(4), BROKEN], [BROKEN], [BROKEN]]
    with pytest.raises(Unanswered):
        await told(client)
    assert resumed(scripted) == [None, None, None, 4, 4]


async def test_every_stream_asks_for_the_same_view(client: Croupier, scripted: Scripted) -> None:
    scripted.streams = [[snapshot(4), BROKEN], [events(5), CLOSED]]
    watch = client.watch("T", "anna", language="de", scene="inn")
    assert [type(news) async for news in watch] == [Table, EventBatch]
    asked = [(one.table_id, one.player_id, one.language, one.scene) for one in scripted.watches]
    assert asked == [("T", "anna", "de", "inn")] * 2
    assert resumed(scripted) == [None, 4]
