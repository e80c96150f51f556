"""Inputs for fuzzing: good ones spoilt in a few places, or bytes out of nowhere; how many, how long each may take."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from time import process_time
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

TIMES: Final = int(os.environ.get("FUZZ_TIMES", "1"))
"""How many times as many inputs as in the default suite."""
LONGEST_S: Final = 2.0
"""What takes more of the processor's time hangs."""
NUMBERS: Final = (
    *(
        b"0 1 -1 2 3 9 52 255 256 65536 0.5 -0 -0.0 +1 01 0x10 0b2 1_000 1e2 1e-2 1e400 1e-400 1e99999999 1e-99999999"
        b" inf -inf nan 2147483648 9223372036854775807 9223372036854775808 -9223372036854775809 18446744073709551616"
        b" 99999999999999999999999 true false null \"\" '' [] {} [[]] 1979-05-27 1979-05-27T07:32:00Z 07:32:00".split()
    ),
    b"9" * 5000,
    b"0." + b"0" * 5000 + b"1",
    b"Infinity",
    b"NaN",
)
TOKENS: Final = (
    b"\x00",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r\n",
    "🂡".encode(),
    b'"',
    b'"""',
    b"'''",
    b"\\u0000",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"=",
    b":",
    b".",
    b"#",
    b"\n",
    b"=\x00",
    b"/../",
    b"%s",
    b"[" * 3_000,
    b"{" * 3_000,
    b'{"a":' * 3_000,
    b"a." * 3_000,
    b"x" * 9_000,
)
_NUMBER: Final = re.compile(rb"-?\d[\d.]*")
_WORD: Final = re.compile(rb"[A-Za-z_]{2,}")
_EDITS: Final = st.tuples(
    st.sampled_from(
        ("flip", "flip", "insert", "delete", "repeat", "token", "number", "number", "word", "line", "cut")
    ),
    st.floats(0, 1, exclude_max=True, allow_subnormal=False),
    st.integers(0, 2**16 - 1),
    st.binary(max_size=8),
)


def fuzzed(
    count: int, *inputs: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a test of a law for so many inputs, or TIMES as many, each of which must be dealt with in LONGEST_S."""

    def decorate(law: Callable[..., None]) -> Callable[..., None]:
        @wraps(law)
        def timed(*told: Any, **named: Any) -> None:
            started = process_time()
            law(*told, **named)
            assert process_time() - started < LONGEST_S

        every = list(HealthCheck)
        chosen = settings(max_examples=count * TIMES, deadline=None, suppress_health_check=every)
        made: Callable[..., None] = chosen(given(*inputs)(timed))
        return made

    return decorate


def spoilt(seeds: Sequence[bytes], tokens: Sequence[bytes] = (), most: int = 4) -> st.SearchStrategy[bytes]:
    """One of the seeds after up to `most` edits, some by the format's own tokens; now and then any bytes."""
    edits = st.lists(_EDITS, min_size=1, max_size=most)
    of_seeds = st.builds(_spoil, st.sampled_from(seeds), edits, st.just((*TOKENS, *tokens)))
    return st.one_of(of_seeds, of_seeds, of_seeds, st.binary(max_size=200))


def _spoil(data: bytes, edits: Sequence[tuple[str, float, int, bytes]], tokens: Sequence[bytes]) -> bytes:
    for kind, where, number, some in edits:
        data = _edited(data, kind, int(where * (len(data) + 1)), number, some, tokens)
    return data


def _edited(data: bytes, kind: str, at: int, number: int, some: bytes, tokens: Sequence[bytes]) -> bytes:
    length = 1 + number % 64
    match kind:
        case "flip" if at < len(data):
            return data[:at] + bytes((data[at] ^ 1 << number % 8,)) + data[at + 1 :]
        case "insert":
            return data[:at] + some + data[at:]
        case "delete":
            return data[:at] + data[at + length :]
        case "repeat":
            return data[:at] + data[at : at + length] * (2 + number % 50) + data[at + length :]
        case "token":
            return data[:at] + tokens[number % len(tokens)] + data[at:]
        case "number":
            return _instead(data, _NUMBER, at, NUMBERS[number % len(NUMBERS)])
        case "word":
            words = _WORD.findall(data) or [b""]
            return _instead(data, _WORD, at, words[number % len(words)])
        case "line":
            lines = data.splitlines(keepends=True) or [b""]
            line = data.count(b"\n", 0, at) % len(lines)
            other = number % len(lines)
            lines[line : line + 1] = ([], [lines[line]] * 2, [lines[other]], [lines[other], lines[line]])[
                number % 4
            ]
            return b"".join(lines)
        case _:
            return data[:at]


def _instead(data: bytes, pattern: re.Pattern[bytes], at: int, new: bytes) -> bytes:
    """In place of the first match from there on."""
    found = pattern.search(data, at) or pattern.search(data)
    return data if found is None else data[: found.start()] + new + data[found.end() :]
