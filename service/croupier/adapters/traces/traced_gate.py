"""A gate that notes which call a command is part of, and traces the calls that put none to a table."""

from __future__ import annotations

from asyncio import CancelledError
from typing import Any

import grpc
from google.protobuf.message import Message

from croupier.adapters.rpc.access import Roles
from croupier.adapters.rpc.callers import Callers
from croupier.adapters.rpc.gate import Act, Bidirectional, Gate, RpcObserver, Scope, Unary
from croupier.adapters.rpc.refusals import refusal_of
from croupier.adapters.rpc.routed import TableMethod
from croupier.adapters.traces.spans import Spans
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.traces import Call, Trace, current

Context = grpc.aio.ServicerContext[Any, Any]


class TracedGate(Gate):
    """Calls that change something, as their `request_id` tells, are traced from their arrival on; reads are not.

    One that put no command to a table has a trace all the same: a deposit, a repeated request, a refusal before.
    """

    def __init__(
        self,
        spans: Spans,
        runtime: Runtime,
        observer: RpcObserver,
        callers: Callers | None = None,
        scope: Scope | None = None,
    ) -> None:
        super().__init__(observer, callers, scope)
        self._spans = spans
        self._now = runtime.now

    def unary(
        self, method: str, roles: Roles, call: Unary, request_type: type[Message], table_method: str = ""
    ) -> Any:
        if "request_id" not in request_type.DESCRIPTOR.fields_by_name:
            return super().unary(method, roles, call, request_type, table_method)

        async def traced(principal: Principal, request: Any) -> Message:
            answer: Message = await self._trace(current.get(), call, principal, request)
            return answer

        handler = super().unary(method, roles, traced, request_type, table_method)
        handle = handler.unary_unary

        async def arrive(request: Any, context: Context) -> Message | None:
            arrived = Call(method, self._spans.parent(context.invocation_metadata()), self._now())
            token = current.set(arrived)
            try:
                answer: Message | None = await handle(request, context)
                return answer
            finally:
                arrived.over = True
                current.reset(token)

        return handler._replace(unary_unary=arrive)

    def bidirectional(
        self, method: str, roles: Roles, call: Bidirectional, request_type: type[Message]
    ) -> Any:
        """The stream itself has no trace; what is done on it has the parent that the stream was begun with."""
        handler = super().bidirectional(method, roles, call, request_type)
        handle = handler.stream_stream

        async def arrive(requests: Any, context: Context) -> None:
            stream = Call(method, self._spans.parent(context.invocation_metadata()), 0, over=True)
            token = current.set(stream)
            try:
                await handle(requests, context)
            finally:
                current.reset(token)

        return handler._replace(stream_stream=arrive)

    async def answer(
        self, method: TableMethod, principal: Principal, request: Any, traceparent: str
    ) -> Message:
        parent = self._spans.parent((("traceparent", traceparent),)) if traceparent else None
        arrived = Call(method.rpc, parent, self._now())
        token = current.set(arrived)
        try:
            return await super().answer(method, principal, request, traceparent)
        finally:
            arrived.over = True
            current.reset(token)

    def traceparent(self) -> str:
        arrived = current.get()
        return "" if arrived is None else self._spans.told(arrived.parent)

    def on_stream(self, method: str, call: Act, table_method: str) -> Act:
        async def traced(principal: Principal, request: Any) -> Any:
            stream = current.get()
            arrived = Call(method, stream.parent if stream is not None else None, self._now())
            token = current.set(arrived)
            try:
                return await self._trace(arrived, call, principal, request)
            finally:
                arrived.over = True
                current.reset(token)

        return super().on_stream(method, traced, table_method)

    async def _trace(self, arrived: Call | None, call: Act, principal: Principal, request: Any) -> Any:
        outcome = ""
        try:
            return await call(principal, request)
        except Exception as failure:
            outcome = refusal_of(failure).reason
            raise
        except CancelledError:
            outcome = "CANCELLED"
            raise
        finally:
            if arrived is not None and not arrived.traced:
                self._tell(arrived, outcome)

    def _tell(self, call: Call, outcome: str) -> None:
        trace: Trace = call.trace(call.method, self._now())
        trace.ended = self._now()
        trace.outcome = outcome or trace.outcome
        self._spans.command(trace)
