"""A proxy before a real server that passes everything on but what a test has it falsify."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import grpc
from grpc import aio

Context = aio.ServicerContext[bytes, bytes]
Lie = Callable[[str, bytes], bytes | None]
"""What becomes of a message on its way back: of the RPC's name and the message another one, or None for none.
To have a call refused instead, it raises Refuse."""

Send = Callable[[bytes], Awaitable[bytes]]
"""Puts a request of the same RPC to the server; raises AioRpcError."""
Meddle = Callable[[str, bytes, Send], Awaitable[bytes | None]]
"""What is done with a request before it is passed on: an answer, with which it is not, or None."""

STREAMS: Final = frozenset({"WatchTable"})


class Refuse(Exception):
    """Raised by a lie to end the call with INTERNAL."""


class Accept(Exception):
    """Raised by a lie about refusals: the call ends well with this message."""

    def __init__(self, message: bytes) -> None:
        super().__init__()
        self.message: Final = message


class LyingProxy(grpc.GenericRpcHandler):
    """Every method of every service; `of_refusal` may turn a refusal into an answer by raising Accept."""

    def __init__(
        self, upstream: aio.Channel, lie: Lie, of_refusal: Callable[[str], None], meddle: Meddle
    ) -> None:
        self._upstream = upstream
        self._meddle = meddle
        self._lie = lie
        self._of_refusal = of_refusal

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        path = handler_call_details.method
        name = path.rpartition("/")[2]
        if name == "Play":
            return grpc.stream_stream_rpc_method_handler(self._playing(path, name))
        if name in STREAMS:
            return grpc.unary_stream_rpc_method_handler(self._streaming(path, name))
        return grpc.unary_unary_rpc_method_handler(self._unary(path, name))

    def _unary(self, path: str, name: str) -> Callable[..., object]:
        async def handle(request: bytes, context: Context) -> bytes:
            try:
                call: aio.UnaryUnaryMultiCallable[bytes, bytes] = self._upstream.unary_unary(path)
                answer = await self._meddle(name, request, call)
                if answer is None:
                    answer = await call(request)
                return self._lie(name, answer) or b""
            except Refuse:
                await context.abort(grpc.StatusCode.INTERNAL, "lied")
            except aio.AioRpcError as failure:
                try:
                    self._of_refusal(name)
                except Accept as accepted:
                    return accepted.message
                await context.abort(
                    failure.code(), failure.details() or "", tuple(failure.trailing_metadata())
                )
            raise AssertionError("abort returned")

        return handle

    def _streaming(self, path: str, name: str) -> Callable[..., object]:
        async def handle(request: bytes, context: Context) -> AsyncIterator[bytes]:
            try:
                call: aio.UnaryStreamMultiCallable[bytes, bytes] = self._upstream.unary_stream(path)
                async for message in call(request):
                    told = self._lie(name, message)
                    if told is not None:
                        yield told
            except aio.AioRpcError as failure:
                await context.abort(
                    failure.code(), failure.details() or "", tuple(failure.trailing_metadata())
                )

        return handle

    def _playing(self, path: str, name: str) -> Callable[..., object]:
        async def handle(requests: AsyncIterator[bytes], _context: Context) -> AsyncIterator[bytes]:
            call: aio.StreamStreamMultiCallable[bytes, bytes] = self._upstream.stream_stream(path)
            async for message in call(requests):
                told = self._lie(name, message)
                if told is not None:
                    yield told

        return handle


async def _pass_on(_name: str, _request: bytes, _send: Send) -> bytes | None:
    return None


@asynccontextmanager
async def lying(
    target: str,
    lie: Lie = lambda _, message: message,
    of_refusal: Callable[[str], None] = lambda _: None,
    meddle: Meddle = _pass_on,
) -> AsyncIterator[str]:
    """The HOST:PORT of a proxy of the server at `target`."""
    async with aio.insecure_channel(target) as upstream:
        server = aio.server(options=[("grpc.so_reuseport", 0)])
        server.add_generic_rpc_handlers([LyingProxy(upstream, lie, of_refusal, meddle)])
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        yield f"127.0.0.1:{port}"
        await server.stop(None)
