"""The way into every RPC: who calls and whether they may, measuring, each failure told as its documented status."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter, time
from typing import Any, Final, NamedTuple, Protocol

import grpc
import structlog
from google.protobuf.message import DecodeError, Message

from croupier.adapters.rpc.access import Roles
from croupier.adapters.rpc.callers import Caller, Callers, LocalCallers
from croupier.adapters.rpc.refusals import code_of, refusal_of, status_of
from croupier.adapters.rpc.routed import OwnersAnswer, OwnersRefusal, Router, TableMethod, routed, with_owner
from croupier.adapters.rpc.stream_writer import ReaderGone, StreamWriter
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL, Principal

Unary = Callable[[Principal, Any], Awaitable[Message]]
Write = Callable[[bytes], Awaitable[None]]
Streaming = Callable[[Principal, Any, Write], Awaitable[None]]
Bidirectional = Callable[["Line"], Awaitable[None]]
Act = Callable[[Principal, Any], Awaitable[Any]]
Context = grpc.aio.ServicerContext[Any, Any]

_log = structlog.get_logger()
_MALFORMED: Final = object()


class RpcObserver(Protocol):
    """Told of every finished call."""

    def rpc(self, method: str, code: str, seconds: float) -> None: ...


class Scope(Protocol):
    """Checks what a caller whose houses are limited names in a request."""

    async def check(self, principal: Principal, request: Any) -> None:
        """Raises Refusal."""
        ...


class Line(NamedTuple):
    """A stream of both ways that is let in. `check_scope` holds to the caller's houses what its messages name.

    `read` gives the next message, None after the last, and raises Refusal where it is none; `write` takes serialized
    messages, one at a time, and raises SlowReader and ReaderGone.
    """

    caller: Caller
    check_scope: Callable[[Principal, Any], Awaitable[None]]
    read: Callable[[], Awaitable[Any]]
    write: Write


class Gate:
    """Makes method handlers."""

    def __init__(
        self, observer: RpcObserver, callers: Callers | None = None, scope: Scope | None = None
    ) -> None:
        self._observer = observer
        self._callers = callers or LocalCallers()
        self._scope = scope
        self.draining = False
        """Whether every call is turned away: the server is about to stop."""
        self.router: Router | None = None
        """Where several servers share a store: has calls of tables carried out by their owners."""
        self.table_methods: dict[str, TableMethod] = {}
        """Those by their full names."""

    def caller(self, context: Context) -> Caller:
        """Who calls. Raises Refusal where the call has no credential, or none that counts."""
        return self._callers.of(context)

    def unary(
        self, method: str, roles: Roles, call: Unary, request_type: type[Message], table_method: str = ""
    ) -> Any:
        """The handler of a unary method, for callers of the roles; `table_method` is its full name, of a table's."""
        observe = self._observer.rpc
        caller_of = self._callers.of
        of_table = TableMethod(table_method, roles, call, request_type) if table_method else None
        if of_table is not None:
            self.table_methods[table_method] = of_table

        async def handle(request: Any, context: Context) -> Message | OwnersAnswer | None:
            started = perf_counter()
            code = "OK"
            usage = None
            try:
                caller = caller_of(context)
                caller.usage.begin_call()
                usage = caller.usage
                principal = caller.principal
                if principal.role not in roles or request is _MALFORMED or self.draining:
                    self._turn_away(principal, roles, request)
                if principal.houses is not None:
                    await self._check_scope(principal, request)
                if self.router is not None and of_table is not None:
                    return await routed(self.router, of_table, principal, request, context)
                return await call(principal, request)
            except Exception as failure:
                refusal = told(method, failure)
                code = code_of(refusal).name
                await _abort(context, refusal)
                return None
            finally:
                if usage is not None:
                    usage.calls -= 1
                observe(method, code, perf_counter() - started)

        return grpc.unary_unary_rpc_method_handler(
            handle, request_deserializer=_reader(request_type), response_serializer=_serialize
        )

    async def carry_out(self, method: TableMethod, principal: Principal, request: Any) -> Message:
        """Carry out a call here, whose caller this or another server knows. Raises as the method does, and Refusal."""
        if principal.role not in method.roles or self.draining:
            self._turn_away(principal, method.roles, request)
        if principal.houses is not None:
            await self._check_scope(principal, request)
        return await method.call(principal, request)

    async def answer(
        self, method: TableMethod, principal: Principal, request: Any, _traceparent: str
    ) -> Message:
        """As `carry_out`, for a call that came to another server, as part of that trace."""
        return await self.carry_out(method, principal, request)

    def traceparent(self) -> str:
        """What another server is told of the trace that the call under way is part of; "" where there is none."""
        return ""

    def streaming(self, method: str, roles: Roles, call: Streaming, request_type: type[Message]) -> Any:
        """The handler of a server-streaming method that writes its answers serialized, one at a time.

        The stream ends with the credential that it was begun with.
        """

        async def handle(request: Any, context: Context) -> None:
            async def serve(caller: Caller, write: Write) -> None:
                if caller.principal.houses is not None:
                    await self._check_scope(caller.principal, request)
                await call(caller.principal, request, write)

            await self._stream(method, roles, request, context, serve)

        return grpc.unary_stream_rpc_method_handler(handle, request_deserializer=_reader(request_type))

    def bidirectional(
        self, method: str, roles: Roles, call: Bidirectional, request_type: type[Message]
    ) -> Any:
        """As `streaming`, for a method that reads its requests on the way."""

        async def handle(_: Any, context: Context) -> None:
            async def read() -> Any:
                request = await context.read()
                if request is _MALFORMED:
                    raise Refusal("MESSAGE_MALFORMED")
                return None if request is grpc.aio.EOF else request

            async def serve(caller: Caller, write: Write) -> None:
                await call(Line(caller, self._check_scope, read, write))

            await self._stream(method, roles, None, context, serve)

        return grpc.stream_stream_rpc_method_handler(handle, request_deserializer=_reader(request_type))

    def on_stream(self, _method: str, call: Act, table_method: str) -> Act:
        """The call by which a stream of both ways carries out one of its requests, as `_method`.

        `table_method` is the full name of the method that another server would carry it out by.
        """

        def carry_out(principal: Principal, request: Any) -> Awaitable[Any]:
            if self.router is None:
                return call(principal, request)
            of_table = self.table_methods[table_method]._replace(call=call)
            return self.router.carry_out(of_table, principal, request, None)

        return carry_out

    async def _stream(
        self,
        method: str,
        roles: Roles,
        request: Any,
        context: Context,
        serve: Callable[[Caller, Write], Awaitable[None]],
    ) -> None:
        started = perf_counter()
        code = "CANCELLED"
        usage = None
        writer = StreamWriter(context)
        try:
            caller = self._callers.of(context)
            caller.usage.begin_stream()
            usage = caller.usage
            principal = caller.principal
            if principal.role not in roles or request is _MALFORMED or self.draining:
                self._turn_away(principal, roles, request)
            await _send_headers(context)
            await until_expired(caller, serve(caller, writer.write))
            code = "OK"
        except ReaderGone:
            return
        except Exception as failure:
            refusal = told(method, failure)
            code = code_of(refusal).name
        finally:
            writer.close()
            if usage is not None:
                usage.streams -= 1
            self._observer.rpc(method, code, perf_counter() - started)
        if code != "OK":
            await _abort(context, refusal)

    def _turn_away(self, principal: Principal, roles: Roles, request: Any) -> None:
        """Raises Refusal; not for the caller of a server without credentials, whom the role alone would keep out."""
        if principal.role not in roles and principal is not LOCAL:
            raise Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id="")
        if request is _MALFORMED:
            raise Refusal("MESSAGE_MALFORMED")
        if self.draining:
            raise Refusal("SERVER_DRAINING")

    async def _check_scope(self, principal: Principal, request: Any) -> None:
        if self._scope is None:
            raise Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id="")
        await self._scope.check(principal, request)


async def _send_headers(context: Context) -> None:
    """Before anything that may be cancelled, or held back by flow control: without them a stream has no status."""
    try:
        await context.send_initial_metadata(())
    except grpc.aio.InternalError:
        raise ReaderGone from None


async def until_expired(caller: Caller, streaming: Awaitable[None]) -> None:
    """Raises Refusal CREDENTIALS_EXPIRED where the caller's credential does before the stream ends."""
    if caller.expires == math.inf:
        return await streaming
    try:
        async with asyncio.timeout(caller.expires - time()) as limit:
            await streaming
    except TimeoutError:
        if not limit.expired():
            raise
        raise Refusal("CREDENTIALS_EXPIRED") from None


async def _abort(context: Context, refusal: Refusal) -> None:
    """End a call with the refusal's status; returns only where nobody is left to hear it."""
    with suppress(grpc.aio.InternalError):
        await context.abort_with_status(with_owner(status_of(refusal), refusal))


def told(method: str, failure: Exception) -> Refusal:
    """A failure as the refusal that the caller is told; one that is nobody's fault but ours is logged."""
    refusal = refusal_of(failure)
    if refusal.reason == "INTERNAL_FAULT" and not isinstance(failure, OwnersRefusal):
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


def _serialize(message: Message | OwnersAnswer) -> bytes:
    return message.SerializeToString()
