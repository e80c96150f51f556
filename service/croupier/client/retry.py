"""How often a call is made, and how long is waited in between. Knows no RPC."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from google.protobuf.message import Message
from grpc import StatusCode
from grpc.aio import AioRpcError, UnaryUnaryMultiCallable

from croupier.client.errors import CroupierError, Unanswered, error_of

AGAIN: Final = frozenset(
    {
        StatusCode.UNAVAILABLE,
        StatusCode.DEADLINE_EXCEEDED,
        # From a server or proxy on its way down: a cancellation of one's own is an asyncio.CancelledError.
        StatusCode.CANCELLED,
    }
)
AGAIN_REASONS: Final = frozenset(
    {
        "TABLE_BUSY",
        "EVALUATOR_BUSY",
        "SLOW_CONSUMER",
        # A token may have been renewed meanwhile.
        "CREDENTIALS_EXPIRED",
        "RATE_EXCEEDED",
        "TOO_MANY_CALLS",
        "TOO_MANY_STREAMS",
    }
)

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


class Retry(NamedTuple):
    """At most `attempts` calls of at most `timeout` seconds each. The pause before the second call is
    `first_pause` seconds, and doubles up to `longest_pause`; chance shortens each pause by up to half.
    """

    attempts: int = 8
    timeout: float = 10.0
    first_pause: float = 0.05
    longest_pause: float = 2.0

    def pause(self, failures: int) -> float:
        """Seconds to wait after that many failures in a row, 1 or more."""
        longest = min(self.longest_pause, self.first_pause * 2.0 ** (failures - 1))
        return longest * (0.5 + secrets.randbelow(1000) / 2000)


def worth_repeating(error: CroupierError) -> bool:
    """Whether the same request may fare better a little later."""
    return away(error) or error.reason in AGAIN_REASONS


def away(error: CroupierError) -> bool:
    """Whether there was no server, or one that could answer nothing for the moment."""
    return error.code in AGAIN


def asked_to_wait(error: CroupierError) -> float:
    """Seconds that the service asked to wait before the next call; 0 where it did not."""
    return int(error.facts.get("retry_after_ms", 0)) / 1000


async def repeatedly(
    retry: Retry,
    method: UnaryUnaryMultiCallable[Request, Response],
    request: Request,
    failed: Callable[[CroupierError], None] = lambda _: None,
) -> Response:
    """The answer to `request`, which is sent unchanged until there is one; raises Refused or Unanswered.

    `failed` is told of each try that is repeated.
    """
    failures = 0
    while True:
        try:
            return await method(request, timeout=retry.timeout)
        except AioRpcError as failure:
            error = error_of(failure)
        failures += 1
        if failures >= retry.attempts or not worth_repeating(error):
            if isinstance(error, Unanswered):
                error.request_id = getattr(request, "request_id", "")
            raise error
        failed(error)
        await asyncio.sleep(max(retry.pause(failures), asked_to_wait(error)))
