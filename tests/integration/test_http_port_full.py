"""Connections to the HTTP port that ask nothing: probes are answered whatever their number, and they do not stay."""

from __future__ import annotations

import asyncio
import http.client
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from tests.support.live import Backend
from tests.support.server import ServerProcess

from croupier.adapters.http_connection import SILENT_S

MORE: Final = 700
"""Than there is room for."""
_BEGINNINGS: Final = (
    b"",
    b"GET /healthz HTT",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /console/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\ntoken=",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
)
"""Of requests that are never whole, and of such as keep a connection."""


class Silent:
    """A connection that sends the beginning of a request, and reads what comes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.ended = 0.0
        self._task = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while await reader.read(65536):
                pass
        except ConnectionError:
            pass
        self.ended = time.monotonic()

    async def close(self) -> None:
        self.writer.transport.abort()
        await self._task


@asynccontextmanager
async def silent(port: int, number: int) -> AsyncIterator[list[Silent]]:
    """So many of them, of every kind."""

    async def begin(one: int) -> Silent:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_BEGINNINGS[one % len(_BEGINNINGS)])
        return Silent(reader, writer)

    held = await asyncio.gather(*map(begin, range(number)))
    try:
        yield held
    finally:
        await asyncio.gather(*(one.close() for one in held))


def probe(server: ServerProcess, page: str) -> int:
    """The status of a page, asked for on a connection of its own; 0 where there is no answer."""
    asking = http.client.HTTPConnection("127.0.0.1", server.http_port, timeout=3)
    try:
        asking.request("GET", f"/{page}")
        return asking.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        asking.close()


@asynccontextmanager
async def probing(server: ServerProcess) -> AsyncIterator[list[int]]:
    """The statuses of probes and scrapes, meanwhile."""
    statuses: list[int] = []
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            statuses.extend(probe(server, page) for page in ("healthz", "readyz", "metrics"))

    asking = asyncio.create_task(asyncio.to_thread(ask))
    try:
        yield statuses
    finally:
        over.set()
        await asking


@pytest.mark.parametrize("flags", [(), ("--console",)])
async def test_probes_are_answered_beside_any_number_of_silent_connections(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    server = ServerProcess(tmp_path)
    try:
        server.start(*flags)
        async with probing(server) as statuses:
            begun = time.monotonic()
            async with silent(server.http_port, MORE) as held:
                while not all(one.ended for one in held):
                    assert time.monotonic() < begun + 2 * SILENT_S + 15, "some are still held"
                    await asyncio.sleep(0.1)
        assert len(statuses) > 30
        assert set(statuses) == {200}
    finally:
        server.kill()


async def test_streams_of_a_console_stay_beside_silent_connections(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    try:
        server.start("--console")
        async with Backend(server.target) as backend:
            table_id = await backend.open_table("anna", "bert")
            decision = await backend.dealt(table_id)
            reader, writer = await asyncio.open_connection("127.0.0.1", server.http_port)
            writer.write(
                f"GET /console/data/tables/{table_id}/events HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()
            )
            await reader.readuntil(b"data: ")
            async with silent(server.http_port, MORE):
                await asyncio.sleep(SILENT_S + 1)
            await backend.check_or_call(table_id, decision)
            async with asyncio.timeout(10):
                await reader.readuntil(b'"called"')
            writer.close()
    finally:
        server.kill()
