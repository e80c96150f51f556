"""The journal's body format: a record's command and events as MessagePack, tagged by their names."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.engine.commands import AnyCommand
from croupier.engine.events import Event, HandEvent
from croupier.engine.table_events import TableEvent
from croupier.room.decoding import decoded

FORMAT: Final = 2
"""Version of the record's format; bumped when it changes, and every older one stays readable."""
SEALED_BY_DERIVED_KEYS: Final = 1
"""The format whose sealed cards, a hand's deal order, have keys derived from the master key."""


class JournalTooNew(RuntimeError):
    """Raised for a record that a later version of the service wrote."""


class CreateTable(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The command of a table's first record."""

    name: str


class Body(msgspec.Struct, array_like=True, gc=False):
    """What a record says: the command for audit, the events for folding."""

    command: AnyCommand | CreateTable
    events: list[HandEvent | TableEvent]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Body)


def encode(command: object, events: list[Event]) -> bytes:
    """Bytes of a record's body."""
    return _encoder.encode((command, events))


def decode(body: bytes, format_version: int) -> Body:
    """The body of a stored record.

    Raises JournalTooNew for a format this version does not know, msgspec.DecodeError for what is no body.
    """
    if format_version > FORMAT:
        raise JournalTooNew(
            f"the journal has format {format_version}; this version of croupier reads up to {FORMAT}"
        )
    return decoded(_decoder.decode, body)
