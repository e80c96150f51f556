"""Checking requests field by field, before anything else sees them, against the contract's bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from croupier.cards import parse_card
from croupier.numbers import INT64_MAX, NS_PER_MS, NS_PER_S
from croupier.room.bank import MOST_HELD
from croupier.room.failures import Refusal
from croupier.room.hand_id import hand_of

MAX_ID_LENGTH: Final = 64
MAX_HAND_ID_LENGTH: Final = 96
_LATEST_S: Final = INT64_MAX // NS_PER_S - 1
_PLAYER_ID: Final = re.compile("[A-Za-z0-9._:-]{1,64}").fullmatch


def text(field: str, value: str, *, max_length: int = MAX_ID_LENGTH) -> str:
    """A required text without control characters."""
    if not value:
        raise Refusal("FIELD_REQUIRED", field=field)
    return optional_text(field, value, max_length=max_length)


def ids(message: Any, *fields: str) -> None:
    """Several required texts of a message, each an id; `player_id` is held to its characters."""
    for field in fields:
        value = getattr(message, field)
        if field == "player_id":
            if not _PLAYER_ID(value):
                player_id(field, value)
        elif not 0 < len(value) <= MAX_ID_LENGTH or not value.isprintable():
            text(field, value)


def player_id(field: str, value: str) -> str:
    """A required player's id: 1 to 64 of A-Z, a-z, 0-9 and . _ : -, which mean nothing here."""
    if not value:
        raise Refusal("FIELD_REQUIRED", field=field)
    return optional_player_id(field, value)


def optional_player_id(field: str, value: str) -> str:
    """A player's id that may be empty."""
    if len(value) > MAX_ID_LENGTH:
        raise Refusal("FIELD_TOO_LONG", field=field, max_length=MAX_ID_LENGTH)
    if value and not _PLAYER_ID(value):
        raise Refusal("FIELD_MALFORMED", field=field)
    return value


def optional_text(field: str, value: str, *, max_length: int = MAX_ID_LENGTH) -> str:
    """A text that may be empty."""
    if len(value) > max_length:
        raise Refusal("FIELD_TOO_LONG", field=field, max_length=max_length)
    if not value.isprintable():
        raise Refusal("FIELD_MALFORMED", field=field)
    return value


def exact_bytes(field: str, value: bytes, length: int) -> bytes:
    """Required bytes of one length."""
    if not value:
        raise Refusal("FIELD_REQUIRED", field=field)
    if len(value) != length:
        raise Refusal("FIELD_MALFORMED", field=field)
    return value


def number(field: str, value: int, least: int, most: int) -> int:
    """A number within its bounds; 0 counts as unset where the bounds exclude it."""
    if least <= value <= most:
        return value
    if value == 0:
        raise Refusal("FIELD_REQUIRED", field=field)
    raise Refusal("FIELD_OUT_OF_RANGE", field=field, min=least, max=most)


def amount(field: str, value: int) -> int:
    """Chips: at least 1, at most what a wallet may hold."""
    return number(field, value, 1, MOST_HELD)


def enum_name(field: str, enum: EnumDescriptor, value: int, *, required: bool = True) -> str:
    """The name of an enum's value; where that is unset, "" unless it is required."""
    known = enum.values_by_number.get(value)
    if known is None:
        raise Refusal("FIELD_MALFORMED", field=field)
    if value:
        return known.name
    if required:
        raise Refusal("FIELD_REQUIRED", field=field)
    return ""


def milliseconds(field: str, value: Duration, *, least: int = 0, most: int) -> int:
    """A span of whole milliseconds within its bounds, which are in milliseconds too."""
    seconds, nanos = value.seconds, value.nanos
    if abs(nanos) >= NS_PER_S or (nanos < 0 < seconds) or (seconds < 0 < nanos):
        raise Refusal("FIELD_MALFORMED", field=field)
    span, rest = divmod(seconds * NS_PER_S + nanos, NS_PER_MS)
    if rest or not least <= span <= most:
        raise Refusal("FIELD_OUT_OF_RANGE", field=field, min=f"{least / 1000:g}s", max=f"{most / 1000:g}s")
    return span


def nanoseconds(field: str, when: Timestamp) -> int:
    """A time as nanoseconds since the epoch, within what an int64 holds."""
    if not 0 <= when.nanos < NS_PER_S or not 0 <= when.seconds <= _LATEST_S:
        raise Refusal("FIELD_MALFORMED", field=field)
    return when.seconds * NS_PER_S + when.nanos


def cards(field: str, texts: Sequence[str]) -> bytes:
    """Cards from their texts, in that order; whether they may repeat is not its business."""
    try:
        return bytes([parse_card(one) for one in texts])
    except ValueError:
        raise Refusal("FIELD_MALFORMED", field=field) from None


def hand_number(field: str, hand_id: str, table_id: str) -> int:
    """The number of a table's hand from its id."""
    table, number = hand_of(hand_id)
    if table != table_id or not number:
        text(field, hand_id, max_length=MAX_HAND_ID_LENGTH)
        raise Refusal("FIELD_MALFORMED", field=field)
    return number
