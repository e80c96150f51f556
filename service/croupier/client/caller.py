"""The channel to a server and how a request goes over it. The RPCs themselves are in the modules beside."""

from __future__ import annotations

import uuid
from types import TracebackType
from typing import Final, Self

from grpc import ChannelCredentials, aio

from croupier.client.bearer import Token, bearing
from croupier.client.retry import Request, Response, Retry, repeatedly

_OPTIONS: Final = [
    # Left alone, gRPC waits for up to two minutes before it looks again for a server that was away.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]
_IN_TURN: Final = [
    ("grpc.lb_policy_name", "round_robin"),
    # One that stands still says nothing more: it is called no longer once a ping has had no answer.
    ("grpc.keepalive_time_ms", 1_000),
    ("grpc.keepalive_timeout_ms", 1_500),
    ("grpc.http2.ping_timeout_ms", 1_500),
    ("grpc.http2.max_pings_without_data", 0),
]


def new_request_id() -> str:
    """A name that no other request has."""
    return uuid.uuid4().hex


class Caller:
    """One channel and the patience of its calls. `target` is "host:port" or whatever else gRPC resolves; servers that
    share a store are called in turn as "ipv4:ADDRESS:PORT,ADDRESS:PORT", those that answer pings.

    `credentials` are those of the connection, from grpc.ssl_channel_credentials; without them it is not encrypted.
    `token` is sent with every call, and asked for anew each time where it is a function.
    """

    def __init__(
        self,
        target: str,
        *,
        credentials: ChannelCredentials | None = None,
        token: Token = None,
        retry: Retry | None = None,
    ) -> None:
        self.retry: Final = retry or Retry()
        interceptors = bearing(token)
        options = [*_OPTIONS, *_IN_TURN] if "," in target else _OPTIONS
        self.channel: Final = (
            aio.insecure_channel(target, options=options, interceptors=interceptors)
            if credentials is None
            else aio.secure_channel(target, credentials, options=options, interceptors=interceptors)
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the channel, and with it the calls and watches that are open on it."""
        await self.channel.close()

    async def _call(
        self, method: aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        return await repeatedly(self.retry, method, request)
