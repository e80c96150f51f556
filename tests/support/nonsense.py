"""Messages for the subjects of a room that make no sense there, from noise to what is almost a message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import msgspec

from croupier.adapters.rpc.envelopes import CallEnvelope
from croupier.room.node_calls import MOST_TOLD, Describe, HandedOver, NodeCall
from croupier.room.principal import LOCAL
from croupier.room.room_news import TableOpened
from croupier.room.table_news import Following, News, Recorded, Row, TableStatus

SECRET: Final = "AsKdQh-in-nobodys-log"
"""Held by many of them."""
_encode: Final = msgspec.msgpack.encode
_ACT: Final = "/croupier.v1.BettingService/Act"
_KINDS: Final[dict[str, Any]] = {
    "table_call": CallEnvelope,
    "table_presence": Following,
    "table_records": News,
    "node_call": NodeCall,
    "news": TableOpened,
}


def _call(**changed: Any) -> bytes:
    envelope = CallEnvelope(1, _ACT, LOCAL, 5.0, "", b"")
    return _encode(msgspec.structs.replace(envelope, **changed))


def _almost(table_id: str) -> list[bytes]:
    """Of other versions, or wrong in one place; none is a message of any subject."""
    row = Row(table_id, 1, 10**6, 1, b"", b"", 0, "", "", 1, b"")
    return [
        _call(version=2),
        _call(method="/croupier.v1.BettingService/Steal"),
        _call(method=SECRET),
        _call(request=b"\xff" * 20),
        _call(remaining=float("nan")),
        _call(remaining=float("inf")),
        _call()[:-1],
        _call() + b"\0",
        _encode(HandedOver(["t"] * (MOST_TOLD + 1))),
        _encode(Describe(["t"] * (MOST_TOLD + 1))),
        _encode(["later_call", SECRET, 7]),
        _encode(["log_grown", "seven"]),
        _encode(["opened", SECRET]),
        _encode(TableOpened(SECRET, "h", "n"))[:-1],
        _encode(["standing", 1, 2, SECRET]),
        _encode(TableStatus(1, 1, 1, 1, False))[:-1],
        _encode(Recorded(row, 0))[:-2],
        _encode(["record", [SECRET], 0, b""]),
        _encode({"node_id": SECRET}),
        _encode([SECRET.encode(), [1, 2], False]),
        b"\x91" * 5_000,
        b"\x93\xa4\xff\xfe\xfd\xfc\x90\xc2",
        SECRET.encode(),
    ]


def nonsense(kind: str, table_id: str, random: Random) -> Iterator[bytes]:
    """For ever; `kind` is what the subject is for."""
    reads = msgspec.msgpack.Decoder(_KINDS[kind]).decode
    almost = [data for data in _almost(table_id) if kind == "table_call" or not _read(reads, data)]
    while True:
        data = random.choice(almost) if random.random() < 0.5 else random.randbytes(random.randrange(1, 300))
        if data in almost or not _read(reads, data):
            yield data


def _read(reads: Callable[[bytes], object], data: bytes) -> bool:
    try:
        reads(data)
    except ValueError:
        return False
    return True
