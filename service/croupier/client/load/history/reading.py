"""A table's history as the service tells it, from its first event on. Leaves out nothing, not even what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from typing import Final

from grpc.aio import AioRpcError, UnaryStreamMultiCallable

from croupier.client.errors import error_of
from croupier.client.load.patience import UPKEEP
from croupier.client.retry import worth_repeating
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

Watch = UnaryStreamMultiCallable[WatchTableRequest, WatchTableResponse]

_MOST_STREAMS: Final = 1000


async def history_of(watch: Watch, table_id: str, last: int) -> AsyncIterator[Sequence[TableEvent]]:
    """The events of each sequence up to `last`, or to where the stream ends; patient where there is no server for a
    while. Raises AioRpcError.
    """
    sequence = failures = 0
    for _ in range(_MOST_STREAMS):
        call = watch(WatchTableRequest(table_id=table_id, resume_after_sequence=sequence))
        try:
            async for message in call:
                for number, group in groupby(message.events.events, key=_sequence):
                    yield list(group)
                    sequence, failures = number, 0
                if message.HasField("end") or message.HasField("heartbeat") or sequence >= last:
                    return
            return
        except AioRpcError as failure:
            error = error_of(failure)
            if error.reason != "SLOW_CONSUMER":
                failures += 1
                if failures >= UPKEEP.attempts or not worth_repeating(error):
                    raise
                await asyncio.sleep(UPKEEP.pause(failures))
        finally:
            call.cancel()


def _sequence(event: TableEvent) -> int:
    return event.sequence
