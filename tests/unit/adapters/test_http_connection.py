"""A connection of the HTTP port: how long it may ask nothing, and who gives way to whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from croupier.adapters import http, http_connection
from croupier.adapters.http import HttpPort, Pages, Readiness, Receive, Scope, Send
from croupier.adapters.metrics import Metrics

ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
MOST = 8


class Port:
    """A port with room for few, on which silence is short. Its console answers at length, until `over`."""

    def __init__(self) -> None:
        pages = Pages(Metrics().registry, Readiness(), with_console=True)
        pages.console = self._answer
        self.over = asyncio.Event()
        self.http = HttpPort(pages, "127.0.0.1", 0)

    @property
    def held(self) -> int:
        return len(self.http._server.server_state.connections)

    async def _answer(self, _: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await self.over.wait()
        await send({"type": "http.response.body", "body": b"ended"})

    async def connect(self, data: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.http.port, limit=1024)
        writer.write(data)
        return reader, writer

    async def until_held(self, number: int) -> None:
        async with asyncio.timeout(10):
            while self.held != number:
                await asyncio.sleep(0.01)


@pytest_asyncio.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Port]:
    monkeypatch.setattr(http_connection, "SILENT_S", 0.3)
    monkeypatch.setattr(http, "_CONNECTIONS", MOST + 1)
    port = Port()
    await port.http.start()
    yield port
    port.over.set()
    await port.http.stop()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        ASKED[:10],
        ASKED[:-2],
        ASKED,
        ASKED + ASKED[:-2],
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
        ASKED + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
        b"GET /console HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
)
async def test_without_a_whole_request_it_is_closed(port: Port, data: bytes) -> None:
    reader, writer = await port.connect(data)
    async with asyncio.timeout(5):
        await reader.read(-1)
    await port.until_held(0)
    writer.close()


async def test_beginnings_that_trickle_in_do_not_keep_it(port: Port) -> None:
    _, writer = await port.connect(ASKED + b"GET /healthz HTTP/1.1\r\n")
    await port.until_held(1)
    async with asyncio.timeout(5):
        while port.held:
            writer.write(b"A: b\r\n")
            await asyncio.sleep(0.05)
    writer.close()


@pytest.mark.parametrize("questions", [50, 20_000])
async def test_who_takes_no_answers_is_closed(port: Port, questions: int) -> None:
    """With all answers written, and with so many questions that the answers wait."""
    reader, writer = await port.connect(ASKED.replace(b"healthz", b"metrics") * questions)
    await port.until_held(1)
    await port.until_held(0)
    assert not reader.at_eof()
    writer.transport.abort()


async def test_who_asks_now_and_then_and_who_is_being_answered_stay(port: Port) -> None:
    answered, long = await port.connect(b"GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n")
    reader, asking = await port.connect()
    for _ in range(8):
        asking.write(ASKED)
        assert await reader.readuntil(b"ok\n")
        await asyncio.sleep(0.1)
    assert port.held == 2
    port.over.set()
    assert await answered.readuntil(b"ended")
    asking.close()
    long.close()


async def test_where_there_is_no_room_the_longest_silent_gives_way(port: Port) -> None:
    answered, long = await port.connect(b"GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await answered.readuntil(b"begun")
    silent = []
    for number in range(MOST - 1):
        silent.append(await port.connect(ASKED[: number % 3 * 20]))
        await port.until_held(number + 2)
    for number in range(MOST - 1):
        reader, writer = await port.connect(ASKED)
        assert (await reader.readuntil(b"ok\n")).startswith(b"HTTP/1.1 200")
        assert await silent[number][0].read(-1) == b""
        assert port.held == MOST
        silent.append((reader, writer))
    port.over.set()
    assert await answered.readuntil(b"ended")
    for _, writer in [*silent, (answered, long)]:
        writer.close()


async def test_where_all_are_being_answered_one_more_is_refused(port: Port) -> None:
    asked = b"GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n"
    held = []
    for _ in range(MOST):
        held.append(await port.connect(asked))
        await held[-1][0].readuntil(b"begun")
    reader, writer = await port.connect(ASKED)
    assert (await reader.readline()).startswith(b"HTTP/1.1 503")
    for _, one in [*held, (reader, writer)]:
        one.close()
