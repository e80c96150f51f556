"""What one watch stream told, kept as a digest for each sequence: 12 bytes. Judges nothing."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final
from zlib import crc32

from croupier.v1.event_pb2 import TableEvent


def digest(events: Iterable[TableEvent]) -> int:
    """Of the events of one sequence, in their order; 32 bits."""
    value = 0
    for event in events:
        value = crc32(event.SerializeToString(deterministic=True), value)
    return value


class Heard:
    """`sequences` and `digests` go together, in the order that they were told."""

    def __init__(self, after: int = 0) -> None:
        self.after: Final = after
        self.sequences: Final = array("Q")
        self.digests: Final = array("I")

    def add(self, events: Sequence[TableEvent]) -> None:
        """Events as they came; those of one sequence come together."""
        for sequence, group in groupby(events, key=_sequence):
            self.sequences.append(sequence)
            self.digests.append(digest(group))


def _sequence(event: TableEvent) -> int:
    return event.sequence
