"""One node's store: its queue, its lease, and its way to the database, as the PostgreSQL one has them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

from tests.fakes.memory_store import Done
from tests.fakes.memory_tables import table_of
from tests.simulation.database import LEASE, Database
from tests.simulation.life import Life
from tests.simulation.statements import STATEMENT, Replaced, Statements
from tests.simulation.ways import LOST, Connection, Way
from tests.simulation.world import World

from croupier.adapters.units.queue import MOST_UNITS
from croupier.room.cluster_ports import Node, Owner, Place
from croupier.room.failures import StoreAway
from croupier.room.ledger import require_sound
from croupier.room.ports import Failed, Outcome, TableJournal, Unit

RENEWAL: Final = LEASE // 4


class NodeStore:
    """A `Store` and a `Fleet`. `on_replaced` is called once, should another node have the tables."""

    room = "simulated"

    def __init__(
        self,
        world: World,
        database: Database,
        way: Way,
        node_id: str,
        on_replaced: Callable[[], None],
    ) -> None:
        self.node_id = node_id
        self.figures = SimpleNamespace(clock_ahead_s=0.0)
        self.on_answered: Callable[[], None] = lambda: None
        self._world = world
        self._database = database
        self._way = way
        self._life: Life = way.life
        self._on_replaced = on_replaced
        self._waiting: deque[tuple[Unit, Done] | Coroutine[Any, Any, None]] = deque()
        self._busy = False
        self._replaced = False
        self._halted: set[str] = set()
        self._statements = Statements(world, database, way, node_id)
        self._reader: Connection | None = None

    async def open(self) -> None:
        """Become a node. Raises StoreAway."""
        await self._read(self._database.join, self.node_id)
        await self._errand(lambda: self._statements.reconnect())
        self._world.at(self._world.now + RENEWAL, self._life, self._renew)

    def lapsed(self) -> bool:
        return self._world.now > self._statements.renewed + LEASE

    # what is written

    def submit(self, unit: Unit, done: Done) -> None:
        require_sound(unit)
        self._waiting.append((unit, done))
        self._go_on()

    async def recover(self, table_id: str) -> TableJournal | None:
        await self._errand(lambda: self._resume(table_id))
        return await self.journal(table_id)  # type: ignore[no-any-return]

    async def index_hands(self, hands: Any) -> None:
        await self._errand(lambda: self._statements.run(lambda: _value(self._database.index_hands(hands))))

    async def set_serving(self, serving: bool) -> None:
        row = self._database.rows[self.node_id]
        await self._errand(lambda: self._statements.run(lambda: setattr(row, "serving", serving)))

    async def log_read(self, number: int) -> None:
        row = self._database.rows[self.node_id]
        await self._errand(lambda: self._statements.run(lambda: setattr(row, "log_read", number)))

    async def claim(self, table_ids: Sequence[str]) -> list[TableJournal]:
        await self._errand(lambda: self._claim(table_ids))
        return await self._read(self._database.journals, self.node_id, table_ids)  # type: ignore[no-any-return]

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        await self._errand(
            lambda: self._statements.run(lambda: self._database.hand_over(self.node_id, moves))
        )
        kept = await self._read(self._database.owned, self.node_id)
        return {one for one in moves if one not in kept}

    async def close(self) -> None:
        """Write what waits, then let others go on at once."""
        await self._errand(lambda: self._statements.run(lambda: self._database.give_back(self.node_id)))

    def end(self) -> None:
        """With its process."""
        for item in self._waiting:
            if not isinstance(item, tuple):
                item.close()

    # what is read

    async def nodes(self) -> list[Node]:
        return await self._read(self._database.nodes, self.node_id)  # type: ignore[no-any-return]

    async def owner(self, table_id: str) -> Owner:
        return await self._read(self._database.owner, table_id)  # type: ignore[no-any-return]

    async def owned(self) -> list[str]:
        return await self._read(self._database.owned, self.node_id)  # type: ignore[no-any-return]

    async def ownerless_tables(self) -> list[str]:
        return await self._read(self._database.ownerless_tables)  # type: ignore[no-any-return]

    async def listed(
        self, after: tuple[int, str], limit: int, houses: Sequence[str] | None = None
    ) -> list[Place]:
        return await self._read(self._database.listed, after, limit, houses)  # type: ignore[no-any-return]

    async def chips_at(self, player_id: str, house_id: str) -> list[str]:
        return await self._read(self._database.chips_at, player_id, house_id)  # type: ignore[no-any-return]

    async def behind(self, number: int) -> list[str]:
        return await self._read(self._database.behind, self.node_id, number)  # type: ignore[no-any-return]

    async def open_tables(self) -> list[TableJournal]:
        return await self._read(self._database.journals, self.node_id)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        """Whatever else the port can read."""
        method = getattr(self._database, name)

        async def read(*arguments: Any, **more: Any) -> Any:
            return await self._read(lambda: _value(method(*arguments, **more)))

        return read

    async def _read(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Once more over another connection where the one had been lost. Raises StoreAway."""
        for _ in range(2):
            if self._reader is None or self._reader.over:
                self._reader = await self._way.connect()
            if self._reader is not None:
                found = await self._reader.ask(lambda: work(*arguments), STATEMENT)
                if found is not LOST:
                    return found
        raise StoreAway("the database cannot be reached")

    # the queue

    async def _errand(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Between two commits, after what was submitted before. Raises StoreAway."""
        ended = self._life.future()

        async def run() -> None:
            failure = None
            try:
                if self._replaced:
                    raise Replaced
                await work()
            except Replaced:
                self._give_up()
                failure = StoreAway("this node was replaced")
            except ConnectionError as lost:
                failure = StoreAway(str(lost))
            if not ended.done():
                ended.set_result(failure)

        self._waiting.append(run())
        self._go_on()
        failure = await ended
        if failure is not None:
            raise failure

    def _go_on(self) -> None:
        if not self._busy:
            self._busy = True
            self._life.spawn(self._work())

    async def _work(self) -> None:
        while self._waiting:
            if not isinstance(self._waiting[0], tuple):
                errand = self._waiting.popleft()
                assert not isinstance(errand, tuple)
                await errand
                continue
            batch: list[tuple[Unit, Done]] = []
            while self._waiting and len(batch) < MOST_UNITS and isinstance(self._waiting[0], tuple):
                item = self._waiting.popleft()
                assert isinstance(item, tuple)
                batch.append(item)
            outcomes = await self._write([unit for unit, _ in batch])
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                done(outcome)
            self.on_answered()
        self._busy = False

    async def _write(self, units: list[Unit]) -> Sequence[Outcome]:
        why = "this node was replaced"
        try:
            if not self._replaced:
                halted = self._halted
                return await self._statements.run(lambda: self._database.write(self.node_id, units, halted))  # type: ignore[no-any-return]
        except Replaced:
            self._world.faults["fenced write"] += len(units)
            self._give_up()
        except ConnectionError as lost:
            why = str(lost)
        self._halted.update(table_of(unit) for unit in units if unit.created is None and table_of(unit))
        return [Failed(why) for _ in units]

    async def _resume(self, table_id: str) -> None:
        self._halted.discard(table_id)

    async def _claim(self, table_ids: Sequence[str]) -> None:
        connection = await self._statements.ready()
        await connection.ask(lambda: self._database.declare_dead(self.node_id, table_ids), STATEMENT)
        await self._statements.run(lambda: self._database.claim_free(self.node_id, table_ids))
        self._halted.difference_update(table_ids)

    def _renew(self) -> None:
        """A store that writes anyway needs no renewal."""
        if self._replaced:
            return
        if not self._busy and self._world.now - self._statements.renewed >= RENEWAL // 2:
            self._life.spawn(self._renew_now())
        self._world.at(self._world.now + RENEWAL, self._life, self._renew)

    async def _renew_now(self) -> None:
        try:
            await self._errand(lambda: self._statements.run(lambda: None))
        except StoreAway:
            return

    def _give_up(self) -> None:
        if not self._replaced:
            self._replaced = True
            self._on_replaced()


def _value(work: Any) -> Any:
    """What a coroutine of the memory store comes to, which waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise asyncio.InvalidStateError("the memory store waits for something")
