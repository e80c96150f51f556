"""The HTTP port for probes and Prometheus: /metrics, /healthz, /readyz, and /console where that is asked for.

It is served in the service's own event loop, so that an answer from /healthz means that the loop runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import uvicorn
from prometheus_client import CollectorRegistry

from croupier.adapters.http_connection import SILENT_S, Connection
from croupier.adapters.http_log import seldom
from croupier.adapters.metrics.exposition import CONTENT_TYPE, Exposition

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Scope = dict[str, Any]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

STARTING: Final = "starting"
_CONNECTIONS: Final = 512
"""Several times what is accepted at once, so that who has just come is not the one that has been silent for longest."""
_BACKLOG: Final = 1024
"""So many may come at once: whom the kernel turns away tries again seconds later."""
_DELIMITED_TWICE: Final = frozenset((b"content-length", b"transfer-encoding"))
"""Such a request may end elsewhere for a proxy than it does here (RFC 9112, 6.3)."""


class Readiness:
    """Whether callers should be sent here: `reason` says why not, and is empty once they should.

    `store_failure` tells what is the matter with the store just now.
    """

    def __init__(self, store_failure: Callable[[], str] = str) -> None:
        self.reason = STARTING
        self._store_failure = store_failure

    def why_not(self) -> str:
        """Why callers should not be sent here; empty where they should."""
        return self.reason or self._store_failure()


class Pages:
    """The ASGI application. Reads the registry on the event loop, where gauges may look at the room."""

    def __init__(
        self, registry: CollectorRegistry, readiness: Readiness, *, with_console: bool = False
    ) -> None:
        self.metrics: Final = Exposition(registry)
        self._readiness = readiness
        self.with_console: Final = with_console
        self.console: Application | None = None
        """Whatever is under /console; None before the start and after the end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if {name for name, _ in scope["headers"]} >= _DELIMITED_TWICE:
            why = "Content-Length and Transfer-Encoding exclude each other"
            await _answer(scope, send, 400, why, (b"connection", b"close"))
        elif self.with_console and (path == "/console" or path.startswith("/console/")):
            if self.console is None:
                await _answer(scope, send, 503, self._readiness.reason or STARTING)
            else:
                await self.console(scope, receive, send)
        elif path not in ("/metrics", "/healthz", "/readyz"):
            last = ", /readyz and /console" if self.with_console else " and /readyz"
            await _answer(scope, send, 404, f"the pages are /metrics, /healthz{last}")
        elif scope["method"] not in ("GET", "HEAD"):
            await _answer(scope, send, 405, "only GET", (b"allow", b"GET, HEAD"))
        elif path == "/metrics":
            await _give(scope, send, 200, [(b"content-type", CONTENT_TYPE)], await self.metrics.text())
        elif path == "/readyz" and (reason := self._readiness.why_not()):
            await _answer(scope, send, 503, reason)
        else:
            await _answer(scope, send, 200, "ok")


class HttpPort:
    """The listening socket and its server. Raises OSError where the port is taken."""

    def __init__(self, pages: Pages, address: str, port: int) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            self._socket = socket.create_server((address, port), family=family, backlog=_BACKLOG)
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            see = "--listen" if error.errno == errno.EADDRNOTAVAIL else "--http-port"
            raise OSError(
                error.errno, f"{address}:{port}, for HTTP, cannot be listened on: {why}; see {see}"
            ) from None
        self._server = _Server(
            uvicorn.Config(
                pages,
                http=functools.partial(Connection, log=seldom()),  # type: ignore[arg-type]
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_CONNECTIONS,
                timeout_keep_alive=SILENT_S,
                backlog=_BACKLOG,
                timeout_graceful_shutdown=1,
            )
        )
        self._task: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port in use, also where any was asked for."""
        number: int = self._socket.getsockname()[1]
        return number

    async def start(self) -> None:
        """Answer from now on."""
        self._task = asyncio.create_task(self._server.serve([self._socket]))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Answer what is being asked, then close the port."""
        self._server.should_exit = True
        if self._task is not None:
            await self._task
        self._socket.close()


class _Server(uvicorn.Server):
    """Leaves the process's signals to whoever runs the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _answer(scope: Scope, send: Send, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
    body = f"{text}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
    await _give(scope, send, status, [*headers, *more], body)


async def _give(
    scope: Scope, send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
