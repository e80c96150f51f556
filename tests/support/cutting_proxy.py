"""A wire between a store and its database, which a test cuts: before a statement arrives, or before its answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

Cut = Literal["request", "answer", ""]


class CuttingProxy:
    """Passes bytes on until `cut` names what is to be lost next; then the connection it happens on is closed.

    `refusing` turns away new connections, as a database that is down would.
    """

    def __init__(self, host: str, port: int) -> None:
        self.cut: Cut = ""
        self.cuts = 0
        self.refusing = False
        self.port = 0
        self._target = host, port
        self._writers: set[asyncio.StreamWriter] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        if self.refusing:
            writer.close()
            return
        theirs, ours = await asyncio.open_connection(*self._target)
        self._writers |= {writer, ours}
        there = asyncio.create_task(self._there(reader, ours, writer))
        back = asyncio.create_task(self._back(theirs, writer, ours))
        with contextlib.suppress(OSError):
            await asyncio.gather(there, back)
        self._writers -= {writer, ours}
        writer.close()
        ours.close()

    def close_all(self) -> bool:
        """Close every connection, as when the network goes; whether there was one."""
        closed = bool(self._writers)
        for writer in self._writers:
            writer.close()
        self._writers.clear()
        return closed

    async def _there(
        self, reader: asyncio.StreamReader, ours: asyncio.StreamWriter, writer: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(1 << 16):
            if self.cut == "request":
                self._done(writer, ours)
                return
            ours.write(data)
            await ours.drain()
        ours.close()

    async def _back(
        self, theirs: asyncio.StreamReader, writer: asyncio.StreamWriter, ours: asyncio.StreamWriter
    ) -> None:
        while data := await theirs.read(1 << 16):
            if self.cut == "answer":
                self._done(writer, ours)
                return
            writer.write(data)
            await writer.drain()
        writer.close()

    def _done(self, *writers: asyncio.StreamWriter) -> None:
        self.cut = ""
        self.cuts += 1
        for writer in writers:
            writer.transport.abort()


@asynccontextmanager
async def cutting(dsn: str) -> AsyncIterator[tuple[CuttingProxy, str]]:
    """A proxy before a database, and the DSN by which it is gone through."""
    parts = urlsplit(dsn)
    proxy = CuttingProxy(parts.hostname or "127.0.0.1", parts.port or 5432)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    user, at, _ = parts.netloc.rpartition("@")
    try:
        yield proxy, urlunsplit(parts._replace(netloc=f"{user}{at}127.0.0.1:{proxy.port}"))
    finally:
        server.close()
        proxy.close_all()
