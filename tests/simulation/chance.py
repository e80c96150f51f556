"""Chance that a seed decides, the same in every version of the interpreter: a stream of SHAKE-256."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

_BLOCK: Final = 64
_unpack: Final = struct.Struct(f"<{_BLOCK}Q").unpack

T = TypeVar("T")


def _numbers(name: str) -> Iterator[int]:
    count = 0
    while True:
        count += 1
        yield from _unpack(hashlib.shake_256(f"{name}/{count}".encode()).digest(8 * _BLOCK))


class Chance:
    """A stream of numbers; `child` begins another that does not depend on how many were drawn here."""

    __slots__ = ("_name", "_numbers")

    def __init__(self, name: str) -> None:
        self._name = name
        self._numbers = _numbers(name)

    def child(self, name: str) -> Chance:
        return Chance(f"{self._name}/{name}")

    def draw(self) -> int:
        """64 bits."""
        return next(self._numbers)

    def below(self, count: int) -> int:
        return next(self._numbers) % count

    def between(self, least: int, most: int) -> int:
        """Both included."""
        return least + next(self._numbers) % (most - least + 1)

    def one_in(self, count: int) -> bool:
        """True once in so many times; never for 0."""
        return count > 0 and next(self._numbers) % count == 0

    def choice(self, choices: Sequence[T]) -> T:
        return choices[next(self._numbers) % len(choices)]

    def entropy(self, count: int) -> bytes:
        return b"".join([self.draw().to_bytes(8, "big") for _ in range(-(-count // 8))])[:count]
