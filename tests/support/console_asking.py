"""The console's HTTP as a browser speaks it: one question, or a table's stream of events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from croupier.app import App
from croupier.v1.table_service_pb2 import WatchTableResponse

COOKIE: Final = "croupier_console"


class Told(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def ask(
    app: App,
    path: str,
    *,
    method: str = "GET",
    token: str = "",
    body: str = "",
    source: str = "127.0.0.1",
    **headers: str,
) -> Told:
    """What the HTTP port answers to `source`; names of headers have _ for -."""
    lines = [f"{method} {path} HTTP/1.0", f"Host: {headers.pop('host', 'localhost')}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token:
        lines.append(f"Cookie: a=b; {COOKIE}={token}")
    if body:
        lines.append(f"Content-Length: {len(body)}")
    reader, writer = await asyncio.open_connection("127.0.0.1", app.http_port, local_addr=(source, 0))
    writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *others = head.decode().split("\r\n")
    told = {name.lower(): value for name, _, value in (line.partition(": ") for line in others)}
    return Told(int(first.split()[1]), told, rest)


class Stream:
    """A table's server-sent events."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def status(self) -> int:
        head = await self._reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1])

    async def next(self) -> WatchTableResponse:
        return json_format.Parse(await self._data(), WatchTableResponse())

    async def refusal(self) -> dict[str, Any]:
        """What the next event says of why there is no more."""
        refusal: dict[str, Any] = json.loads(await self._data(refused=True))
        return refusal

    async def _data(self, *, refused: bool = False) -> bytes:
        async with asyncio.timeout(10):
            event = await self._reader.readuntil(b"\n\n")
        before, _, data = event.partition(b"data: ")
        assert (b"event: refused" in before) == refused
        return data


@asynccontextmanager
async def streaming(app: App, table_id: str, token: str = "") -> AsyncIterator[Stream]:
    reader, writer = await asyncio.open_connection("127.0.0.1", app.http_port)
    path = f"/console/data/tables/{table_id}/events"
    cookie = f"Cookie: {COOKIE}={token}\r\n" if token else ""
    writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n{cookie}\r\n".encode())
    stream = Stream(reader, writer)
    try:
        yield stream
    finally:
        await stream.close()
