"""The tables that this server has among several: taken, served to callers of others, and handed on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.cluster_ports import NO_NODE, BusAway, Ending, Fleet, Unanswered
from croupier.room.link import Link
from croupier.room.node_calls import MOST_TOLD, HandedOver, NodeCalls
from croupier.room.ports import TableJournal
from croupier.room.room import Room

TOLD_S: Final = 1.0
"""How long another server may take to go on with tables that were handed over to it."""
MOST_HANDED_OVER: Final = 65_536
"""Tables of which is remembered that they were handed over."""
_RETRY_NS: Final = 200 * NS_PER_MS
_AT_ONCE: Final = 16
"""Tables taken before whatever else waits has its turn."""

Answer = Callable[[bytes], Awaitable[bytes]]


class HostingObserver(Protocol):
    """Told of tables that come and go."""

    def taken_over(self, ns: int) -> None:
        """A table goes on here, so long after the lease of its last owner ran out."""
        ...

    def handed_over(self, tables: int) -> None:
        """Others have so many tables from here."""
        ...

    def table_not_taken(self, table_id: str, failure: Exception) -> None: ...


class Hosting:
    """A Membership's Host. `answer` carries out the calls for a table that were made to other servers."""

    def __init__(
        self,
        room: Room,
        fleet: Fleet,
        link: Link,
        calls: NodeCalls,
        answer: Answer,
        observer: HostingObserver,
    ) -> None:
        self._room = room
        self._fleet = fleet
        self._link = link
        self._calls = calls
        self._answer = answer
        self._observer = observer
        self._served: dict[str, Ending | None] = {}
        """What each table's calls are served by; None while that is being set up."""
        self._taking: set[str] = set()
        """Tables that are about to be here."""
        self._handed_over: dict[str, int] = {}
        """Tables that were here, and in which epoch: a claim that comes by the same one was overtaken."""

    def hosted(self) -> list[str]:
        return self._room.hosted()

    async def take(self, journals: Sequence[TableJournal]) -> None:
        """Go on with tables that are this server's now, each apart from the others, and by one claim alone."""
        now = self._link.services.runtime.now
        began = now()
        journals = [journal for journal in journals if self._comes(journal)]
        left = {journal.table_id for journal in journals}
        self._taking |= left
        self._room.hands.expect(left)
        try:
            for number, journal in enumerate(journals):
                try:
                    await self._room.take(journal)
                except Exception as failure:
                    self._observer.table_not_taken(journal.table_id, failure)
                else:
                    self._handed_over.pop(journal.table_id, None)
                    self.opened(journal.table_id)
                    if journal.ownerless_ns:
                        self._observer.taken_over(journal.ownerless_ns + now() - began)
                left.discard(journal.table_id)
                self._taking.discard(journal.table_id)
                if number % _AT_ONCE == _AT_ONCE - 1:
                    await pause(self._link.services.runtime, 0)
        finally:
            self._taking -= left
        await self._room.hands.catch_up({journal.table_id for journal in journals})

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        """Stop between two actions, hand over what is written, and let those know who go on. Raises StoreAway."""
        for table_id in moves:
            self.closed(table_id)
            self._handed_over[table_id] = self._room.release(table_id)
        moved: set[str] = set()
        try:
            moved = await self._fleet.hand_over(moves)
        finally:
            self._forget_handed_over(moves.keys() - moved)
        self._observer.handed_over(len(moved))
        by_node: dict[str, list[str]] = {}
        for table_id, node_id in moves.items():
            if table_id in moved:
                by_node.setdefault(node_id, []).append(table_id)
        for node_id, table_ids in by_node.items():
            if node_id != NO_NODE:
                self._link.services.runtime.spawn(self._tell(node_id, table_ids))
        kept = [table_id for table_id in moves if table_id not in moved]
        if kept:
            await self.take(await self._fleet.claim(kept))

    async def take_handed_over(self, call: HandedOver) -> None:
        """Another server has handed tables over to this one. Raises StoreAway."""
        await self.take(await self._fleet.claim(call.table_ids))

    def _comes(self, journal: TableJournal) -> bool:
        """Whether the table is neither here, nor about to be, nor another's since it was claimed."""
        table_id = journal.table_id
        if self._room.has(table_id):
            self.opened(table_id)
            return False
        return table_id not in self._taking and journal.epoch > self._handed_over.get(table_id, -1)

    def _forget_handed_over(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            self._handed_over.pop(table_id, None)
        while len(self._handed_over) > MOST_HANDED_OVER:
            del self._handed_over[next(iter(self._handed_over))]

    def opened(self, table_id: str) -> None:
        """A table is here: calls for it that others are made come here."""
        if table_id not in self._served:
            self._served[table_id] = None
            self._link.services.runtime.spawn(self._serve(table_id))

    def closed(self, table_id: str) -> None:
        """A table is here no longer: whoever has the store can tell of it."""
        serving = self._served.pop(table_id, None)
        if serving is not None:
            self._link.services.runtime.spawn(serving.end())

    def doubt(self) -> None:
        """Others may own these tables by now: their calls are not waited for here."""
        for table_id in list(self._served):
            self.closed(table_id)

    def trust(self) -> None:
        """They are this server's after all."""
        for table_id in self.hosted():
            self.opened(table_id)
        self.reached_again()

    def reached_again(self) -> None:
        """Callers get here again: whoever has to act gets the whole time again."""
        for actor in self._room.tables():
            if not actor.halted:
                actor.schedule.time_again()

    async def _tell(self, node_id: str, table_ids: Sequence[str]) -> None:
        """Whoever is not told finds out by looking."""
        for begin in range(0, len(table_ids), MOST_TOLD):
            some = list(table_ids[begin : begin + MOST_TOLD])
            with suppress(Unanswered, TimeoutError):
                await self._calls.ask(node_id, HandedOver(some), type(None), TOLD_S)

    async def _serve(self, table_id: str) -> None:
        while table_id in self._served:
            try:
                serving = await self._link.bus.serve(self._link.subjects.calls(table_id), self._answer)
            except BusAway:
                await pause(self._link.services.runtime, _RETRY_NS)
                continue
            if self._served.get(table_id, serving) is None:
                self._served[table_id] = serving
            else:
                await serving.end()
            return
