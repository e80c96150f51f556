"""Requests that nobody should send: one field spoilt at a time, several, or the bytes themselves. Seeded."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

INT64: Final = (-(2**63), 2**63 - 1)
INT32: Final = (-(2**31), 2**31 - 1)
CONTROL: Final = (
    "\0",
    "\n",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u200b",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\U000e0001",
)
_WIDE: Final = (
    "é",
    "ß",
    "Ω",
    "漢",
    "🂡",
    "\u0301",
    "'",
    '"',
    "%",
    "_",
    "/",
    "\\",
    ";",
    "$",
    "{}",
    "%s",
    "..",
    " ",
)
_NUMBERS: Final = (0, 1, -1, 2, 199, 201, 10**12, 10**12 + 1, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1)
_LONGEST_SPAN: Final = 315_576_000_000
"""Seconds in the longest Duration there may be."""


def spoil(request: Message, random: Random, *, fields: int = 1) -> list[str]:
    """Put something else into so many fields of the request; their names, dotted within messages of ours."""
    known: list[Any] = [*request.DESCRIPTOR.fields]
    chosen = random.sample(known, min(fields, len(known)))
    names = []
    for field in chosen:
        if field.message_type is not None and field.message_type.file.package.startswith("croupier"):
            inner = getattr(request, field.name)
            if field.is_repeated:
                names.append(field.name)
                inner = random.choice([*inner, inner.add()])
            inner.SetInParent()
            names += [f"{field.name}.{name}" for name in spoil(inner, random)]
        else:
            _spoil_field(request, field, random)
            names.append(field.name)
    return names


def _spoil_field(request: Message, field: FieldDescriptor, random: Random) -> None:
    if field.is_repeated:
        getattr(request, field.name).append(text(random, ""))
    elif field.message_type is not None:
        duration = getattr(request, field.name)
        duration.seconds, duration.nanos = span(random)
    elif field.type == FieldDescriptor.TYPE_BYTES:
        setattr(request, field.name, random.randbytes(random.choice((0, 1, 31, 32, 33, 64, 5000))))
    elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        setattr(request, field.name, text(random, getattr(request, field.name)))
    elif field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        setattr(request, field.name, not getattr(request, field.name))
    elif field.cpp_type == FieldDescriptor.CPPTYPE_INT64:
        setattr(request, field.name, random.choice((*_NUMBERS, *INT64, random.randint(*INT64))))
    else:
        number = random.choice((*_NUMBERS, *INT32, random.randint(*INT32)))
        setattr(request, field.name, max(INT32[0], min(INT32[1], number)))


def text(random: Random, known: str) -> str:
    """A text that is no id, or hardly one."""
    wild = "".join(
        random.choice((*_WIDE, chr(random.randrange(32, 0xD800)))) for _ in range(random.randrange(20))
    )
    return random.choice(
        (
            "",
            known + random.choice(CONTROL),
            random.choice(CONTROL) + known,
            known * 100 + "x" * 65,
            "x" * random.choice((64, 65, 66, 97, 193, 5000)),
            "🂡" * random.choice((64, 65)),
            known + "/1",
            known.upper(),
            known[:-1],
            wild,
            "' OR 1=1 --",
            "../../etc/passwd",
        )
    )


def span(random: Random) -> tuple[int, int]:
    """Seconds and nanoseconds that make no Duration, or none that anybody should ask for."""
    return random.choice(
        (
            (-1, 0),
            (0, -1),
            (0, 1),
            (1, -1),
            (-1, 1),
            (0, 1_000_000_000),
            (20, INT32[1]),
            (20, INT32[0]),
            (_LONGEST_SPAN, 999_999_999),
            (-_LONGEST_SPAN, 0),
            (INT64[1], INT32[1]),
            (INT64[0], INT32[0]),
            (3601, 0),
            (61, 0),
            (random.randint(*INT64), random.randint(*INT32)),
        )
    )


def garble(data: bytes, random: Random) -> bytes:
    """The bytes of a request, damaged on their way."""
    out = bytearray(data)
    at = random.randrange(len(out) + 1)
    match random.randrange(8):
        case 0:
            del out[at:]
        case 1:
            out[at:at] = random.randbytes(random.randrange(1, 40))
        case 2 if out:
            for _ in range(random.randrange(1, 5)):
                out[random.randrange(len(out))] ^= 1 << random.randrange(8)
        case 3:
            out += b"\x0a\x03\xed\xa0\x80"  # a surrogate on its own is no text
        case 4:
            out += b"\x0a\xff\xff\xff\xff\x0f"  # longer than everything that follows
        case 5:
            out += b"\x08" + b"\xff" * 11  # a number without an end
        case 6:
            out += bytes([random.randrange(256)]) * random.randrange(1, 2000)
        case _:
            out[:] = random.randbytes(random.randrange(200))
    return bytes(out)


def unreadable(message_type: type[Message], random: Random, whole: Message) -> bytes:
    """Bytes that are no message of the type."""
    while True:
        data = garble(whole.SerializeToString(), random)
        try:
            message_type.FromString(data)
        except Exception:
            return data
