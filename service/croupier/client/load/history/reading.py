"""A table's history as the service tells it, from its first event on. Leaves out nothing, not even what is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from typing import Final

from grpc.aio import AioRpcError, UnaryStreamMultiCallable

from croupier.client.errors import error_of
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

Watch = UnaryStreamMultiCallable[WatchTableRequest, WatchTableResponse]

_MOST_STREAMS: Final = 1000


async def history_of(watch: Watch, table_id: str, last: int) -> AsyncIterator[Sequence[TableEvent]]:
    """The events of each sequence up to `last`, or to where the stream ends; raises AioRpcError."""
    sequence = 0
    for _ in range(_MOST_STREAMS):
        call = watch(WatchTableRequest(table_id=table_id, resume_after_sequence=sequence))
        try:
            async for message in call:
                for number, group in groupby(message.events.events, key=_sequence):
                    yield list(group)
                    sequence = number
                if message.HasField("end") or message.HasField("heartbeat") or sequence >= last:
                    return
            return
        except AioRpcError as failure:
            if error_of(failure).reason != "SLOW_CONSUMER":
                raise
        finally:
            call.cancel()


def _sequence(event: TableEvent) -> int:
    return event.sequence
