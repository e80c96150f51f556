"""The HTTP port: three pages, the right refusals, and a readiness that says why not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from unittest.mock import ANY

import pytest
import pytest_asyncio

from croupier.adapters.http import HttpPort, Pages, Readiness
from croupier.adapters.metrics import Metrics


class Server:
    """A running port and what it serves."""

    def __init__(self, *, with_console: bool = False) -> None:
        self.readiness = Readiness()
        pages = Pages(Metrics().registry, self.readiness, with_console=with_console)
        self.port = HttpPort(pages, "127.0.0.1", 0)

    async def ask(self, request: str) -> tuple[int, str, str]:
        """Status, headers and body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port.port)
        writer.write(f"{request} HTTP/1.0\r\n\r\n".encode())
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        return int(head.split()[1]), head.lower(), body


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    await server.port.start()
    yield server
    await server.port.stop()


async def test_process_that_answers_is_healthy(server: Server) -> None:
    status, _, body = await server.ask("GET /healthz")
    assert (status, body) == (200, "ok\n")


async def test_ready_only_when_nothing_speaks_against_it(server: Server) -> None:
    status, _, body = await server.ask("GET /readyz")
    assert (status, body) == (503, "starting\n")
    server.readiness.reason = ""
    assert (await server.ask("GET /readyz"))[0] == 200
    server.readiness.reason = "draining"
    assert (await server.ask("GET /readyz"))[2] == "draining\n"


async def test_metrics_come_as_prometheus_reads_them(server: Server) -> None:
    status, head, body = await server.ask("GET /metrics")
    assert status == 200
    assert "content-type: text/plain; version=0.0.4" in head
    assert "# TYPE croupier_actions_total counter" in body


@pytest.mark.parametrize("path", ["/", "/metrics/", "/healthz/x", "/favicon.ico"])
async def test_other_pages_are_not_found(server: Server, path: str) -> None:
    assert (await server.ask(f"GET {path}"))[0] == 404


@pytest.mark.parametrize(
    ("with_console", "named"), [(False, "/healthz and /readyz"), (True, "/healthz, /readyz and /console")]
)
async def test_the_pages_named_are_those_served(with_console: bool, named: str) -> None:
    server = Server(with_console=with_console)
    await server.port.start()
    assert await server.ask("GET /") == (404, ANY, f"the pages are /metrics, {named}\n")
    await server.port.stop()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_other_methods_are_not_allowed(server: Server, method: str) -> None:
    status, head, _ = await server.ask(f"{method} /metrics")
    assert status == 405
    assert "allow: get, head" in head


@pytest.mark.parametrize("path", ["/metrics", "/healthz"])
async def test_head_has_no_body(server: Server, path: str) -> None:
    status, _, body = await server.ask(f"HEAD {path}")
    assert (status, body) == (200, "")


@pytest.mark.parametrize("path", ["/healthz", "/console", "/"])
async def test_a_request_with_two_ends_is_the_last_on_its_connection(path: str) -> None:
    server = Server(with_console=True)
    await server.port.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port.port)
    ends = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    asked = (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{ends}GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    writer.write(asked.encode())
    async with asyncio.timeout(5):
        answers = await reader.read()
    assert answers.startswith(b"HTTP/1.1 400 ")
    assert answers.count(b"HTTP/1.1 ") == 1
    writer.close()
    await server.port.stop()


async def test_taken_port_is_told(server: Server) -> None:
    with pytest.raises(OSError, match="in use"):
        HttpPort(Pages(Metrics().registry, Readiness()), "127.0.0.1", server.port.port)
