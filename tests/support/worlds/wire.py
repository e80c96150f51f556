"""Calls as they arrive at the service's handlers, and every byte that leaves for whoever made them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from google.protobuf.message import Message
from tests.support.worlds.served import Handlers

from croupier.adapters.rpc.callers import UNLIMITED, Caller
from croupier.adapters.rpc.limits import Usage
from croupier.room.failures import Refusal
from croupier.room.principal import Principal

Tell = Callable[[bytes], None]


class Aborted(Exception):
    """Raised by a handler's context once the call has ended with a status."""


class Call:
    """The context of one call, as handlers know it."""

    def __init__(self, caller: Caller | None, tell: Tell, request: Any = None) -> None:
        self.caller = caller
        self._request = request
        self._said = False
        self.code = 0
        self._tell = tell

    def invocation_metadata(self) -> tuple[()]:
        return ()

    def auth_context(self) -> dict[str, Any]:
        return {}

    async def send_initial_metadata(self, metadata: Any) -> None:
        if metadata:
            self._tell(f"initial metadata {metadata!r}".encode())

    def set_trailing_metadata(self, metadata: Any) -> None:
        self._tell(f"trailing metadata {metadata!r}".encode())

    async def read(self) -> Any:
        """What the caller says on a stream of both ways: one message, and then nothing for good."""
        if self._said:
            await asyncio.get_running_loop().create_future()
        self._said = True
        return self._request

    async def write(self, message: bytes) -> None:
        self._tell(message)

    async def abort_with_status(self, status: Any) -> None:
        self.code = status.code.value[0]
        self._tell(f"{status.code} {status.details} {status.trailing_metadata!r}".encode())
        raise Aborted


class Contexts:
    """Who calls is known by the call: credentials have tests of their own."""

    def __init__(self) -> None:
        self._usages: dict[str, Usage] = {}

    def caller(self, principal: Principal) -> Caller:
        usage = self._usages.setdefault(principal.id, Usage(UNLIMITED))
        return Caller(principal, usage)

    def of(self, context: Any) -> Caller:
        caller: Caller | None = context.caller
        if caller is None:
            raise Refusal("CREDENTIALS_MISSING")
        return caller


class Wire:
    """Puts calls to handlers."""

    def __init__(self, handlers: Handlers, contexts: Contexts) -> None:
        self._handlers = handlers
        self._contexts = contexts

    def serves(self, rpc: str) -> bool:
        return self._handlers.of(path(rpc)) is not None

    async def call(self, rpc: str, principal: Principal | None, request: Message, tell: Tell) -> int:
        """Make a unary call, `Service.Method` of the contract; the code that it ended with, 0 for OK."""
        handler = self._handlers.of(path(rpc))
        call = Call(self._contexts.caller(principal) if principal is not None else None, tell)
        with suppress(Aborted):
            read = handler.request_deserializer(request.SerializeToString())
            answer = await handler.unary_unary(read, call)
            tell(handler.response_serializer(answer))
        return call.code

    async def stream(self, rpc: str, principal: Principal, request: Message, tell: Tell) -> int:
        """Follow a stream to its end."""
        handler = self._handlers.of(path(rpc))
        read = handler.request_deserializer(request.SerializeToString())
        call = Call(self._contexts.caller(principal), tell, read)
        with suppress(Aborted):
            await (handler.unary_stream or handler.stream_stream)(read, call)
            tell(b"ended")
        return call.code


def path(rpc: str) -> str:
    """`Service.Method` as gRPC has it."""
    service, method = rpc.rsplit(".", 1)
    package = "" if "." in service else "croupier.v1."
    return f"/{package}{service}/{method}"
