"""Which server a table belongs on: the same answer wherever it is asked, and few tables move when servers do.

Rendezvous hashing: each server draws a number for each table, and the greatest has it. It knows no store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

_MASK: Final = (1 << 64) - 1
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB


class Placement:
    """Tables over one set of servers. Empty where there is none."""

    def __init__(self, node_ids: Iterable[str]) -> None:
        self._nodes: Final = [(_hash(node_id), node_id) for node_id in sorted(node_ids)]

    def node_of(self, table_id: str) -> str:
        """The server that has the table, empty where there is none at all."""
        table = _hash(table_id)
        return max(((_mixed(table ^ node), node_id) for node, node_id in self._nodes), default=(0, ""))[1]

    def of(self, node_id: str, table_ids: Iterable[str]) -> list[str]:
        """Those of the tables that are a server's."""
        return [table_id for table_id in table_ids if self.node_of(table_id) == node_id]

    def elsewhere(self, node_id: str, table_ids: Iterable[str]) -> dict[str, str]:
        """Those of the tables that are not a server's, each with whose it is."""
        placed = ((table_id, self.node_of(table_id)) for table_id in table_ids)
        return {table_id: other for table_id, other in placed if other not in ("", node_id)}


def spread(table_ids: Sequence[str], node_ids: Sequence[str]) -> dict[str, int]:
    """How many of the tables each server has."""
    placement = Placement(node_ids)
    counts = dict.fromkeys(node_ids, 0)
    for table_id in table_ids:
        counts[placement.node_of(table_id)] += 1
    return counts


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())


def _mixed(number: int) -> int:
    """Every bit of the number in every bit of the result."""
    number = (number ^ (number >> 30)) * _FIRST & _MASK
    number = (number ^ (number >> 27)) * _SECOND & _MASK
    return number ^ (number >> 31)
