"""What a check of `croupier doctor` fails with."""

from __future__ import annotations

from typing import Final


class Problem(Exception):
    """Raised by a check that failed: what it found, and what to do next."""

    def __init__(self, found: str, next_step: str) -> None:
        super().__init__(found)
        self.found: Final = found
        self.next_step: Final = next_step
