"""`python -m tests.simulation.fleet`: many servers and very many tables on one simulated store; no hand is played.

Tells how evenly tables lie, how long those of dead servers are without one, and what the store is asked meanwhile, at
most in a tenth of a second and on average: servers that all came at once would show as a multiple of it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import quantiles
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.fakes.memory_fleet import MemoryFleet, MemoryTables
from tests.fakes.simulated_runtime import NS, SimulatedLoop, SimulatedRuntime

from croupier.room import membership
from croupier.room.membership import Membership
from croupier.room.placement import Placement
from croupier.room.ports import TableJournal

STATEMENT_S = 0.001
ROW_S = 0.000_002
TAKE_S = 0.000_6
"""What a table takes that is read and folded."""


class Phase(NamedTuple):
    """What a change came to: seconds to each table's new server, and statements in a tenth of a second."""

    name: str
    waits: list[float]
    most: int
    usual: float
    fewest: int
    fullest: int

    def told(self) -> str:
        waits = "nothing taken over"
        if len(self.waits) > 1:
            cut = quantiles(self.waits, n=100)
            times = f"p50 {cut[49]:.2f}, p99 {cut[98]:.2f}, at most {max(self.waits):.2f} s"
            waits = f"{len(self.waits):,} taken over: {times}"
        return (
            f"{self.name:<28} {waits}; statements in 0.1 s: {self.most} at most, {self.usual:.0f} usually;"
            f" tables a server {self.fewest} to {self.fullest}"
        )


class Wire:
    """A bus that is there."""

    connected = True


class Slow(MemoryFleet):
    """Statements take their time."""

    def __init__(self, tables: MemoryTables, node_id: str, runtime: SimulatedRuntime) -> None:
        super().__init__(tables, node_id)
        self._slow = runtime

    async def nodes(self) -> Any:
        await self._slow.sleep(STATEMENT_S)
        return await super().nodes()

    async def ownerless_tables(self) -> list[str]:
        found = await super().ownerless_tables()
        await self._slow.sleep(STATEMENT_S + ROW_S * len(found))
        return found

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        won = await super().claim(table_ids)
        await self._slow.sleep(STATEMENT_S + 10 * ROW_S * len(won))
        return won


class Node:
    """A server without calls."""

    def __init__(self, fleet: Fleet, number: int) -> None:
        self.store = Slow(fleet.tables, f"host-{number}/{1000 + number}/{number:08x}", fleet.runtime)
        self.here: dict[str, None] = {}
        self._fleet = fleet
        self.membership = Membership(fleet.runtime, self.store, Wire(), self, self)  # type: ignore[arg-type]
        fleet.runtime.spawn(self.membership.run())

    def hosted(self) -> list[str]:
        return list(self.here)

    async def take(self, journals: Sequence[TableJournal]) -> None:
        for journal in journals:
            await self._fleet.runtime.sleep(TAKE_S)
            if self.store.alive:
                self.here[journal.table_id] = None
                self._fleet.taken[journal.table_id] = self._fleet.runtime.now()

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        by_name = self._fleet.by_name
        for table_id in await self.store.hand_over(moves):
            self.here.pop(table_id, None)
            if moves[table_id]:
                by_name[moves[table_id]].here[table_id] = None

    def claimed(self, tables: int) -> None: ...

    def store_failed(self, failure: Exception) -> None:
        if self.store.alive:
            raise failure


class Fleet:
    """All of them."""

    def __init__(self, runtime: SimulatedRuntime, table_count: int) -> None:
        self.runtime = runtime
        self.tables = MemoryTables(runtime, dict.fromkeys((f"{one:020x}" for one in range(table_count)), ""))
        self.by_name: dict[str, Node] = {}
        self.taken: dict[str, int] = {}
        self._count = 0

    def add(self, count: int) -> None:
        for _ in range(count):
            node = Node(self, self._count)
            self.by_name[node.store.node_id] = node
            self._count += 1

    def kill(self, count: int) -> list[str]:
        """The tables of servers that die at once."""
        lost = []
        for name in list(self.by_name)[:count]:
            node = self.by_name.pop(name)
            node.store.alive = False
            lost += list(node.here)
        return lost

    async def phase(self, name: str, seconds: float, lost: Sequence[str]) -> Phase:
        """What happens in the next seconds, in which every lost table must find a server."""
        began, asked = self.runtime.now(), self.tables.asked
        asked.clear()
        await self.runtime.sleep(seconds)
        waits = [
            (self.taken[table_id] - began) / NS for table_id in lost if self.taken.get(table_id, 0) > began
        ]
        if len(waits) < len(lost):
            raise AssertionError(f"{name}: {len(lost) - len(waits)} of {len(lost)} tables have no server")
        held = [len(node.here) for node in self.by_name.values()]
        if sum(held) != len(self.tables.owners):
            raise AssertionError(f"{name}: {sum(held)} tables are served of {len(self.tables.owners)}")
        return Phase(
            name, waits, max(asked.values()), sum(asked.values()) / (10 * seconds), min(held), max(held)
        )


async def played(table_count: int, node_count: int) -> list[Phase]:
    """Start, a death, a tenth dead at once, and as many new ones."""
    runtime = SimulatedRuntime(1)
    fleet = Fleet(runtime, table_count)
    some = max(1, node_count // 10)
    try:
        fleet.add(node_count)
        told = [await fleet.phase("all start at once", 20, list(fleet.tables.owners))]
        told.append(await fleet.phase("nothing happens", 20, ()))
        told.append(await fleet.phase("one dies", 10, fleet.kill(1)))
        told.append(await fleet.phase(f"{some} die at once", 10, fleet.kill(some)))
        fleet.add(some + 1)
        told.append(await fleet.phase(f"{some + 1} come", 60, ()))
    finally:
        await runtime.stop()
    return told


def simulated_fleet(table_count: int, node_count: int) -> list[Phase]:
    """Servers that see the same others place tables alike: that is worked out once here for all of them."""
    once = lru_cache(maxsize=64)(Placement)
    with (
        patch.object(membership, "Placement", lambda nodes: once(tuple(nodes))),
        asyncio.Runner(loop_factory=SimulatedLoop) as runner,
    ):
        return runner.run(played(table_count, node_count))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.fleet", description=__doc__)
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=200)
    asked = parser.parse_args()
    began = time.monotonic()
    for phase in simulated_fleet(asked.tables, asked.nodes):
        print(phase.told())
    print(f"{asked.tables:,} tables on {asked.nodes} servers, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
