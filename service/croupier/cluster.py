"""One server among several on one store: its part of the room, tied to the others over the bus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from croupier.adapters import nats_opening
from croupier.adapters.logs import get_logger
from croupier.adapters.metrics import ClusterLook, ClusterMetrics, Metrics
from croupier.adapters.nats_opening import BusUnusable
from croupier.adapters.rpc.answering import Answering
from croupier.adapters.rpc.forwarding import Forwarding
from croupier.adapters.rpc.play_stream import PlayStreams
from croupier.adapters.rpc.server import RpcServer
from croupier.adapters.runtime import begin
from croupier.config import Settings
from croupier.feeding import Feeding
from croupier.room.actor import TableActor
from croupier.room.everyone import Everyone
from croupier.room.failures import StoreAway
from croupier.room.hearing import Hearing
from croupier.room.hosting import Hosting
from croupier.room.link import Link
from croupier.room.listing import ListedTable
from croupier.room.membership import Membership
from croupier.room.node_calls import Describe, HandedOver, LogGrown, NodeCall, NodeCalls, Where
from croupier.room.reach import Reach
from croupier.room.room import Room
from croupier.room.room_news import RoomNews
from croupier.room.services import Services
from croupier.room.subjects import Subjects

if TYPE_CHECKING:
    from croupier.adapters.postgres import PostgresStore

FIRST_BUS_S: Final = 5.0
"""How long a start waits for the bus; without it the server begins with what it is asked for directly."""
MEET_S: Final = 0.2
UNHEARD_S: Final = 3.0
"""Servers that died are no longer there after so long."""
LEAVE_S: Final = 5.0
LEASE_LOOK_S: Final = 0.1

_log = get_logger()


class Cluster:
    """`join` before tables are recovered, `meet` and `begin` before calls are taken, `leave` before they are not."""

    def __init__(
        self,
        settings: Settings,
        store: PostgresStore,
        services: Services,
        room: Room,
        metrics: Metrics,
    ) -> None:
        """Raises BusUnusable."""
        self._room = room
        self._address = settings.advertised
        self.bus = nats_opening.bus(
            settings.bus,
            settings.bus_credentials,
            store.node_id,
            metrics.bus_dropped,
            lambda kind: self._metrics.unreadable(kind),
        )
        self._link = Link(services, self.bus, Subjects(store.room), store.node_id)
        self._store = store
        self._registry = metrics.registry
        self._tasks: list[asyncio.Task[Any]] = []
        self._begun = False
        """Whether there are tables that others may have to go on with."""
        self._feeding: Feeding | None = None
        if settings.feed:
            self._feeding = Feeding(settings.feed, store, self.bus, room, services, metrics.registry)

    async def join(self, rpc: RpcServer, play: PlayStreams) -> None:
        """Be found by the others, and find them. Raises StoreAway, BusUnusable."""
        services, link, gate = self._link.services, self._link, rpc.gate
        self._rpc = rpc
        if self._feeding is not None:
            await self._feeding.join()
        answering = Answering(gate, self._room.has, self._store.lapsed, self._address)
        calls = NodeCalls(link)
        self._hosting = Hosting(self._room, self._store, link, calls, answering.answer, self)
        self.membership = Membership(services.runtime, self._store, self.bus, self._hosting, self)
        self._hearing = Hearing(services.runtime, self._store, calls, self.membership)
        self._metrics = ClusterMetrics(self._registry, self._look)
        if not await self.bus.start(FIRST_BUS_S):
            if self.bus.refused:
                raise BusUnusable(f"the bus cannot be used: {self.bus.refused}; see --bus")
            _log.warning("bus_not_there_yet", node=link.node_id)
        self._forwarding = Forwarding(
            gate,
            self.bus,
            link.subjects,
            self._room.has,
            self._store.lapsed,
            self.membership.locate,
            self._metrics.forwarded,
        )
        gate.router = self._forwarding
        services.reach = Reach(
            services.runtime,
            self.bus,
            self._store,
            lambda: len(self.membership.nodes) < 2,
            lambda: bool(self._hearing.unheard),
        )
        self._room.join(link)
        everyone = self._everyone = Everyone(services.runtime, calls)
        log = self._room.share(self._store, everyone)
        self.membership.on_look = log.look
        calls.answer_by(HandedOver, self._hosting.take_handed_over)
        calls.answer_by(Describe, self._room.local.described)
        calls.answer_by(Where, self._room.local.where)
        calls.answer_by(LogGrown, log.grown)
        news = RoomNews(link, play.opened, play.missed)
        told_before = self._room.on_opened

        def opened(actor: TableActor) -> None:
            told_before(actor)
            self._hosting.opened(actor.table_id)
            news.tell(actor)

        self._room.on_opened = opened
        self._room.on_gone = self._hosting.closed
        await self.bus.serve(link.subjects.node(link.node_id), calls.answer)
        await news.begin()

    async def meet(self, waiting: Callable[[str], None]) -> None:
        """Return once one of the servers that serve answers over the bus, or there are none. Raises StoreAway.

        On a bus that is not the others' this server would take tables that nobody reaches. `waiting` is told why it
        does not begin.
        """
        began = time.monotonic()
        while self.bus.connected:
            nodes = await self._store.nodes()
            others = [node.node_id for node in nodes if node.serving and node.node_id != self._link.node_id]
            calls: dict[str, NodeCall] = dict.fromkeys(others, Describe([]))
            if not others or await self._everyone.heard(calls, list[ListedTable]):
                return
            if time.monotonic() - began > UNHEARD_S:
                waiting(
                    f"of this store's servers {len(others)} serve, and none answers on the bus at {self.bus.place}:"
                    " give every server the same one"
                )
            await asyncio.sleep(MEET_S)

    async def begin(self) -> int:
        """Take the tables that are nobody's and belong here; how many. Raises StoreAway."""
        await self.membership.look()
        self._tasks.append(begin(self.membership.run()))
        self._tasks.append(begin(self._hearing.run()))
        self._begun = True
        self._tasks.append(begin(self._mind()))
        if self._feeding is not None:
            self._feeding.begin(self.membership)
        return len(self._hosting.hosted())

    @property
    def cut_off(self) -> str:
        """Why callers fare better at other servers, where they do."""
        if not self.membership.cut_off:
            return ""
        if self._hearing.deaf:
            return (
                f"NATS at {self.bus.place} lets nobody ask this server: let its user subscribe to croupier.> there;"
                " the others play this server's tables meanwhile"
            )
        if self.bus.connected:
            return (
                f"NATS at {self.bus.place} says of each of the store's others that it is not there: mend the routes"
                f" between NATS servers, or permissions; the others play this server's tables meanwhile"
            )
        return (
            f"the bus at {self.bus.place} cannot be reached from here, and other servers reach it: mend the"
            " way there; they play this server's tables meanwhile"
        )

    async def leave(self) -> bool:
        """Have others go on with every table; False where there is nobody who would."""
        if not self._begun or not self.membership.others:
            return False
        self._hearing.end()
        try:
            async with asyncio.timeout(LEAVE_S):
                await self.membership.leave()
        except (StoreAway, TimeoutError) as failure:
            _log.error("tables_not_handed_over", why=str(failure) or "the store does not answer")
        return True

    async def _mind(self) -> None:
        """Answer nothing for tables that others may own by now, until the store says that they do not.

        Callers are sent elsewhere while this server alone is without its bus.
        """
        doubted, connected, cut_off = False, True, self.membership.cut_off
        unheard: tuple[str, ...] = ()
        while True:
            await asyncio.sleep(LEASE_LOOK_S)
            if bool(unheard) is not bool(self._hearing.unheard):
                self._tell_unheard(self._hearing.unheard)
            unheard = self._hearing.unheard
            if self.bus.connected and not unheard and not connected:
                self._hosting.reached_again()
            connected = self.bus.connected and not unheard
            if cut_off is not self.membership.cut_off:
                cut_off = self.membership.cut_off
                _log.warning("cut_off_from_the_bus" if cut_off else "bus_reached_again", bus=self.bus.place)
                await self._rpc.serving(not cut_off)
            lapsed = self._store.lapsed()
            if lapsed and not doubted:
                _log.warning("lease_lapsed", node=self._link.node_id)
                self._hosting.doubt()
                self._forwarding.doubt()
            elif doubted and not lapsed:
                _log.info("lease_proven", node=self._link.node_id)
                self._hosting.trust()
            doubted = lapsed

    def _tell_unheard(self, unheard: tuple[str, ...]) -> None:
        if unheard:
            _log.warning("servers_not_heard", bus=self.bus.place, nodes=", ".join(unheard))
        elif self.bus.connected and self._hearing.hears:
            _log.info("all_servers_heard", bus=self.bus.place)
        elif self.bus.connected and not self.membership.others:
            _log.warning("no_other_server_serves", bus=self.bus.place)

    async def close(self) -> None:
        """Hear and tell nothing more."""
        for task in self._tasks:
            task.cancel()
        if self._feeding is not None:
            await self._feeding.close()
        await self.bus.close()

    # What moves

    def taken_over(self, ns: int) -> None:
        self._metrics.taken_over(ns)

    def handed_over(self, tables: int) -> None:
        self._metrics.handed_over(tables)

    def claimed(self, tables: int) -> None:
        _log.info("tables_claimed", node=self._link.node_id, tables=tables)

    def store_failed(self, failure: Exception) -> None:
        self._link.services.observer.store_failed(failure)

    def table_not_taken(self, table_id: str, failure: Exception) -> None:
        self._metrics.not_taken_over()
        _log.error("table_not_taken_over", table_id=table_id, exc_info=failure)

    def _look(self) -> ClusterLook:
        """For a scrape."""
        figures, nodes = self._store.figures, self.membership.nodes
        serving = sum(node.serving for node in nodes)
        return ClusterLook(
            serving=serving,
            not_serving=len(nodes) - serving,
            ownerless=self.membership.ownerless,
            fenced_units=figures.fenced_units,
            declared_dead=figures.declared_dead,
            lease_remaining_s=figures.lease_remaining_s,
            late_renewals=figures.late_renewals,
            clock_skew_s=figures.clock_ahead_s - (time.time_ns() - self._link.services.runtime.now()) / 1e9,
            bus_connected=self.bus.connected,
            unheard=len(self._hearing.unheard),
            followers=len(self._room.followers or ()),
            follower_gaps=self._room.followers.gaps if self._room.followers is not None else 0,
        )
