"""What must hold beside where several nodes play: nothing is timed out by our fault, and every table has an owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tests.simulation.checks import Checks
from tests.simulation.database import Database
from tests.simulation.stream import Message
from tests.simulation.world import NS, World

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.watcher import Watcher


class ClusterChecks(Checks):
    """`skews` are how wrong each node's clock is, nanoseconds."""

    snapshots_are_fresh = False
    """A node that follows a table may be a moment behind; whoever resumes is never told less."""

    def __init__(self, world: World, database: Database) -> None:
        super().__init__(world, database)
        self.skews: dict[str, int] = {}
        self._database = database

    def look(self, nodes: Sequence[Node]) -> None:
        """Once a second."""

    def written(self, watcher: Watcher, message: Message) -> None:
        super().written(watcher, message)
        for shadow in self.shadows.values():
            shadow.deadlines.clear()


_: Final = NS
