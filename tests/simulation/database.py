"""The store that all nodes share: it judges by node, owner and epoch, as the PostgreSQL one does, by its own clock.

Everything here happens within one step, when a node's message has arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.fakes.memory_tables import MemoryTable, key_of, table_of
from tests.simulation.durable import Durable
from tests.simulation.life import START
from tests.simulation.owners import Owners
from tests.simulation.world import NS, World

from croupier.adapters.postgres.own_node import SHARED_LEASE_S
from croupier.room.cluster_ports import Node, Owner, Place
from croupier.room.ports import DURABLE, Failed, Outcome, TableJournal, Unit

LEASE: Final = round(SHARED_LEASE_S * NS)


class Dead:
    """What a node is answered that another has declared dead."""


DEAD: Final = Dead()


@dataclass
class NodeRow:
    """One node. `connection` is the number of the one it writes over, `last` what its last statement came to."""

    node_id: str
    expires: int
    unbroken_since: int
    connection: int = 0
    commits: int = 0
    serving: bool = False
    dead: bool = False
    log_read: int = 0
    last: object = None


class Database(Durable):
    """`owners` is told of every change of owner, and of who wrote what."""

    def __init__(self, world: World) -> None:
        super().__init__(lambda: START + world.now)
        self.rows: dict[str, NodeRow] = {}
        self.owners = Owners(world, self.runs)
        self._world = world

    # nodes

    def join(self, node_id: str) -> None:
        now = self._world.now
        self.rows[node_id] = NodeRow(node_id, now + LEASE, now)

    def connected(self, node_id: str, commits: int) -> Any:
        """Write over another connection: its number, the commits so far, and what the last came to if it is news."""
        row = self.rows[node_id]
        if row.dead:
            return DEAD
        row.connection += 1
        self._renew(row)
        return row.connection, row.commits, row.last if row.commits > commits else None

    def execute(self, node_id: str, connection: int, commits: int, statement: Callable[[], object]) -> object:
        """A statement that proves whose it is, and renews the lease. DEAD for whoever may not write."""
        row = self.rows[node_id]
        if not self.may_write(row, connection, commits):
            return DEAD
        self._renew(row)
        row.last = statement()
        row.commits += 1
        return row.last

    @staticmethod
    def may_write(row: NodeRow, connection: int, commits: int) -> bool:
        return not row.dead and (row.connection, row.commits) == (connection, commits)

    def _renew(self, row: NodeRow) -> None:
        if row.expires <= self._world.now:
            row.unbroken_since = self._world.now
        row.expires = self._world.now + LEASE

    def runs(self, node_id: str) -> bool:
        """Whether a node's lease does."""
        row = self.rows.get(node_id)
        return row is not None and not row.dead and row.expires > self._world.now

    def nodes(self, asking: str) -> list[Node]:
        return [
            Node(one, f"{one}:1", row.serving)
            for one, row in sorted(self.rows.items())
            if self.runs(one) or (one == asking and not row.dead)
        ]

    def give_back(self, node_id: str) -> None:
        row = self.rows[node_id]
        row.expires, row.serving, row.dead = self._world.now, False, True

    # owners

    def owner(self, table_id: str) -> Owner:
        table = self._tables.get(table_id)
        if table is None or table.closed:
            return Owner(None, open=False)
        node_id = table.owner
        node = Node(node_id, f"{node_id}:1", self.rows[node_id].serving) if self.runs(node_id) else None
        return Owner(node, open=True)

    def owned(self, node_id: str) -> list[str]:
        return [one for one, table in self._open() if table.owner == node_id]

    def ownerless_tables(self) -> list[str]:
        return [one for one, table in self._open() if not self.runs(table.owner)]

    def open_ids(self) -> list[str]:
        return [one for one, _ in self._open()]

    def _open(self) -> Iterable[tuple[str, MemoryTable]]:
        return [(one, table) for one, table in self._tables.items() if not table.closed]

    def listed(self, after: tuple[int, str], limit: int, houses: Sequence[str] | None) -> list[Place]:
        places = [
            Place(
                table.row.created_time, one, table.row.house_id, table.owner if self.runs(table.owner) else ""
            )
            for one, table in self._open()
            if houses is None or table.row.house_id in houses
        ]
        return sorted((one for one in places if one.order > after), key=lambda one: one.order)[:limit]

    def chips_at(self, player_id: str, house_id: str) -> list[str]:
        return [
            one
            for one, table in self._open()
            if house_id in ("", table.row.house_id)
            and any(
                chips and name.startswith(f"stack/{one}/") and self._owners[name] == player_id
                for (name, _), chips in self._balances.items()
            )
        ]

    def behind(self, node_id: str, number: int) -> list[str]:
        owning = {table.owner for _, table in self._open()}
        return [
            one
            for one, row in sorted(self.rows.items())
            if one != node_id and not row.dead and row.log_read < number and (self.runs(one) or one in owning)
        ]

    def declare_dead(self, node_id: str, table_ids: Iterable[str]) -> None:
        """Owners whose lease has run out write nothing more; by a node whose own was unbroken for a whole one."""
        own, now = self.rows[node_id], self._world.now
        if not self.runs(node_id) or own.unbroken_since > now - LEASE:
            return
        for table_id in table_ids:
            table = self._tables.get(table_id)
            row = self.rows.get(table.owner) if table is not None and not table.closed else None
            if row is not None and row is not own and not row.dead and self.has_run_out(row):
                row.dead = True

    def has_run_out(self, row: NodeRow) -> bool:
        return row.expires <= self._world.now

    def claim_free(self, node_id: str, table_ids: Iterable[str]) -> None:
        """Take those that are nobody's."""
        for table_id in table_ids:
            table = self._tables.get(table_id)
            if table is None or table.closed:
                continue
            row = self.rows.get(table.owner)
            if row is None or row.dead:
                self._move(table_id, table, node_id, handed_over=False)

    def hand_over(self, node_id: str, moves: Mapping[str, str]) -> None:
        for table_id, to in moves.items():
            table = self._tables[table_id]
            if table.owner != node_id or table.closed:
                continue
            if not to or (self.runs(to) and self.rows[to].serving):
                self._move(table_id, table, to, handed_over=True)

    def _move(self, table_id: str, table: MemoryTable, to: str, *, handed_over: bool) -> None:
        table.owner, table.epoch = to, table.epoch + 1
        self.owners.moved(table_id, to, handed_over=handed_over)

    def journals(self, node_id: str, table_ids: Iterable[str] | None = None) -> list[TableJournal]:
        """Of a node's tables, all or some."""
        wanted = None if table_ids is None else set(table_ids)
        return [
            self._journal(table)
            for one, table in self._open()
            if table.owner == node_id and (wanted is None or one in wanted)
        ]

    # units

    def write(self, node_id: str, units: Iterable[Unit], halted: set[str]) -> list[Outcome]:
        """Outcomes one a unit. `halted` are the tables of which the node has lost a unit, and not recovered."""
        self._halted = halted
        return [self._write_one(node_id, unit) for unit in units]

    def _write_one(self, node_id: str, unit: Unit) -> Outcome:
        table_id = table_of(unit)
        table = self._tables.get(table_id)
        if table is not None and table_id not in self._halted and self.elsewhere(node_id, table, unit):
            self.owners.fenced(node_id, table_id)
            return Failed(self._fail(unit, f"table {table_id} has another owner").why, fenced=True)
        if unit.request is not None and key_of(unit.request) in self._requests:
            return Failed(self._fail(unit, "the request is answered").why, repeated=True)
        outcome = self._write(unit)
        if outcome is DURABLE:
            if unit.created is not None:
                self._tables[table_id].owner = node_id
                self.owners.moved(table_id, node_id, handed_over=False)
            if table_id:
                self.owners.wrote(node_id, table_id, [record.epoch for record in unit.records])
            self.on_durable(unit)
        return outcome

    @staticmethod
    def elsewhere(node_id: str, table: MemoryTable, unit: Unit) -> bool:
        """Whether a unit is not of the owner's, or not of its epoch."""
        return table.owner != node_id or any(record.epoch != table.epoch for record in unit.records)
