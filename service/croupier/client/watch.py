"""A watch that survives its streams: resumed by sequence, every event once. Does not interpret the events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, NoReturn

from google.protobuf.duration_pb2 import Duration
from grpc import StatusCode
from grpc.aio import AioRpcError, UnaryStreamMultiCallable

from croupier.client.errors import Refused, Unanswered, error_of
from croupier.client.retry import Retry, asked_to_wait, worth_repeating
from croupier.v1.annotation_pb2 import Annotation
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import (
    EventBatch,
    PrivateEventBatch,
    StreamEnd,
    StreamEndReason,
    WatchTableRequest,
    WatchTableResponse,
)

News = Table | EventBatch | PrivateEventBatch | Annotation
Method = UnaryStreamMultiCallable[WatchTableRequest, WatchTableResponse]

_HEARTBEAT_SECONDS: Final = 10
_LONGEST_SILENCE: Final = 2.5 * _HEARTBEAT_SECONDS
_HALTED = StreamEndReason.STREAM_END_REASON_TABLE_HALTED
_CLOSED = StreamEndReason.STREAM_END_REASON_TABLE_CLOSED


class Broken(Exception):
    """The stream ended, or skipped something: it must be resumed."""


class Place:
    """How far a watch has come: `sequence` is the last one its caller has, None before anything.

    `private` is the player's own private_sequence, which begins anew when the player takes a seat.
    """

    def __init__(self, sequence: int | None, private: int, player_id: str) -> None:
        self.sequence = sequence
        self.private = private
        self._player_id = player_id

    def begin(self, snapshot: Table) -> None:
        """Stand where a snapshot does."""
        self.sequence = snapshot.sequence
        self.private = snapshot.own.private_sequence

    def new_to_player(self, batch: PrivateEventBatch) -> PrivateEventBatch | None:
        """What concerns the player alone and is not seen yet, None where all was; raises as `new_in` does."""
        events = [event for event in batch.events if event.private_sequence > self.private]
        for event in events:
            if event.private_sequence != self.private + 1:
                raise Broken(f"private_sequence {event.private_sequence} came after {self.private}")
            self.private = event.private_sequence
        return PrivateEventBatch(events=events) if events else None

    def new_in(self, batch: EventBatch) -> EventBatch | None:
        """The events not seen yet, None where all were; raises where some in between are missing."""
        seen = -1 if self.sequence is None else self.sequence
        events = [event for event in batch.events if event.sequence > seen]
        for event in events:
            if event.sequence not in (seen, seen + 1):
                raise Broken(f"sequence {event.sequence} came after {seen}")
            seen = event.sequence
            if event.HasField("seat_reserved") and event.seat_reserved.player_id == self._player_id:
                self.private = 0
        if not events:
            return None
        self.sequence = seen
        if len(events) == len(batch.events):
            return batch
        return EventBatch(
            events=events, next_decision=batch.next_decision if batch.HasField("next_decision") else None
        )

    def check(self, sequence: int) -> None:
        """Raises where the server has sent more than was received."""
        if self.sequence is not None and sequence > self.sequence:
            raise Broken(f"the server is at {sequence}, this watch at {self.sequence}")


async def watch(
    method: Method,
    retry: Retry,
    table_id: str,
    player_id: str,
    resume_after: int | None,
    resume_after_private: int = 0,
    language: str = "",
    scene: str = "",
) -> AsyncGenerator[News, None]:
    """The table's news, until it closes: a snapshot first unless `resume_after` is given, then events.

    An Annotation of a hand that ran out all in may come between them.

    Raises Refused with SEQUENCE_UNAVAILABLE where the watch cannot go on without a gap, with TABLE_HALTED
    when the table halts; Unanswered after as many streams in a row without news as `retry` has attempts.
    """
    place = Place(resume_after, resume_after_private, player_id)
    asked = WatchTableRequest(
        table_id=table_id,
        player_id=player_id,
        heartbeat_interval=Duration(seconds=_HEARTBEAT_SECONDS),
        scene=scene,
        language=language,
    )
    failures = 0
    while True:
        try:
            async with aclosing(_stream(method, place, asked)) as stream:
                async for news in stream:
                    failures = 0
                    if news is not None:
                        yield news
            return
        except Broken as broken:
            error: Refused | Unanswered = Unanswered("", {}, StatusCode.UNAVAILABLE, str(broken))
        except AioRpcError as failure:
            told = error_of(failure)
            if isinstance(told, Refused) and not worth_repeating(told):
                raise told from None
            error = Unanswered(told.reason, told.facts, told.code, told.message)
        failures += 1
        if failures >= retry.attempts:
            raise error
        await asyncio.sleep(max(retry.pause(failures), asked_to_wait(error)))


async def _stream(
    method: Method, place: Place, asked: WatchTableRequest
) -> AsyncGenerator[News | None, None]:
    """What one stream brings from the place on; None for a sign of life. Ends when the table has closed."""
    request = WatchTableRequest(
        resume_after_sequence=place.sequence, resume_after_private_sequence=place.private
    )
    request.MergeFrom(asked)
    call = method(request)
    messages = aiter(call)
    try:
        while True:
            try:
                async with asyncio.timeout(_LONGEST_SILENCE):
                    message = await anext(messages)
            except StopAsyncIteration:
                raise Broken("the stream ended without saying why") from None
            except TimeoutError:
                raise Broken(f"the stream was silent for {_LONGEST_SILENCE} s") from None
            match message.WhichOneof("news"):
                case "events":
                    yield place.new_in(message.events)
                case "snapshot":
                    place.begin(message.snapshot)
                    yield message.snapshot
                case "private_events":
                    yield place.new_to_player(message.private_events)
                case "annotation":
                    yield message.annotation
                case "heartbeat":
                    place.check(message.heartbeat.sequence)
                    yield None
                case "end":
                    if message.end.reason == _CLOSED:
                        return
                    _ended(message.end, asked.table_id)
    finally:
        call.cancel()


def _ended(end: StreamEnd, table_id: str) -> NoReturn:
    if end.reason == _HALTED:
        raise Refused("TABLE_HALTED", {"table_id": table_id}, StatusCode.FAILED_PRECONDITION)
    raise Broken(f"the server ended the stream: {StreamEndReason.Name(end.reason)}")
