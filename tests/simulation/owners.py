"""Who owns which table, as it really is: no other writes, and no other answers for it by what it remembers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from tests.simulation.world import World


@dataclass
class _Owner:
    """`since` is when, in simulated time; `epoch` counts the owners of a table from 1."""

    node_id: str
    since: int
    epoch: int
    handed_over: bool
    before: str


class Owners:
    """Keeps its own account, and believes no check of the store's."""

    def __init__(self, world: World, runs: Callable[[str], bool]) -> None:
        self.counts: Counter[str] = Counter()
        self._world = world
        self._runs = runs
        self._of: dict[str, _Owner] = {}

    def of(self, table_id: str) -> str:
        return self._of[table_id].node_id if table_id in self._of else ""

    def since(self, table_id: str) -> int:
        return self._of[table_id].since

    def moved(self, table_id: str, node_id: str, *, handed_over: bool) -> None:
        """A table has another owner; "" where nobody has claimed it as yet."""
        before = self.of(table_id)
        if before and not handed_over and before != node_id and self._runs(before):
            self._world.violated(f"{table_id} was claimed by {node_id} while the lease of {before} ran")
        epoch = self._of[table_id].epoch + 1 if table_id in self._of else 1
        self._of[table_id] = _Owner(node_id, self._world.now, epoch, handed_over, before)
        self._world.trace("owner", table_id, node_id)
        self.counts["handed over" if handed_over else "claimed" if before != node_id else "begun again"] += 1

    def wrote(self, node_id: str, table_id: str, epochs: Collection[int]) -> None:
        """A write of a node's has become durable, with records of these epochs."""
        owner = self._of[table_id]
        if owner.node_id != node_id or any(epoch != owner.epoch for epoch in epochs):
            self._world.violated(
                f"{node_id} wrote to {table_id} in epochs {sorted(set(epochs))}, which {owner.node_id or 'nobody'}"
                f" owns in epoch {owner.epoch}"
            )

    def fenced(self, node_id: str, table_id: str) -> None:
        """A write of a node's was refused, since the table is another's."""
        self.counts["fenced write"] += 1
        owner = self._of[table_id]
        if owner.handed_over and owner.before == node_id:
            self._world.violated(f"{node_id} handed {table_id} over before what it had submitted was written")

    def answers(self, node_id: str, table_id: str) -> None:
        """A node begins to answer a call by what it remembers of a table."""
        if self.of(table_id) not in ("", node_id):
            self._world.violated(f"{node_id} answers for {table_id}, which {self.of(table_id)} owns")
