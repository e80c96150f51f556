"""A bearer token that goes with every call of a channel."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from grpc import aio

Token = str | Callable[[], str] | None

_REREAD_S: Final = 10.0


def from_file(path: Path) -> Callable[[], str]:
    """The token in a file, read again every ten seconds, since tokens are renewed. Raises OSError, ValueError."""
    token, read_at = read(path), time.monotonic()

    def current() -> str:
        nonlocal token, read_at
        now = time.monotonic()
        if now - read_at > _REREAD_S:
            token, read_at = read(path), now
        return token

    return current


def read(path: Path) -> str:
    """The token that a file holds. Raises OSError, ValueError for what no call could bear."""
    token = path.read_bytes().strip().decode("ascii", "replace")
    if not token.isascii() or not token.isprintable() or not token:
        raise ValueError(f"{path} holds no token: one line of text")
    return token


def bearing(token: Token) -> Sequence[aio.ClientInterceptor]:
    """What a channel is made with, so that its calls bear the token."""
    if token is None:
        return ()
    of = (lambda: token) if isinstance(token, str) else token
    return (_Unary(of), _Stream(of), _Both(of))


class _Bearer:
    def __init__(self, token: Callable[[], str]) -> None:
        self._token = token

    def _borne(self, details: aio.ClientCallDetails) -> aio.ClientCallDetails:
        metadata = aio.Metadata(*(details.metadata or ()), ("authorization", f"Bearer {self._token()}"))
        return details._replace(metadata=metadata)  # type: ignore[attr-defined, no-any-return]


class _Unary(_Bearer, aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return await continuation(self._borne(details), request)


class _Stream(_Bearer, aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return await continuation(self._borne(details), request)


class _Both(_Bearer, aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(self, continuation: Any, details: Any, requests: Any) -> Any:
        return await continuation(self._borne(details), requests)
