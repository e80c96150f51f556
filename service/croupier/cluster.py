"""One server among several on one store: its part of the room, tied to the others over the bus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from croupier.adapters import nats_opening
from croupier.adapters.logs import get_logger
from croupier.adapters.rpc.answering import Answering
from croupier.adapters.rpc.forwarding import Forwarding
from croupier.adapters.rpc.gate import Gate
from croupier.config import Settings
from croupier.room.failures import StoreAway
from croupier.room.hosting import Hosting
from croupier.room.membership import Membership
from croupier.room.room import Room
from croupier.room.services import Services
from croupier.room.subjects import Subjects
from croupier.room.table_news import Link

if TYPE_CHECKING:
    from croupier.adapters.postgres import PostgresStore

BUS_S: Final = 5.0
"""How long a start waits for the bus; without it the server begins with what it is asked for directly."""
LEAVE_S: Final = 5.0

_log = get_logger()


class Cluster:
    """`join` before tables are recovered, `begin` before calls are taken, `leave` before they are not."""

    def __init__(
        self,
        settings: Settings,
        store: PostgresStore,
        services: Services,
        room: Room,
        dropped: Callable[[], None],
    ) -> None:
        """Raises BusUnusable."""
        self._room = room
        self._address = settings.advertised
        self.bus = nats_opening.bus(settings.bus, settings.bus_credentials, store.node_id, dropped)
        self._link = Link(services, self.bus, Subjects(store.room), store.node_id)
        self._store = store
        self._tasks: list[asyncio.Task[Any]] = []

    async def join(self, gate: Gate) -> None:
        """Be found by the others, and find them. Raises StoreAway."""
        services, link = self._link.services, self._link
        if not await self.bus.start(BUS_S):
            _log.warning("bus_not_there_yet", node=link.node_id)
        answering = Answering(gate, self._room.has, self._address)
        self._hosting = Hosting(self._room, self._store, link, answering.answer, self)
        self.membership = Membership(services.runtime, self._store, self.bus, self._hosting, self)
        gate.router = Forwarding(gate, self.bus, link.subjects, self._room.has, self.membership.locate)
        self._room.join(link)
        told_before = self._room.on_opened

        def opened(actor: Any) -> None:
            told_before(actor)
            self._hosting.opened(actor.table_id)

        self._room.on_opened = opened
        self._room.on_gone = self._hosting.closed
        await self.bus.serve(link.subjects.node(link.node_id), self._hosting.given)

    async def begin(self) -> int:
        """Take the tables that are nobody's and belong here; how many. Raises StoreAway."""
        await self.membership.look()
        self._tasks.append(asyncio.create_task(self.membership.run()))
        return len(self._hosting.hosted())

    async def leave(self) -> bool:
        """Have others go on with every table; False where there is nobody who would."""
        if not self.membership.others:
            return False
        try:
            async with asyncio.timeout(LEAVE_S):
                await self.membership.leave()
        except (StoreAway, TimeoutError) as failure:
            _log.error("tables_not_handed_over", why=str(failure) or "the store does not answer")
        return True

    async def close(self) -> None:
        """Hear and tell nothing more."""
        for task in self._tasks:
            task.cancel()
        await self.bus.close()

    # What moves

    def took_over(self, tables: int) -> None:
        _log.info("tables_taken_over", node=self._link.node_id, tables=tables)

    def store_failed(self, failure: Exception) -> None:
        self._link.services.observer.store_failed(failure)

    def table_not_taken(self, table_id: str, failure: Exception) -> None:
        _log.error("table_not_taken_over", table_id=table_id, exc_info=failure)
