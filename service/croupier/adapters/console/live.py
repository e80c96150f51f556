"""A table as it moves, for a browser: the messages of WatchTable as server-sent events, at the pace of an eye."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

import orjson

from croupier.adapters.console.answers import EVENTS, GUARDED, fields, refused_event
from croupier.adapters.http import Receive, Scope, Send
from croupier.adapters.rpc.callers import Caller
from croupier.adapters.rpc.gate import told, until_expired
from croupier.adapters.rpc.stream_writer import OLDEST_WRITE_S, SlowReader
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.failures import Refusal
from croupier.room.ports import Runtime
from croupier.v1 import table_service_pb2 as pb

MOST_OF_A_VISITOR: Final = 5
"""A browser makes six connections to a host: on the last of them it is told that these are too many."""
MOST_STREAMS: Final = 128
MOST_EVENTS: Final = 40
"""Of more that come at once the eye sees nothing: the table as it stands is told in their place."""
SHORTEST_PAUSE_NS: Final = 50 * NS_PER_MS
PAUSE_A_STREAM_NS: Final = 25 * NS_PER_MS
"""All streams together send forty messages a second at most, however busy the tables are."""
_HEADERS: Final = (
    (b"content-type", EVENTS),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    *GUARDED,
)


class Live:
    """Serves streams. Each has what a watcher without a name is told, and nothing else."""

    def __init__(self, runtime: Runtime, tables: TableServicer, watch: WatchStream) -> None:
        self._runtime = runtime
        self._tables = tables
        self._watch = watch
        self._streams = Counter[str]()
        """By the visitor's id."""

    async def stream(self, caller: Caller, table_id: str, receive: Receive, send: Send, scope: Scope) -> None:
        """Serve until the stream or the browser ends it. Raises Refusal as long as nothing was sent."""
        if scope["method"] != "GET":
            raise Refusal("MESSAGE_MALFORMED")
        visitor, usage = caller.principal.id, caller.usage
        if self._streams[visitor] >= MOST_OF_A_VISITOR:
            raise Refusal("TOO_MANY_STREAMS", max_streams=MOST_OF_A_VISITOR)
        if self._streams.total() >= MOST_STREAMS:
            raise Refusal("TOO_MANY_STREAMS", max_streams=MOST_STREAMS)
        usage.begin_stream()
        self._streams[visitor] += 1
        try:
            await self._serve(caller, table_id, receive, _Sent(send))
        finally:
            self._streams -= Counter((visitor,))
            usage.streams -= 1

    async def _serve(self, caller: Caller, table_id: str, receive: Receive, sent: _Sent) -> None:
        async def write(message: bytes) -> None:
            news = pb.WatchTableResponse.FromString(message)
            if len(news.events.events) > MOST_EVENTS:
                now = await self._tables.get_table(caller.principal, pb.GetTableRequest(table_id=table_id))
                news = pb.WatchTableResponse(snapshot=now.table)
            await sent.event(b"data: " + orjson.dumps(fields(news)))
            await self._pause()

        watching = asyncio.ensure_future(
            until_expired(
                caller, self._watch.watch(caller.principal, pb.WatchTableRequest(table_id=table_id), write)
            )
        )
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((watching, gone), return_when=asyncio.FIRST_COMPLETED)
            if watching.done():
                await self._end(watching, sent)
        finally:
            watching.cancel()
            gone.cancel()
            await asyncio.gather(watching, gone, return_exceptions=True)

    async def _end(self, watching: asyncio.Future[None], sent: _Sent) -> None:
        failure = watching.exception()
        if isinstance(failure, Exception):
            refusal = told("console", failure)
            if not sent.begun:
                raise refusal
            await sent.event(refused_event(refusal))
        await sent.end()

    async def _pause(self) -> None:
        """What happens meanwhile is told together."""
        await pause(self._runtime, max(SHORTEST_PAUSE_NS, PAUSE_A_STREAM_NS * self._streams.total()))


class _Sent:
    """The answer, begun with its first event."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def event(self, text: bytes) -> None:
        """Raises SlowReader."""
        try:
            async with asyncio.timeout(OLDEST_WRITE_S):
                if not self.begun:
                    self.begun = True
                    await self._send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                    text = b"retry: 2000\n" + text
                await self._send({"type": "http.response.body", "body": text + b"\n\n", "more_body": True})
        except TimeoutError:
            raise SlowReader from None

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})


async def _gone(receive: Receive) -> None:
    """Return once the browser has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
