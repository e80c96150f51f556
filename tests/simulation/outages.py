"""What goes wrong around nodes, by the seed: processes, their ways to store and bus, and both of those themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.simulation.chance import Chance
from tests.simulation.database import LEASE
from tests.simulation.node import Node
from tests.simulation.troubles import Troubles
from tests.simulation.ways import DOWN, UP, Way
from tests.simulation.world import MS, NS

if TYPE_CHECKING:
    from tests.simulation.cluster import ClusterRun

ROLLED: Final = 300 * MS
"""How often a rolling upgrade looks whether it may go on."""


class Outages:
    """One begins now and then, while others may last."""

    def __init__(self, run: ClusterRun, chance: Chance, troubles: Troubles) -> None:
        self._run = run
        self._troubles = troubles
        self._world = run.world
        self._chance = chance
        self._away: dict[str, int] = {"store": 0, "bus": 0}
        """Until when each is down."""
        self._until: dict[Way, int] = {}

    def begin(self) -> None:
        self._world.after(self._chance.between(NS, 2 * self._run.cluster_plan.between), self._next)

    def mend(self) -> None:
        """Nothing is in anybody's way any more."""
        self._away = {"store": 0, "bus": 0}
        self._until.clear()
        self._troubles.end()
        for node in self._run.nodes:
            node.store_way.mend()
            node.bus_way.mend()

    def appeared(self, node: Node) -> None:
        """A node that starts while store or bus are down finds them so."""
        for name, until in self._away.items():
            if until > self._world.now:
                self._down(node, name, until - self._world.now)

    def _next(self) -> None:
        if self._world.healed:
            return
        kind = self._chance.choice(self._run.cluster_plan.outages)
        nodes = [node for node in self._run.nodes if node.ready and not node.leaving]
        if nodes:
            self._world.fault(kind)
            self._begin(kind, self._victim(nodes))
        self.begin()

    def _victim(self, nodes: list[Node]) -> Node:
        """Mostly one that has tables."""
        owners = [node for node in nodes if node.room.tables()]
        return self._chance.choice(owners if owners and not self._chance.one_in(4) else nodes)

    def _begin(self, kind: str, node: Node) -> None:
        span = self._chance.choice((NS, LEASE, 2 * LEASE, 2 * LEASE, 15 * NS))
        if kind == "kill":
            self._world.after(0, self._run.node_gone, node)
        elif kind == "stop":
            node.stop()
        elif kind == "rolling":
            self._roll(list(self._run.nodes))
        elif kind == "stall":
            node.life.stalled_until = self._world.now + span
            self._troubles.begins(node.node_id, span, unreached=True)
        elif kind.endswith(" restart"):
            self._restart(kind.removesuffix(" restart"), span // 3)
        elif kind.endswith(" one way"):
            direction = self._chance.choice((UP, DOWN))
            self._stall(node, kind.removesuffix(" one way"), (direction,), span)
        else:
            stalls = self._chance.one_in(2)
            for name in ("store", "bus") if kind == "both cut" else (kind.removesuffix(" cut"),):
                if stalls:
                    self._stall(node, name, (UP, DOWN), span)
                else:
                    self._down(node, name, span)

    def _stall(self, node: Node, name: str, directions: tuple[int, ...], span: int) -> None:
        self._troubles.begins(node.node_id, span, unreached=name == "bus")
        way = _way(node, name)
        way.stall(*directions)
        self._lasts(way, span)

    def _down(self, node: Node, name: str, span: int) -> None:
        self._troubles.begins(node.node_id, span, unreached=name == "bus")
        way = _way(node, name)
        way.refused = True
        way.reset()
        self._lasts(way, span)

    def _lasts(self, way: Way, span: int) -> None:
        """The longest of those that are in a way ends all of them."""
        self._until[way] = max(self._until.get(way, 0), self._world.now + span)
        self._world.after(span, self._may_mend, way)

    def _may_mend(self, way: Way) -> None:
        if self._until.get(way, 0) <= self._world.now:
            way.mend()

    def _restart(self, name: str, span: int) -> None:
        self._away[name] = self._world.now + span
        for node in self._run.nodes:
            self._down(node, name, span)

    def _roll(self, nodes: list[Node]) -> None:
        """One after the other, each once as many are ready as there were."""
        ready = [node for node in self._run.nodes if node.ready and not node.leaving]
        if not nodes or self._world.healed:
            return
        if len(ready) >= min(2, len(nodes)):
            nodes[0].stop()
            nodes = nodes[1:]
        self._world.after(ROLLED, self._roll, nodes)


def _way(node: Node, name: str) -> Way:
    return node.store_way if name == "store" else node.bus_way
