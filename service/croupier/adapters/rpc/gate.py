"""The way into every RPC: identity, measuring, and each failure told as its documented status."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, Protocol, TypeVar

import grpc
import structlog
from google.protobuf.message import DecodeError, Message

from croupier.adapters.rpc.refusals import code_of, refusal_of, status_of
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL, Principal

Request = TypeVar("Request", bound=Message)
Unary = Callable[[Principal, Any], Awaitable[Message]]
Write = Callable[[bytes], Awaitable[None]]
Streaming = Callable[[Principal, Any, Write], Awaitable[None]]

OLDEST_WRITE_S: Final = 10.0
"""A stream whose reader has not taken a message in so long is cut off."""


class SlowReader(Exception):
    """Raised by a stream's write when its reader has not taken the message within OLDEST_WRITE_S."""


class ReaderGone(Exception):
    """Raised by a stream's write when the call has ended meanwhile: cancelled, or its connection lost."""


_log = structlog.get_logger()
_MALFORMED: Final = object()


class RpcObserver(Protocol):
    """Told of every finished call."""

    def rpc(self, method: str, code: str, seconds: float) -> None: ...


class Gate:
    """Makes method handlers."""

    def __init__(self, observer: RpcObserver) -> None:
        self._observer = observer
        self.draining = False
        """Whether every call is turned away: the server is about to stop."""

    def principal(self, _: grpc.aio.ServicerContext[Any, Any]) -> Principal:
        """Who calls: without configured credentials everyone on loopback is the local backend."""
        return LOCAL

    def unary(self, method: str, call: Unary, request_type: type[Message]) -> Any:
        """The handler of a unary method."""
        observe = self._observer.rpc

        async def handle(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Message | None:
            started = perf_counter()
            code = "OK"
            try:
                if request is _MALFORMED:
                    raise Refusal("MESSAGE_MALFORMED")
                if self.draining:
                    raise Refusal("SERVER_DRAINING")
                return await call(self.principal(context), request)
            except Exception as failure:
                refusal = _told(method, failure)
                code = code_of(refusal).name
                await _abort(context, refusal)
                return None
            finally:
                observe(method, code, perf_counter() - started)

        return grpc.unary_unary_rpc_method_handler(
            handle, request_deserializer=_reader(request_type), response_serializer=_serialize
        )

    def streaming(self, method: str, call: Streaming, request_type: type[Message]) -> Any:
        """The handler of a server-streaming method that writes its answers serialized, one at a time."""
        observe = self._observer.rpc

        async def handle(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
            started = perf_counter()
            code = "CANCELLED"
            answering = False

            async def write(message: bytes) -> None:
                nonlocal answering
                try:
                    if not answering:
                        # Flow control does not hold headers back; sent with a message that it holds back,
                        # they would keep the status back too.
                        answering = True
                        await context.send_initial_metadata(())
                    async with asyncio.timeout(OLDEST_WRITE_S):
                        await context.write(message)
                except TimeoutError:
                    raise SlowReader from None
                except grpc.aio.InternalError:
                    raise ReaderGone from None

            try:
                if request is _MALFORMED:
                    raise Refusal("MESSAGE_MALFORMED")
                if self.draining:
                    raise Refusal("SERVER_DRAINING")
                await call(self.principal(context), request, write)
                code = "OK"
            except ReaderGone:
                return
            except Exception as failure:
                refusal = _told(method, failure)
                code = code_of(refusal).name
            finally:
                observe(method, code, perf_counter() - started)
            if code != "OK":
                await _abort(context, refusal)

        return grpc.unary_stream_rpc_method_handler(handle, request_deserializer=_reader(request_type))


async def _abort(context: grpc.aio.ServicerContext[Any, Any], refusal: Refusal) -> None:
    """End a call with the refusal's status; returns only where nobody is left to hear it."""
    with suppress(grpc.aio.InternalError):
        await context.abort_with_status(status_of(refusal))


def _told(method: str, failure: Exception) -> Refusal:
    refusal = refusal_of(failure)
    if refusal.reason == "INTERNAL_FAULT":
        _log.error("call_failed", method=method, exc_info=failure)
    return refusal


def _reader(request_type: type[Message]) -> Callable[[bytes], Any]:
    parse = request_type.FromString

    def read(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return _MALFORMED

    return read


def _serialize(message: Message) -> bytes:
    return message.SerializeToString()
