"""A call and its answer as they go between servers: msgpack arrays, to which later versions may append."""

from __future__ import annotations

from typing import Final

import msgspec

from croupier.room.principal import Principal

VERSION: Final = 1


class CallEnvelope(msgspec.Struct, frozen=True, array_like=True):
    """`method` is the full name, `remaining` the seconds that the caller still waits."""

    version: int
    method: str
    principal: Principal
    remaining: float
    traceparent: str
    request: bytes


class AnswerEnvelope(msgspec.Struct, frozen=True, array_like=True):
    """`owner` is the address of who answers, which carried nothing out where `elsewhere`; else `reason` is a refusal's.

    Facts are text, as callers are told them.
    """

    version: int
    owner: str
    answer: bytes = b""
    reason: str = ""
    facts: dict[str, str] = {}
    elsewhere: bool = False


class VersionUnknown(ValueError):
    """Raised for an envelope of a version that this server does not speak."""


encode: Final = msgspec.msgpack.Encoder().encode
_call_decoder: Final = msgspec.msgpack.Decoder(CallEnvelope)
_answer_decoder: Final = msgspec.msgpack.Decoder(AnswerEnvelope)


def call_of(data: bytes) -> CallEnvelope:
    """Raises VersionUnknown, msgspec.DecodeError."""
    envelope = _call_decoder.decode(data)
    if envelope.version != VERSION:
        raise VersionUnknown(f"version {envelope.version} of a call")
    return envelope


def answer_of(data: bytes) -> AnswerEnvelope:
    """Raises VersionUnknown, msgspec.DecodeError."""
    envelope = _answer_decoder.decode(data)
    if envelope.version != VERSION:
        raise VersionUnknown(f"version {envelope.version} of an answer")
    return envelope
