"""What strangers send to the HTTP port makes a line a minute, however much of it there is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from croupier.adapters import seldom
from croupier.adapters.http import HttpPort, Pages, Readiness, Receive, Scope, Send
from croupier.adapters.metrics import Metrics
from croupier.adapters.seldom import EVERY_S

Ask = Callable[[bytes], Awaitable[bytes]]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(seldom, "monotonic", made)
    return made


async def _falls(_: Scope, __: Receive, ___: Send) -> None:
    raise LookupError("a defect")


@pytest_asyncio.fixture
async def ask() -> AsyncIterator[Ask]:
    """Sends bytes on a connection of their own, and gives what is answered."""
    pages = Pages(Metrics().registry, Readiness(), with_console=True)
    pages.console = _falls
    port = HttpPort(pages, "127.0.0.1", 0)
    await port.start()

    async def asked(data: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port.port)
        writer.write(data)
        answer = await reader.read()
        writer.close()
        return answer

    yield asked
    await port.stop()


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        (b"GARBAGE\r\n\r\n", b"400", "Invalid HTTP request received."),
        (b"GET /console HTTP/1.0\r\n\r\n", b"500", "Exception in ASGI application\n"),
    ],
)
async def test_a_flood_is_a_line_a_minute(
    clock: Clock, ask: Ask, data: bytes, status: bytes, message: str
) -> None:
    with capture_logs() as logs:
        for number in range(20):
            clock.now = 100 + EVERY_S / 10 * number
            assert (await ask(data)).split()[1] == status
    assert [(one["message"], one["left_out"]) for one in logs] == [(message, 0), (message, 9)]


async def test_to_ask_for_another_protocol_is_nothing_to_log(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as logs:
        for protocol in ("websocket", "h2c"):
            head = f"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: {protocol}"
            assert (await ask(f"{head}\r\n\r\n".encode())).endswith(b"ok\n")
    assert not logs
    assert not caplog.records
