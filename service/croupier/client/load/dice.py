"""A seeded sequence of choices, the same everywhere. For bots alone: anyone can tell what comes next."""

from __future__ import annotations

_MASK = (1 << 64) - 1


class Dice:
    """A linear congruential generator, of which only the upper half is used."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK
        for _ in range(4):
            self.below(2)

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1; `limit` is at most 2**31."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) * limit >> 31

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`."""
        return least + self.below(most - least + 1)
