"""A wire between one server and what it depends on: delays, stalls, loses and resets what passes, by direction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Literal

Towards = Literal["there", "back"]
"""From the server to what it depends on, or from that to the server."""
BOTH: Final[tuple[Towards, ...]] = ("there", "back")
_MOST_BYTES: Final = 1 << 16


class Way:
    """One direction of all connections. While it is not `open` bytes wait; `loses`: they never arrive."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self.loses = False
        self.open: Final = asyncio.Event()
        self.open.set()


class Wire:
    """Connections to `port` of this machine go by `self.port`. Nothing is told of a stall, as with a network's."""

    def __init__(self, port: int) -> None:
        self.ways: Final[dict[Towards, Way]] = {towards: Way() for towards in BOTH}
        self.refusing = False
        """Whether new connections are reset at once, as where nobody listens."""
        self.port = 0
        self._target: Final = port
        self._connections: set[_Connection] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        if self.refusing:
            writer.transport.abort()
            return
        try:
            await self._must_be_open()
            theirs, ours = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(writer, ours)
        self._connections.add(connection)
        try:
            await asyncio.gather(
                connection.pump(reader, ours, self.ways["there"]),
                connection.pump(theirs, writer, self.ways["back"]),
            )
        finally:
            self._connections.discard(connection)
            connection.reset()

    def cut(self, *towards: Towards) -> None:
        """Nothing passes any more, in these directions or both, and nobody is told."""
        for one in towards or BOTH:
            self.ways[one].open.clear()

    def lose(self, *towards: Towards) -> None:
        """What passes is lost, and its connections with it once that is over."""
        for one in towards or BOTH:
            self.ways[one].loses = True

    def delay(self, seconds: float, *towards: Towards) -> None:
        """Whatever passes comes so much later, piece after piece."""
        for one in towards or BOTH:
            self.ways[one].delay_s = seconds

    def reset(self) -> int:
        """Break every connection; how many there were."""
        connections = list(self._connections)
        for connection in connections:
            connection.reset()
        return len(connections)

    def refuse(self) -> None:
        """Break every connection, and each that is tried."""
        self.refusing = True
        self.reset()

    def mend(self) -> None:
        """All passes again; connections that lost something are broken."""
        self.refusing = False
        for way in self.ways.values():
            way.delay_s, way.loses = 0.0, False
            way.open.set()
        for connection in list(self._connections):
            if connection.has_lost:
                connection.reset()

    async def _must_be_open(self) -> None:
        """A connection is made only where both directions are open."""
        for way in self.ways.values():
            await way.open.wait()


class _Connection:
    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self.has_lost = False
        self._writers: Final = writers

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_MOST_BYTES):
                if way.delay_s:
                    await asyncio.sleep(way.delay_s)
                await way.open.wait()
                if way.loses or self.has_lost:
                    self.has_lost = True
                    continue
                writer.write(data)
                await writer.drain()
        await way.open.wait()
        self.reset()

    def reset(self) -> None:
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def wire(port: int) -> AsyncIterator[Wire]:
    """A wire to a port of this machine."""
    made = Wire(port)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        made.mend()
        made.reset()
