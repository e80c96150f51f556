"""The feed of one server among several: settled hands and ledger entries, from the store to a stream of NATS."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from croupier.adapters.metrics.feed import FeedLook, FeedMetrics
from croupier.room.failures import StoreAway
from croupier.room.membership import Membership
from croupier.room.outbox import FeedSources, Outbox
from croupier.room.outbox_ports import FeedIsAnother, Share
from croupier.room.room import Room
from croupier.room.services import Services
from croupier.room.subjects import Subjects

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from croupier.adapters.nats import NatsBus
    from croupier.adapters.postgres import PostgresStore

_NOTE_S: Final = 1.0


class Feeding:
    """`join` before tables are recovered, `begin` once there are some, `close` before bus and store are."""

    def __init__(
        self,
        name: str,
        store: PostgresStore,
        bus: NatsBus,
        room: Room,
        services: Services,
        registry: CollectorRegistry,
    ) -> None:
        from croupier.adapters.nats import NatsFeed, Stream

        self._name = name
        self._store = store
        self._services = services
        self._metrics = FeedMetrics(registry, lambda: FeedLook(self._outbox.lag_hands, self._outbox.lag_ns))
        subjects = Subjects(store.room)
        publisher = NatsFeed(Stream(bus, name, subjects.feed), subjects)
        sources = FeedSources(store.feed, room.records, room.hands)
        self._outbox = Outbox(name, services.runtime, sources, publisher, self._share, self)
        self._membership: Membership | None = None

    async def join(self) -> None:
        """Raises StoreAway, and RuntimeError where the store's feed is another."""
        try:
            await self._store.feed.begin_feed(self._name)
        except FeedIsAnother as another:
            raise RuntimeError(str(another)) from None

    def begin(self, membership: Membership) -> None:
        """Tell what is not told, from now on."""
        self._membership = membership
        self._services.runtime.spawn(self._outbox.run())

    async def close(self) -> None:
        """Let whoever goes on know how far it is; nothing is told any more."""
        with contextlib.suppress(StoreAway, TimeoutError):
            async with asyncio.timeout(_NOTE_S):
                await self._outbox.note()

    def _share(self) -> Share:
        """Among those that take tables, this one always being one."""
        others = self._membership.others if self._membership is not None else []
        names = sorted({self._store.node_id, *others})
        return Share(names.index(self._store.node_id), len(names))

    # What it comes to

    def fed(self, kind: str) -> None:
        self._metrics.fed(kind)

    def feed_failed(self, failure: Exception, *, expected: bool) -> None:
        self._metrics.feed_failed(failure, expected=expected)

    def store_failed(self, failure: Exception) -> None:
        self._services.observer.store_failed(failure)
