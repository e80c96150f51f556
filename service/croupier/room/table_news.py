"""What a table's owner and those who follow it on other servers tell one another, in bytes.

Whatever is concealed goes as it is stored, sealed. Fields are only appended, so that servers of two versions can talk.
"""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.room.cluster_ports import Unreadable
from croupier.room.ports import Record


class Following(msgspec.Struct, frozen=True, array_like=True):
    """Said to a table's owner every few seconds: a server follows it, and these players watch there.

    `leaves`: it follows no longer.
    """

    node_id: str
    players: tuple[str, ...] = ()
    leaves: bool = False


class TableStatus(msgspec.Struct, frozen=True, array_like=True, tag="standing"):
    """How a table stands after a record, as far as no record tells; `number` rises with each of an epoch.

    `record` is the last durable one's journal_sequence, `deadline` that of the decision after it, 0 where none or where
    more records are on their way.
    """

    epoch: int
    number: int
    record: int
    deadline: int
    halted: bool


class Row(Record, frozen=True, array_like=True, gc=False):
    """A record, as one array."""


class Recorded(msgspec.Struct, frozen=True, array_like=True, tag="record"):
    """A durable record. `deadline` is that of the decision that arises from it, 0 where none does.

    `hand_key` is what the store was given of the key of a hand that begins with it.
    """

    row: Row
    deadline: int
    hand_key: bytes = b""


class Annotated(msgspec.Struct, frozen=True, array_like=True, tag="annotation"):
    """What an adapter has to say of a record."""

    record: int
    annotation: bytes


News = TableStatus | Recorded | Annotated

_encoder: Final = msgspec.msgpack.Encoder()
_news: Final = msgspec.msgpack.Decoder(News)
_following: Final = msgspec.msgpack.Decoder(Following)
_status: Final = msgspec.msgpack.Decoder(TableStatus)

encode: Final = _encoder.encode


def recorded(record: Record, deadline: int, hand_key: bytes) -> Recorded:
    """What is told of a record."""
    return Recorded(Row(*msgspec.structs.astuple(record)), deadline, hand_key)


def news_of(data: bytes) -> News:
    """What an owner tells. Raises Unreadable."""
    try:
        return _news.decode(data)
    except ValueError as failure:
        raise Unreadable(f"they are no news of this version's ({type(failure).__name__})") from None


def following_of(data: bytes) -> Following:
    """What one says who follows. Raises Unreadable."""
    try:
        return _following.decode(data)
    except ValueError as failure:
        raise Unreadable(f"it says nothing of following ({type(failure).__name__})") from None


def status_of(data: bytes) -> TableStatus | None:
    """An owner's answer; None for what is none."""
    try:
        return _status.decode(data)
    except ValueError:
        return None
