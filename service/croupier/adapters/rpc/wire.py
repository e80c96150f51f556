"""Protobuf's wire format, as far as messages already serialized are put into others."""

from __future__ import annotations

_LENGTH_DELIMITED = 2


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field; `number` is 1 to 15."""
    return bytes((number << 3 | _LENGTH_DELIMITED,)) + varint(len(content)) + content


def varint(value: int) -> bytes:
    """A number from 0 on."""
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
