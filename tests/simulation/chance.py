"""Chance that a seed decides, the same in every version of the interpreter (splitmix64)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

_MASK: Final = 2**64 - 1

T = TypeVar("T")


class Chance:
    """A stream of numbers; `child` begins another that does not depend on how many were drawn here."""

    __slots__ = ("_name", "_state")

    def __init__(self, name: str) -> None:
        self._name = name
        self._state = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")

    def child(self, name: str) -> Chance:
        return Chance(f"{self._name}/{name}")

    def draw(self) -> int:
        """64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, count: int) -> int:
        return self.draw() % count

    def between(self, least: int, most: int) -> int:
        """Both included."""
        return least + self.draw() % (most - least + 1)

    def one_in(self, count: int) -> bool:
        """True once in so many times; never for 0."""
        return count > 0 and self.draw() % count == 0

    def choice(self, choices: Sequence[T]) -> T:
        return choices[self.draw() % len(choices)]

    def entropy(self, count: int) -> bytes:
        return b"".join([self.draw().to_bytes(8, "big") for _ in range(-(-count // 8))])[:count]
