"""One seed's run with several nodes on one store and one bus, any of which may be asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest.mock import patch

from tests.simulation.broker import Broker
from tests.simulation.calls import AWAY, Receive, Request
from tests.simulation.chance import Chance
from tests.simulation.cluster_checks import ClusterChecks
from tests.simulation.cluster_plan import ClusterPlan, cluster_plan
from tests.simulation.database import Database
from tests.simulation.life import Life
from tests.simulation.node import Node, Told
from tests.simulation.outages import Outages
from tests.simulation.run import Result, Run, limits
from tests.simulation.troubles import Troubles
from tests.simulation.world import NS, World

from croupier import cluster
from croupier.adapters.rpc import forwarding
from croupier.room.actor import TableActor

LOOK: Final = NS


class ClusterRun(Run):
    """`nodes` are the processes there are, whatever state they are in."""

    def __init__(self, seed: int, node_count: int) -> None:
        world, chance = World(), Chance(f"cluster seed {seed}")
        plan: ClusterPlan = cluster_plan(chance.child("scenario"))
        database = Database(world)
        troubles = Troubles(world)
        checks = ClusterChecks(world, database, troubles)
        super().__init__(world, chance, plan.scenario, database, checks)
        self.cluster_plan = plan
        self.database = database
        self.nodes: list[Node] = []
        self._cluster_checks = checks
        self._node_count = node_count
        self._broker = Broker(world)
        self._balancer = chance.child("balancer")
        self._lives = 0
        self._done = False
        self.outages = Outages(self, chance.child("outages"), troubles)
        self._troubles = troubles

    # nodes

    def start_node(self) -> None:
        """Another process, whose clock is wrong by as much as the plan has it."""
        self._lives += 1
        skew = self._balancer.choice(self.cluster_plan.skews)
        life = Life(self.world, self.chance, self._lives, skew)
        node = Node(self.world, life, self.database, self._broker, self.checks, self._wallet, self.node_gone)
        node.bus_way.lost_one_in = self.cluster_plan.lost_bus_message
        node.bus_way.late_one_in = node.store_way.late_one_in = self.cluster_plan.slow_way
        node.store.on_answered = lambda: self._compare(node)
        self._cluster_checks.skews[node.node_id] = skew
        self.nodes.append(node)
        self.outages.appeared(node)
        self._troubles.started(node)

    def node_gone(self, node: Node) -> None:
        """Whatever it had in memory is lost; another process follows."""
        if node not in self.nodes:
            return
        self.nodes.remove(node)
        node.end()
        for watcher in self.watchers:
            watcher.cut_from(node.life)
        self.world.after(self._balancer.between(0, 2 * NS), self.start_node)

    def _deliver(self, request: Request, receive: Receive) -> None:
        node = self._any_node()
        if node is None:
            receive(AWAY)
        else:
            node.take(request, receive)

    def _host(self) -> Node | None:
        return self._any_node()

    def _any_node(self) -> Node | None:
        ready = [node for node in self.nodes if node.ready]
        return self._balancer.choice(ready) if ready else None

    def actors(self) -> list[TableActor]:
        owners = self.database.owners
        return [
            actor
            for node in self.nodes
            for actor in node.room.tables()
            if owners.of(actor.table_id) == node.node_id
        ]

    def _compare(self, node: Node) -> None:
        if self.checks.hands_ended >= self.plan.hands:
            self._end()
        owners = self.database.owners
        self.checks.compare(
            [actor for actor in node.room.tables() if owners.of(actor.table_id) == node.node_id]
        )

    # the run

    def run(self) -> None:
        """Until everything has ended, or something is wrong."""
        for _ in range(self._node_count):
            self.start_node()
        self.outages.begin()
        self.world.after(LOOK, self._look)
        self._play(lambda: None)

    def _look(self) -> None:
        self._cluster_checks.look(self.nodes)
        self._done = self.ending is not None and self.ending.quiet()
        self.world.after(LOOK, self._look)

    def _over(self) -> bool:
        return self._done

    def _end(self) -> None:
        super()._end()
        self.outages.mend()

    def stop(self) -> None:
        """Nothing is left that goes on."""
        for node in self.nodes:
            node.end()


@contextmanager
def _in_simulated_time(world: World, chance: Chance) -> Iterator[None]:
    """What forwards calls has its own clock and chance."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(forwarding, "monotonic", lambda: world.now / NS))
        stack.enter_context(patch.object(forwarding, "_chance", _Uniform(chance)))
        stack.enter_context(patch.object(cluster, "_log", Told(world)))
        yield


class _Uniform:
    """As much of a random generator as is asked for."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def uniform(self, least: float, most: float) -> float:
        return self._chance.between(round(least * NS), round(most * NS)) / NS


def simulate_cluster(seed: int, node_count: int = 3) -> Result:
    """Play the scenario of a seed with several nodes."""
    run = ClusterRun(seed, node_count)
    with limits(run.plan), _in_simulated_time(run.world, run.chance.child("forwarding")):
        run.run()
        run.stop()
    run.world.faults.update(run.database.owners.counts)
    return run.result(seed)
