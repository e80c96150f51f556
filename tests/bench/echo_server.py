"""An empty service with Act's messages: what grpc.aio alone costs. For each Act it sends what a table with
watchers would send, where it is told how much: messages of one size, so many an action.

python -m tests.bench.echo_server RESPONSE_BYTES MESSAGES_PER_ACT MESSAGE_BYTES
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict, deque

import uvloop
from grpc import aio, method_handlers_generic_handler
from grpc import unary_stream_rpc_method_handler as streaming
from grpc import unary_unary_rpc_method_handler as unary
from tests.bench.echo_messages import response_of, watch_message_of

from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

Context = aio.ServicerContext[WatchTableRequest, WatchTableResponse]


class Echo:
    """Answers every Act with one and the same message; watchers of its table get theirs in turn."""

    def __init__(self, response_bytes: int, messages_per_act: float, message_bytes: int) -> None:
        self._response = response_of(response_bytes)
        self._message = watch_message_of(message_bytes)
        self._per_act = messages_per_act
        self._due: defaultdict[str, float] = defaultdict(float)
        self._watchers: defaultdict[str, deque[asyncio.Queue[None]]] = defaultdict(deque)

    async def act(self, request: ActRequest, _context: object) -> ActResponse:
        if self._per_act:
            self._tell(request.table_id)
        return self._response

    def _tell(self, table_id: str) -> None:
        watchers = self._watchers[table_id]
        due = self._due[table_id] + self._per_act
        while due >= 1 and watchers:
            watchers[0].put_nowait(None)
            watchers.rotate(-1)
            due -= 1
        self._due[table_id] = due

    async def watch(self, request: WatchTableRequest, context: Context) -> None:
        waiting: asyncio.Queue[None] = asyncio.Queue()
        self._watchers[request.table_id].append(waiting)
        try:
            while True:
                await waiting.get()
                await context.write(self._message)
        finally:
            self._watchers[request.table_id].remove(waiting)


async def main(response_bytes: int, messages_per_act: float, message_bytes: int) -> None:
    echo = Echo(response_bytes, messages_per_act, message_bytes)
    act = unary(echo.act, ActRequest.FromString, ActResponse.SerializeToString)
    watch = streaming(echo.watch, WatchTableRequest.FromString, WatchTableResponse.SerializeToString)
    server = aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(
        [
            method_handlers_generic_handler("croupier.v1.BettingService", {"Act": act}),
            method_handlers_generic_handler("croupier.v1.TableService", {"WatchTable": watch}),
        ]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
