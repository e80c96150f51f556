"""A caller that speaks HTTP/2 frame by frame, so that it can do what no gRPC library would: ping without end, or
never make room for what it is sent. A stream's window stays as it begins.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, Self

from google.protobuf.message import Message

DATA: Final = 0
HEADERS: Final = 1
SETTINGS: Final = 4
PING: Final = 6
GOAWAY: Final = 7
ACK: Final = 1
END_STREAM: Final = 1
_INITIAL_WINDOW_SIZE: Final = b"\x00\x04"
WINDOW: Final = 65_535
"""The bytes that HTTP/2 lets be sent on a stream, and on a connection, unless told otherwise."""
END_HEADERS: Final = 4
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_STREAM: Final = 1


class Frame(NamedTuple):
    kind: int
    flags: int
    payload: bytes


class RawHttp2:
    """One connection. It answers settings, and pings while it is read; it never grants more window."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, port: int, window: int = WINDOW) -> Self:
        """A connection whose settings both sides have agreed to; `window` is in bytes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**14)
        raw = cls(reader, writer)
        writer.write(_PREFACE)
        raw.send(SETTINGS, 0, 0, _INITIAL_WINDOW_SIZE + window.to_bytes(4, "big"))
        while True:
            frame = await raw.read()
            if frame.kind == SETTINGS and frame.flags & ACK:
                return raw

    def send(self, kind: int, flags: int, stream: int, *payloads: bytes) -> None:
        """So many frames, at once."""
        head = bytes((kind, flags)) + stream.to_bytes(4, "big")
        self._writer.write(b"".join(len(each).to_bytes(3, "big") + head + each for each in payloads))

    def call(self, path: str, request: Message, token: str = "") -> None:
        """Begin the one call of this connection."""
        fields = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", path),
            (":authority", "127.0.0.1"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
        ]
        if token:
            fields.append(("authorization", f"Bearer {token}"))
        self.send(HEADERS, END_HEADERS, _STREAM, b"".join(_literal(*field) for field in fields))
        data = request.SerializeToString()
        self.send(DATA, END_STREAM, _STREAM, b"\0" + len(data).to_bytes(4, "big") + data)

    async def read(self) -> Frame:
        """The next frame. Raises IncompleteReadError at the end of the connection."""
        head = await self._reader.readexactly(9)
        payload = await self._reader.readexactly(int.from_bytes(head[:3], "big"))
        frame = Frame(head[3], head[4], payload)
        if frame.kind in (SETTINGS, PING) and not frame.flags & ACK:
            self.send(frame.kind, ACK, 0, payload if frame.kind == PING else b"")
        return frame

    async def read_until_stalled(self, quiet: float = 0.5) -> int:
        """Read until nothing has come for so many seconds; how many bytes of data did."""
        received = 0
        while True:
            try:
                async with asyncio.timeout(quiet):
                    frame = await self.read()
            except TimeoutError:
                return received
            if frame.kind == DATA:
                received += len(frame.payload)

    async def close(self) -> None:
        self._writer.close()


def _literal(name: str, value: str) -> bytes:
    """A header field that is not indexed (RFC 7541, 6.2.2)."""
    return b"\0" + _text(name) + _text(value)


def _text(text: str) -> bytes:
    data = text.encode()
    if len(data) < 127:
        return bytes((len(data),)) + data
    rest, prefix = len(data) - 127, bytearray((127,))
    while rest > 127:
        prefix.append(rest & 127 | 128)
        rest >>= 7
    prefix.append(rest)
    return bytes(prefix) + data
