"""An empty service with Act's messages: what grpc.aio alone costs. For each Act it sends what a table with
watchers would send, where it is told how much: messages of one size, so many an action.

It is written as grpc.aio's documentation has it, a generated servicer on asyncio's own loop; with `uvloop` it
runs on that loop instead.

python -m tests.bench.echo_server RESPONSE_BYTES MESSAGES_PER_ACT MESSAGE_BYTES [uvloop]
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict, deque
from collections.abc import AsyncIterator

import uvloop
from grpc import aio
from tests.bench.echo_messages import response_of, watch_message_of

from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.betting_service_pb2_grpc import (
    BettingServiceServicer,
    add_BettingServiceServicer_to_server,
)
from croupier.v1.play_service_pb2 import PlayRequest, PlayResponse, PlayResult
from croupier.v1.play_service_pb2_grpc import PlayServiceServicer, add_PlayServiceServicer_to_server
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse
from croupier.v1.table_service_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server


class Echo(BettingServiceServicer, TableServiceServicer, PlayServiceServicer):
    """Answers every Act with one and the same message; watchers of its table get theirs in turn."""

    def __init__(self, response_bytes: int, messages_per_act: float, message_bytes: int) -> None:
        self._response = response_of(response_bytes)
        self._message = watch_message_of(message_bytes)
        self._per_act = messages_per_act
        self._due: defaultdict[str, float] = defaultdict(float)
        self._watchers: defaultdict[str, deque[asyncio.Queue[None]]] = defaultdict(deque)

    async def Act(self, request: ActRequest, _context: object) -> ActResponse:
        if self._per_act:
            self._tell(request.table_id)
        return self._response

    async def Play(
        self, requests: AsyncIterator[PlayRequest], _context: object
    ) -> AsyncIterator[PlayResponse]:
        async for request in requests:
            name = request.acts[0].correlation_id
            yield PlayResponse(results=[PlayResult(correlation_id=name, acted=self._response)])

    def _tell(self, table_id: str) -> None:
        watchers = self._watchers[table_id]
        due = self._due[table_id] + self._per_act
        while due >= 1 and watchers:
            watchers[0].put_nowait(None)
            watchers.rotate(-1)
            due -= 1
        self._due[table_id] = due

    async def WatchTable(
        self, request: WatchTableRequest, _context: object
    ) -> AsyncIterator[WatchTableResponse]:
        waiting: asyncio.Queue[None] = asyncio.Queue()
        self._watchers[request.table_id].append(waiting)
        try:
            while True:
                await waiting.get()
                yield self._message
        finally:
            self._watchers[request.table_id].remove(waiting)


async def main(response_bytes: int, messages_per_act: float, message_bytes: int) -> None:
    echo = Echo(response_bytes, messages_per_act, message_bytes)  # type: ignore[abstract]
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    add_BettingServiceServicer_to_server(echo, server)
    add_TableServiceServicer_to_server(echo, server)
    add_PlayServiceServicer_to_server(echo, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    serve = main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
    if "uvloop" in sys.argv[4:]:
        uvloop.run(serve)
    else:
        asyncio.run(serve)
