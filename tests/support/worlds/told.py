"""What a viewer was told, item by item with where and when, and where two such tales part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from croupier.v1.table_service_pb2 import WatchTableResponse

_REAL_TIME: Final = re.compile(rb'"time":"[^"]*"')
_OF_THE_MACHINE: Final = re.compile(rb"^(?:# \w+ )?process_.*\n", re.MULTILINE)
"""Metrics of the process that runs the simulation: processor, memory, files."""


class Item(NamedTuple):
    """`where` names a stream, an RPC or a page; `time` is the simulated one at which it left."""

    where: str
    time: int
    data: bytes


class Parted(NamedTuple):
    """Where two worlds that a viewer must not tell apart are told apart."""

    where: str
    one: bytes
    other: bytes

    def __str__(self) -> str:
        at = next((at for at, (a, b) in enumerate(zip(self.one, self.other, strict=False)) if a != b), 0)
        part = slice(max(0, at - 120), at + 120)
        return f"{self.where}\n  one:   {self.one[part]!r}\n  other: {self.other[part]!r}"


def parted(one: Sequence[Item], other: Sequence[Item]) -> Parted | None:
    """The first item that is not the same, in what it says or in when it was said."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            where = a.where if a.where == b.where else f"{a.where} or {b.where}"
            if a[::2] == b[::2]:
                return Parted(f"{where}, its time", str(a.time).encode(), str(b.time).encode())
            return Parted(where, a.data, b.data)
    if len(one) != len(other):
        longer = one if len(one) > len(other) else other
        item = longer[min(len(one), len(other))]
        return Parted(
            f"{item.where}, in one world alone", *((item.data, b"") if longer is one else (b"", item.data))
        )
    return None


def log_text(raw: bytes) -> bytes:
    """Log lines without the machine's time."""
    return _REAL_TIME.sub(b'"time":""', raw)


def metrics_text(raw: bytes, *, quiet: bool) -> bytes:
    """The page without what is the machine's, and where the others' worlds differ in whether they call, without those
    calls' counts."""
    text = _OF_THE_MACHINE.sub(b"", raw)
    if not quiet:
        return text
    apart = (b'method="SetAdvanceAction"', b'method="SetPreferences"')
    return b"\n".join([line for line in text.split(b"\n") if not any(one in line for one in apart)])


def up_to_cards_shown(data: bytes) -> tuple[bytes, bool]:
    """A stream's message up to the first event that shows cards; whether there was one."""
    try:
        message = WatchTableResponse.FromString(data)
    except DecodeError:  # the status that ended it
        return data, False
    for number, event in enumerate(message.events.events):
        if event.HasField("hole_cards_shown") or event.HasField("cards_shown"):
            before = message.events.events[:number]
            return b"".join([one.SerializeToString() for one in before]), True
    return data, False
