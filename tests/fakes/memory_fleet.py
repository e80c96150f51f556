"""A store that knows of nothing but nodes and owners of tables, for as many servers as a test makes of it.

Times are the simulation's. What is asked of it is counted, since a store has only so much to give.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.fakes.simulated_runtime import NS, SimulatedRuntime

from croupier.adapters.postgres.own_node import SHARED_LEASE_S
from croupier.room.cluster_ports import Node, Owner
from croupier.room.failures import StoreAway
from croupier.room.ports import Record, TableJournal

LEASE = round(SHARED_LEASE_S * NS)
FIRST = Record("", 0, 1, 1, b"", b"", 0, "", "", 1, b"")


@dataclass
class MemoryTables:
    """Owners by table, leases by node; `claims` are those that were won, with when and by whom."""

    runtime: SimulatedRuntime
    owners: dict[str, str] = field(default_factory=dict)
    """Changed by `move` alone."""
    closed: set[str] = field(default_factory=set)
    leases: dict[str, int] = field(default_factory=dict)
    serving: set[str] = field(default_factory=set)
    claims: list[tuple[int, str, str]] = field(default_factory=list)
    epochs: Counter[str] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    """Statements by tenth of a second."""
    rows: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._by_node: dict[str, dict[str, None]] = defaultdict(dict)
        for table_id, node_id in self.owners.items():
            self._by_node[node_id][table_id] = None

    def move(self, table_id: str, node_id: str) -> None:
        """A table has another owner, in another epoch."""
        self._by_node[self.owners[table_id]].pop(table_id)
        self._by_node[node_id][table_id] = None
        self.owners[table_id] = node_id
        self.epochs[table_id] += 1

    def of(self, node_id: str) -> list[str]:
        """The tables of one."""
        return list(self._by_node[node_id])

    def runs(self, node_id: str) -> bool:
        """Whether a node's lease does."""
        return self.leases.get(node_id, 0) > self.runtime.now()

    def count(self, rows: int) -> None:
        tenth = self.runtime.now() * 10 // NS
        self.asked[tenth] += 1
        self.rows[tenth] += rows

    def by_node(self) -> dict[str, set[str]]:
        """The tables of each."""
        return defaultdict(set, {node_id: {*tables} for node_id, tables in self._by_node.items()})

    def ownerless_tables(self) -> list[str]:
        """Those of nodes whose lease does not run."""
        gone = [node_id for node_id, tables in self._by_node.items() if tables and not self.runs(node_id)]
        return [table_id for node_id in gone for table_id in self._by_node[node_id]]


class MemoryFleet:
    """One node's `Fleet`. `alive` renews its lease with whatever it asks; `away` answers nothing."""

    def __init__(self, tables: MemoryTables, node_id: str) -> None:
        self.node_id = node_id
        self.alive = True
        self.away = False
        self._tables = tables
        self._renew()

    def lapsed(self) -> bool:
        return not self._tables.runs(self.node_id)

    async def nodes(self) -> list[Node]:
        self._renew()
        tables = self._tables
        running = sorted(node_id for node_id in tables.leases if tables.runs(node_id))
        tables.count(len(running))
        return [Node(node_id, f"{node_id}:50051", node_id in tables.serving) for node_id in running]

    async def set_serving(self, serving: bool) -> None:
        self._renew()
        self._tables.count(1)
        (self._tables.serving.add if serving else self._tables.serving.discard)(self.node_id)

    async def owner(self, table_id: str) -> Owner:
        self._renew()
        tables = self._tables
        tables.count(1)
        if table_id not in tables.owners or table_id in tables.closed:
            return Owner(None, open=False)
        node_id = tables.owners[table_id]
        node = Node(node_id, f"{node_id}:50051", True) if tables.runs(node_id) else None
        return Owner(node, open=True)

    async def owned(self) -> list[str]:
        self._renew()
        found = self._tables.of(self.node_id)
        self._tables.count(len(found))
        return found

    async def ownerless_tables(self) -> list[str]:
        self._renew()
        tables = self._tables
        found = tables.ownerless_tables()
        tables.count(len(found))
        return found

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        self._renew()
        tables = self._tables
        won = [
            table_id
            for table_id in table_ids
            if table_id not in tables.closed
            and (tables.owners[table_id] == self.node_id or not tables.runs(tables.owners[table_id]))
        ]
        for table_id in won:
            if tables.owners[table_id] != self.node_id:
                tables.leases.pop(tables.owners[table_id], None)
                tables.claims.append((tables.runtime.now(), table_id, self.node_id))
            tables.move(table_id, self.node_id)
        tables.count(len(table_ids))
        return [TableJournal(table_id, FIRST, [FIRST], tables.epochs[table_id]) for table_id in won]

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        self._renew()
        tables = self._tables
        tables.count(len(moves))
        moved = set()
        for table_id, node_id in moves.items():
            if tables.owners[table_id] == self.node_id and (not node_id or tables.runs(node_id)):
                tables.move(table_id, node_id)
                moved.add(table_id)
        return moved

    def _renew(self) -> None:
        if self.away or not self.alive:
            raise StoreAway("the store cannot be reached")
        self._tables.leases[self.node_id] = self._tables.runtime.now() + LEASE
