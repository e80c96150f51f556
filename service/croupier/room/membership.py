"""One server's part among several: which tables it takes, which it hands over, and where one is to be found.

It looks at the store twice a second. What it believes makes nothing unsafe: the store judges every claim and write.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol

from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.cluster_ports import NO_NODE, Bus, Fleet, Node
from croupier.room.failures import StoreAway
from croupier.room.placement import Placement
from croupier.room.ports import PendingAnswer, Runtime, TableJournal

LOOK_NS: Final = 500 * NS_PER_MS
"""Half as much again at most lies between two looks."""
SETTLED_LOOKS: Final = 4
"""Tables are moved for balance once the servers have been the same for so many looks."""
MOST_MOVES: Final = 64
"""Tables that are moved for balance at one look."""
MOST_CLAIMS: Final = 256
"""Tables that are claimed by one statement."""
STRAYS_LOOKS: Final = 10
"""Every so often a look finds tables that are this server's by the store, and not here."""
WITHOUT_BUS_NS: Final = 1_000 * NS_PER_MS
"""A server whose bus is away for so long hands its tables over to those that have theirs.

All lose a bus that is down within half a second or so, and say at once that they take no tables.
"""
_BUS_LOOK_NS: Final = 100 * NS_PER_MS
_SEEK_NS: Final = 20 * NS_PER_MS
_BYTES_OF_CHANCE: Final = 2


class Host(Protocol):
    """The tables that are here."""

    def hosted(self) -> list[str]: ...

    async def take(self, journals: Sequence[TableJournal]) -> None:
        """Go on with tables that are this server's now."""
        ...

    async def hand_over(self, moves: Mapping[str, str]) -> None:
        """Let other servers go on with tables of this one, NO_NODE for whoever claims them."""
        ...


class MembershipObserver(Protocol):
    """Told of what moves."""

    def claimed(self, tables: int) -> None: ...

    def store_failed(self, failure: Exception) -> None: ...


class Membership:
    """`run` looks until `leave`."""

    def __init__(
        self, runtime: Runtime, fleet: Fleet, bus: Bus, host: Host, observer: MembershipObserver
    ) -> None:
        self._runtime = runtime
        self._fleet = fleet
        self._bus = bus
        self._host = host
        self._observer = observer
        self.nodes: list[Node] = []
        """All that run, as of the last look."""
        self.others: list[str] = []
        """The others that take tables."""
        self._placed: tuple[list[str], Placement] = ([], Placement(()))
        self.ownerless = 0
        """Open tables on which nobody's lease ran, as of the last look."""
        self._serving = False
        self._leaving = False
        self.on_look: Callable[[], Awaitable[None]] | None = None
        """Awaited at each look."""
        self._looks = 0
        """Since strays were looked for."""
        self._same_looks = 0
        self.apart = False
        """Whether the bus is there, and carries nothing between this server and those that take tables."""
        self._connected = False
        self._connected_since = runtime.now() - WITHOUT_BUS_NS
        """Since when the bus is of use, or is not."""
        self.cut_off = False
        """Whether the bus is of no use here, while others that take tables have it."""
        self._sought: dict[str, list[PendingAnswer]] = {}

    def _reaches(self) -> bool:
        """Whether the bus is of use here."""
        return self._bus.connected and not self.apart

    async def run(self) -> None:
        """For ever; what fails is tried again at the next look."""
        while not self._leaving:
            try:
                await self.look()
            except StoreAway as failure:
                self._observer.store_failed(failure)
                self._looks = STRAYS_LOOKS  # tables may have been let go of, and not moved
            chance = int.from_bytes(self._runtime.entropy(_BYTES_OF_CHANCE))
            await self._rest(LOOK_NS + LOOK_NS * chance // (2 << 8 * _BYTES_OF_CHANCE))

    async def _rest(self, span: int) -> None:
        """Until the next look, which is sooner where the bus comes or goes, or has been away for long enough."""
        until = self._runtime.now() + span
        if not self._connected and not self.cut_off and self.others:
            soon = self._runtime.now() + _BUS_LOOK_NS
            until = min(until, max(soon, self._connected_since + WITHOUT_BUS_NS))
        while (left := until - self._runtime.now()) > 0 and self._reaches() is self._connected:
            await pause(self._runtime, min(left, _BUS_LOOK_NS))

    async def look(self) -> None:
        """Take what is nobody's and belongs here, hand over what belongs elsewhere. Raises StoreAway."""
        self._looks += 1
        now, connected = self._runtime.now(), self._reaches()
        if connected is not self._connected:
            self._connected, self._connected_since = connected, now
        await self._say(serving=connected and not self._leaving)
        await self._find_others()
        others = self.others
        long = now - self._connected_since >= WITHOUT_BUS_NS
        self.cut_off = not connected and long and bool(others)
        if self.cut_off and not self._leaving:
            await self._claim_strays()  # handed over to this server when it could not be told any more
            await self._host.hand_over(dict.fromkeys(self._host.hosted(), NO_NODE))
        if self.on_look is not None:
            await self.on_look()
        if self._leaving:
            return
        ownerless_tables = await self._fleet.ownerless_tables()
        self.ownerless = len(ownerless_tables)
        if not connected:
            return
        placement = self._placement([self._fleet.node_id, *others])
        await self._claim(placement.of(self._fleet.node_id, ownerless_tables))
        if self._looks >= STRAYS_LOOKS:
            self._looks = 0
            await self._claim_strays()
        if self._same_looks >= SETTLED_LOOKS:
            moves = placement.elsewhere(self._fleet.node_id, self._host.hosted())
            some = dict(list(moves.items())[:MOST_MOVES])
            if some:
                await self._host.hand_over(some)

    async def locate(self, table_id: str) -> bool:
        """Where the server that had a table does not answer: whether it is to be served here now.

        A table that is nobody's is claimed; one that is closed, or that nobody knows, may be told of by anyone. Else
        another has it, or will soon. Raises StoreAway.
        """
        waiter = self._runtime.future()
        waiting = self._sought.get(table_id)
        if waiting is None:
            self._sought[table_id] = [waiter]
            self._runtime.spawn(self._seek(table_id))
        else:
            waiting.append(waiter)
        found = await waiter
        if isinstance(found, Exception):
            raise found
        here: bool = found
        return here

    async def _seek(self, table_id: str) -> None:
        """For all who wait, any of whom may go: a claim that was begun must be gone on with."""
        found: bool | Exception
        try:
            found = await self._find(table_id)
        except Exception as failure:
            found = failure
        for waiter in self._sought.pop(table_id):
            if not waiter.done():
                waiter.set_result(found)

    async def _find(self, table_id: str) -> bool:
        owner = await self._fleet.owner(table_id)
        if not owner.open:
            return True
        others_take_it = self._leaving or (not self._reaches() and self.others)
        if others_take_it or (owner.node is not None and owner.node.node_id != self._fleet.node_id):
            await pause(self._runtime, _SEEK_NS)
            return False
        await self._claim([table_id])
        return table_id in self._host.hosted()

    async def give_way(self) -> None:
        """Be apart, and say so at once: of several who are, some are to stay. Raises StoreAway."""
        self.apart = True
        await self._say(serving=False)

    async def leave(self) -> None:
        """Hand every table over, at once. Raises StoreAway."""
        self._leaving = True
        await self._say(serving=False)
        await self._find_others()
        hosted = self._host.hosted()
        if hosted:
            placement = self._placement(self.others)
            await self._host.hand_over({table_id: placement.node_of(table_id) for table_id in hosted})

    def _placement(self, node_ids: Sequence[str]) -> Placement:
        """Made anew only where the servers are others than before."""
        nodes = sorted(node_ids)
        if nodes != self._placed[0]:
            self._placed = (nodes, Placement(nodes))
        return self._placed[1]

    async def _say(self, *, serving: bool) -> None:
        if serving is not self._serving:
            await self._fleet.set_serving(serving)
            self._serving = serving

    async def _find_others(self) -> None:
        nodes = await self._fleet.nodes()
        self._same_looks = self._same_looks + 1 if nodes == self.nodes else 0
        self.nodes = nodes
        own = self._fleet.node_id
        self.others = [node.node_id for node in nodes if node.serving and node.node_id != own]

    async def _claim(self, table_ids: Sequence[str]) -> None:
        for begin in range(0, len(table_ids), MOST_CLAIMS):
            journals = await self._fleet.claim(table_ids[begin : begin + MOST_CLAIMS])
            if journals:
                self._observer.claimed(len(journals))
                await self._host.take(journals)

    async def _claim_strays(self) -> None:
        """Those that are this server's by the store, and not here."""
        here = set(self._host.hosted())
        await self._claim([table_id for table_id in await self._fleet.owned() if table_id not in here])
