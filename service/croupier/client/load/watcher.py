"""Follows one table's stream: nothing may be missing or twice, and results must add up."""

from __future__ import annotations

import asyncio
from time import monotonic_ns
from typing import Final

from grpc import StatusCode
from grpc.aio import AioRpcError, UnaryStreamMultiCallable

from croupier.client.errors import Refused, error_of
from croupier.client.load.history.heard import Heard
from croupier.client.load.score import Score
from croupier.client.load.tally import SAMPLE, Tally
from croupier.client.retry import away, worth_repeating
from croupier.v1.table_service_pb2 import (
    EventBatch,
    StreamEnd,
    StreamEndReason,
    WatchTableRequest,
    WatchTableResponse,
)

_PAUSE_SECONDS: Final = 0.1
_DRAINING: Final = Refused("SERVER_DRAINING", {}, StatusCode.UNAVAILABLE)

Method = UnaryStreamMultiCallable[WatchTableRequest, WatchTableResponse]


class Watcher:
    """Watches a table from a known sequence on, and resumes a stream that breaks. `away` says that there was no server
    when it was last tried.
    """

    def __init__(self, table_id: str, sequence: int, tally: Tally) -> None:
        self.table_id: Final = table_id
        self.sequence = sequence
        self.score: Final = Score()
        self.closed = False
        self.away = False
        self.heard: Final = Heard(sequence)
        self._tally: Final = tally

    async def follow(self, method: Method) -> None:
        """Until the table closes; goes on where it was when the server finds it too slow."""
        while not self.closed:
            request = WatchTableRequest(table_id=self.table_id, resume_after_sequence=self.sequence)
            ended = False
            try:
                async for message in method(request):
                    ended = self._take(message)
            except AioRpcError as failure:
                error = error_of(failure)
                if error.reason == "SLOW_CONSUMER":
                    self._tally.cut_off += 1
                elif worth_repeating(error):
                    self._tally.again(error)
                    self.away = away(error)
                    await asyncio.sleep(_PAUSE_SECONDS)
                else:
                    raise
                ended = True
            if not ended:
                self._complain("the stream ended without saying why")
                return

    def _take(self, message: WatchTableResponse) -> bool:
        """Whether this was the stream's last message."""
        tally = self._tally
        tally.messages += 1
        tally.absence.answered(monotonic_ns())
        self.away = False
        if tally.messages % SAMPLE == 0:
            tally.message_sizes.add(message.ByteSize())
        match message.WhichOneof("news"):
            case "events":
                self._read(message.events)
            case "heartbeat":
                if message.heartbeat.sequence != self.sequence:
                    self._complain(f"heartbeat at {message.heartbeat.sequence}, events to {self.sequence}")
            case "snapshot":
                self._complain("a resumed stream began with a snapshot")
            case "end":
                self._end(message.end)
                return True
        return False

    def _read(self, batch: EventBatch) -> None:
        sequence = self.sequence
        first = True
        for event in batch.events:
            number = event.sequence
            if number != sequence + 1 and (first or number != sequence):
                self._complain(f"sequence {sequence} was followed by {number}")
            sequence = number
            first = False
            if event.HasField("hand_ended"):
                for what in self.score.add(event.hand_ended):
                    self._complain(what)
        self.heard.add(batch.events)
        self._tally.events += len(batch.events)
        self.sequence = sequence

    def _end(self, end: StreamEnd) -> None:
        if end.resume_after_sequence != self.sequence:
            self._complain(f"the stream ended after {end.resume_after_sequence}, events to {self.sequence}")
        if end.reason == StreamEndReason.STREAM_END_REASON_SLOW_CONSUMER:
            self._tally.cut_off += 1
            return
        if end.reason == StreamEndReason.STREAM_END_REASON_SERVER_DRAINING:
            self._tally.again(_DRAINING)
            return
        self.closed = True
        if end.reason != StreamEndReason.STREAM_END_REASON_TABLE_CLOSED:
            self._complain(f"the stream ended: {StreamEndReason.Name(end.reason)}")

    def _complain(self, what: str) -> None:
        self._tally.complain(f"watching {self.table_id}", what)
