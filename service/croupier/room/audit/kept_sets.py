"""Which entry sets something in the books has brought about: a bit each."""

from __future__ import annotations


class KeptSets:
    """By set_key; made for so many entries."""

    def __init__(self, entries: int) -> None:
        self._bits = bytearray(entries // 8 + 1)
        self._far: set[int] = set()

    def add(self, set_key: int) -> None:
        if 0 <= set_key < 8 * len(self._bits):
            self._bits[set_key >> 3] |= 1 << (set_key & 7)
        else:
            self._far.add(set_key)

    def has(self, set_key: int) -> bool:
        if 0 <= set_key < 8 * len(self._bits):
            return bool(self._bits[set_key >> 3] & 1 << (set_key & 7))
        return set_key in self._far
