"""News that were published and may not have arrived: whoever listens is told so, once that is possible."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from croupier.adapters.nats.connection import Connection

MOST_LOST: Final = 16_384
"""Subjects of lost news whose listeners are told so later."""


class LostNews:
    """By their subjects."""

    def __init__(self) -> None:
        self._subjects: dict[str, None] = {}

    def add(self, subjects: Iterable[str]) -> None:
        if len(self._subjects) < MOST_LOST:
            self._subjects.update(dict.fromkeys(subjects))

    def tell(self, connection: Connection, most: int = MOST_LOST) -> None:
        """As much of it as is taken."""
        for subject in list(islice(self._subjects, most)):
            if connection.send(subject, b""):
                del self._subjects[subject]
