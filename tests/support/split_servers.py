"""Servers that see each other in the store, on a bus within the process that comes apart under them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, cast

from tests.fakes.memory_fleet import MemoryFleet, MemoryTables
from tests.fakes.simulated_runtime import NS, SimulatedRuntime
from tests.support.buses import LocalBus, Wires

from croupier.room.cluster_ports import Fleet, NobodyThere
from croupier.room.hearing import DEAF_FIRST_NS, DEAF_NS, LOOK_NS, MOST_TURN_NS, UNHEARD_NS, Hearing
from croupier.room.link import Link
from croupier.room.listing import ListedTable
from croupier.room.membership import Membership
from croupier.room.node_calls import Describe, NodeCalls
from croupier.room.ports import TableJournal
from croupier.room.services import Services
from croupier.room.subjects import Subjects

TABLES: Final = [f"{number:020x}" for number in range(60)]
SUBJECTS: Final = Subjects("test")
MANY = 60
"""Far more than are asked at once."""
NOTICED_S: Final = (UNHEARD_NS + 3 * LOOK_NS) / NS
GIVEN_S: Final = NOTICED_S + (DEAF_FIRST_NS + MOST_TURN_NS) / NS + 4
"""Two more looks, and what the membership takes."""
DEAF_S: Final = (DEAF_NS + 2 * LOOK_NS) / NS + 2


class SplitBus(LocalBus):
    """Carries nothing to another `side`, and says so unless it is `silent`."""

    side = 0
    silent = False
    asked: ClassVar[Counter[str]] = Counter()

    async def request(self, subject: str, data: bytes, timeout_s: float) -> bytes:
        self.asked[subject] += 1
        served = self._wires.served.get(subject)
        if served is None or cast("SplitBus", served.bus).side == self.side:
            return await super().request(subject, data, timeout_s)
        if self.silent:
            raise TimeoutError
        raise NobodyThere


class Server:
    """A node, and the tables that it has."""

    def __init__(self, tables: MemoryTables, wires: Wires, number: int) -> None:
        name = f"node-{number:03}"
        self.fleet = MemoryFleet(tables, name)
        self.bus = SplitBus(wires)
        self.here: set[str] = set()
        self._runtime = runtime = tables.runtime
        self._calls = NodeCalls(Link(cast("Services", None), self.bus, SUBJECTS, name))
        self._calls.answer_by(Describe, self._described)
        fleet = cast("Fleet", self.fleet)
        self.membership = Membership(runtime, fleet, self.bus, self, self)
        self.hearing = Hearing(runtime, fleet, self._calls, self.membership)
        runtime.spawn(self._begin())

    async def _begin(self) -> None:
        await self.bus.serve(SUBJECTS.node(self.fleet.node_id), self._calls.answer)
        self._runtime.spawn(self.membership.run())
        self._runtime.spawn(self.hearing.run())

    async def _described(self, _: Describe) -> list[ListedTable]:
        return []

    def deafen(self) -> None:
        """Nobody can ask it any more, itself included; it can ask."""
        self._served = self.bus._wires.served.pop(SUBJECTS.node(self.fleet.node_id))

    def heal(self) -> None:
        self.bus._wires.served[SUBJECTS.node(self.fleet.node_id)] = self._served

    def die(self) -> None:
        self.fleet.alive = False
        self.here.clear()
        self.bus.cut()

    def hosted(self) -> list[str]:
        return sorted(self.here)

    async def take(self, journals: Sequence[TableJournal]) -> None:
        self.here.update(journal.table_id for journal in journals)

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        self.here -= moves.keys()
        await self.fleet.hand_over(moves)

    def claimed(self, tables: int) -> None: ...

    def store_failed(self, _: Exception) -> None: ...


class Servers:
    """So many, who have known each other for a while."""

    def __init__(self, runtime: SimulatedRuntime, count: int) -> None:
        self.runtime = runtime
        self.tables = MemoryTables(runtime, dict.fromkeys(TABLES, ""))
        self._wires = Wires()
        self.all: list[Server] = []
        for _ in range(count):
            self.add()

    def add(self) -> Server:
        """One more, of another name than any before."""
        self.all.append(Server(self.tables, self._wires, len(self.all)))
        return self.all[-1]

    @classmethod
    async def settled(cls, runtime: SimulatedRuntime, count: int) -> Servers:
        made = cls(runtime, count)
        await runtime.sleep(30)
        return made

    def split(self, *sides: int) -> None:
        for server, side in zip(self.all, sides, strict=True):
            server.bus.side = side

    def mend(self) -> None:
        self.split(*[0] * len(self.all))

    def unheard(self) -> list[int]:
        return [len(server.hearing.unheard) for server in self.all]

    def serving(self) -> list[bool]:
        return [server.fleet.node_id in self.tables.serving for server in self.all]

    def held(self) -> set[str]:
        """By the servers that take tables."""
        return {table for server in self.all for table in server.here}
