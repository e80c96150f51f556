"""Which requests something in the books has brought about: a few bits each, and how many there are exactly."""

from __future__ import annotations

import hashlib
from typing import Final

_BITS: Final = 32
"""Bits for each request; one in five thousand that is not there seems to be."""
_LEAST: Final = 1 << 12
_PLACES: Final = 4

Request = tuple[str, str, str]
"""Principal, method, request_id."""


class Claims:
    """`count` is how many were added; whether one was added may be said of one that was not, never the other way."""

    def __init__(self, requests: int) -> None:
        self._bits = bytearray(max(_LEAST, requests * _BITS // 8))
        self.count = 0

    def add(self, request: Request) -> None:
        self.count += 1
        for place in self._places(request):
            self._bits[place >> 3] |= 1 << (place & 7)

    def has(self, request: Request) -> bool:
        return all(self._bits[place >> 3] & 1 << (place & 7) for place in self._places(request))

    def _places(self, request: Request) -> list[int]:
        name = hashlib.sha256("\0".join(request).encode("utf-8", "surrogatepass")).digest()
        size = 8 * len(self._bits)
        return [int.from_bytes(name[8 * part : 8 * part + 8]) % size for part in range(_PLACES)]
