"""Which node was in trouble when, as it really was."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from tests.simulation.world import NS, World

if TYPE_CHECKING:
    from tests.simulation.node import Node

TO_RECOVER: Final = NS
"""What a node may take to connect again once nothing is in the way any more."""


class Troubles:
    """Those that keep callers away are told apart from those that keep the store away."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._unreached: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self._calm_since: dict[str, int] = {}

    def begins(self, node_id: str, span: int, *, unreached: bool) -> None:
        """A node is in trouble for so long, and does not hear from callers, or only not from the store."""
        now = self._world.now
        self._calm_since[node_id] = max(self._calm_since.get(node_id, 0), now + span + TO_RECOVER)
        if unreached:
            self._unreached[node_id].append((now, now + span + TO_RECOVER))

    def end(self) -> None:
        """Nobody is in trouble any more."""
        latest = self._world.now + TO_RECOVER
        self._calm_since = {one: min(since, latest) for one, since in self._calm_since.items()}
        for one, spans in self._unreached.items():
            self._unreached[one] = [(since, min(until, latest)) for since, until in spans]

    def started(self, node: Node) -> None:
        """A node is there from now on."""
        self._calm_since[node.node_id] = max(self._calm_since.get(node.node_id, 0), self._world.now)

    def calm_since(self, node: Node) -> int:
        """Since when a node is in no trouble, which may be a time to come."""
        return self._calm_since.get(node.node_id, 0)

    def within(self, node_id: str, began: int, ended: int) -> tuple[int, int]:
        """For how long in all callers did not reach a node between two moments, and how often."""
        spans = [
            min(until, ended) - max(since, began)
            for since, until in self._unreached[node_id]
            if since < ended and until > began
        ]
        return sum(spans), len(spans)
