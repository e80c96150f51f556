"""A hash tree over the 52 places of a deck: its root commits to every card, and a path opens one of them.

Leaves and nodes are told apart by their first byte; a node without a sibling goes up as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
_NODE: Final = b"\1"

Tree = list[list[bytes]]
"""Hashes level by level, from the leaves to the one root."""


def tree(leaves: Sequence[bytes]) -> Tree:
    """All hashes above leaves that are hashes themselves."""
    levels = [list(leaves)]
    while len(level := levels[-1]) > 1:
        above = [sha256(_NODE + level[at] + level[at + 1]).digest() for at in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            above.append(level[-1])
        levels.append(above)
    return levels


def path(levels: Tree, position: int) -> list[bytes]:
    """The siblings on the way from a leaf up to the root."""
    siblings = []
    for level in levels[:-1]:
        if position ^ 1 < len(level):
            siblings.append(level[position ^ 1])
        position //= 2
    return siblings
