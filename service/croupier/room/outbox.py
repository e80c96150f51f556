"""What is settled, told to a feed: at least once, and in order for each table. The store says how far that is.

A table's next hand or entry set goes out once the one before is known to be kept there; how far it is, is noted some
time later, so that whoever goes on begins with what was told already. Several servers that tell of one table thus
change nothing in the order in which each thing is there first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.failures import StoreAway
from croupier.room.hand_index import HandIndex
from croupier.room.outbox_ports import (
    WALLETS,
    Fed,
    FeedAway,
    FeedIsAnother,
    FeedStanding,
    FeedStore,
    OutboxObserver,
    Publisher,
    Share,
    Unfed,
)
from croupier.room.ports import LedgerEntry, Runtime
from croupier.room.records import Records

LOOK_NS: Final = 500 * NS_PER_MS
TABLES_AT_ONCE: Final = 64
MOST_CLOSED: Final = 256
"""Closed tables of one look."""
UNINDEXED_LOOKS: Final = 20
"""Every so often a look has the hands of closed tables indexed that whoever closed them left so."""
_HANDS: Final = 16
_SETS: Final = 64
"""What is read at a time."""


class FeedSources:
    """Where what is told comes from: the store, hands as they ended, and the index of them."""

    def __init__(self, store: FeedStore, records: Records, index: HandIndex) -> None:
        self.store: Final = store
        self.records: Final = records
        self.index: Final = index


class Outbox:
    """`run` looks for what is to be told, and tells many tables' at once, until it is cancelled."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        sources: FeedSources,
        publisher: Publisher,
        share: Callable[[], Share],
        observer: OutboxObserver,
    ) -> None:
        """`share` is this server's part of what no server owns, as things stand."""
        self._name = name
        self._runtime = runtime
        self._store = sources.store
        self._sources = sources
        self._publisher = publisher
        self._share = share
        self._observer = observer
        self._ready = False
        self._looks = 0
        self._looked: list[Unfed] = []
        self._telling = 0
        self._waiting: dict[str, Unfed] = {}
        self._under_way: set[str] = set()
        self._workers = 0
        self._places: dict[str, Fed] = {}
        """How far tables are, of this telling; those of the last look, and those under way."""
        self._unnoted: dict[str, Fed] = {}

    @property
    def lag_hands(self) -> int:
        """Settled hands of this server's tables that are not known to be kept, as of the last look."""
        return sum(max(0, one.last_hand - self._place(one).hands) for one in self._looked)

    @property
    def lag_ns(self) -> int:
        """Since when the oldest of them waits."""
        waiting = [one.since for one in self._looked if one.last_hand > self._place(one).hands]
        return self._runtime.now() - min(waiting) if waiting else 0

    async def run(self) -> None:
        """For ever; what fails is tried again at the next look."""
        while True:
            try:
                await self.look()
            except StoreAway as failure:
                self._observer.store_failed(failure)
            except (FeedAway, FeedIsAnother) as failure:
                self._observer.feed_failed(failure, expected=True)
            await pause(self._runtime, LOOK_NS)

    async def look(self) -> None:
        """Note how far things are, and begin to tell what is not told. Raises StoreAway, FeedAway, FeedIsAnother."""
        await self.note()
        share = self._share()
        standing = await self._store.unfed(self._name, share, MOST_CLOSED)
        self._take_up(standing)
        await self._index_what_was_left()
        await self._prepare(standing)
        wallets = [_unfed_wallets(standing)] if share.place == 0 else []
        self._waiting = {one.fed.table_id: one for one in (*wallets, *self._looked)}
        for _ in range(min(TABLES_AT_ONCE - self._workers, len(self._waiting))):
            self._workers += 1
            self._runtime.spawn(self._work())

    def _take_up(self, standing: FeedStanding) -> None:
        if standing.telling != self._telling:
            self._telling = standing.telling
            self._places.clear()
            self._unnoted.clear()
        self._looked = list(standing.tables)
        kept = {WALLETS, *self._under_way, *(one.fed.table_id for one in self._looked)}
        self._places = {table_id: fed for table_id, fed in self._places.items() if table_id in kept}

    async def note(self) -> None:
        """Have the store know how far tables are told. Raises StoreAway."""
        unnoted, self._unnoted = self._unnoted, {}
        if not unnoted:
            return
        try:
            await self._store.note_fed(self._telling, list(unnoted.values()))
        except BaseException:
            self._unnoted = unnoted | self._unnoted
            raise

    async def _prepare(self, standing: FeedStanding) -> None:
        if self._ready:
            return
        await self._publisher.prepare(begun=standing.begun or bool(self._places))
        self._ready = True

    async def _index_what_was_left(self) -> None:
        """Where a server died before it wrote the last hands of a table that it had closed, none has its journal."""
        self._looks += 1
        left = {one.fed.table_id for one in self._looked if one.closed and not one.indexed}
        if left and self._looks % UNINDEXED_LOOKS == 0:
            await self._sources.index.catch_up(left)

    async def _work(self) -> None:
        try:
            while self._ready and self._waiting:
                unfed = self._waiting.pop(next(iter(self._waiting)))
                if unfed.fed.table_id not in self._under_way:
                    await self._tell_and_answer_for_it(unfed)
        finally:
            self._workers -= 1

    async def _tell_and_answer_for_it(self, unfed: Unfed) -> None:
        table_id = unfed.fed.table_id
        self._under_way.add(table_id)
        try:
            await self._tell(unfed)
        except StoreAway as failure:
            self._waiting.clear()
            self._observer.store_failed(failure)
        except FeedAway as failure:
            self._ready = False
            self._observer.feed_failed(failure, expected=True)
        except Exception as failure:  # the other tables go on
            self._observer.feed_failed(failure, expected=False)
        finally:
            self._under_way.discard(table_id)

    async def _tell(self, unfed: Unfed) -> None:
        """All that a table has, or the wallets. Raises FeedAway, StoreAway."""
        telling, fed = self._telling, self._place(unfed)
        if fed.table_id != WALLETS:
            fed = await self._tell_hands(telling, fed)
        fed = await self._tell_sets(telling, fed)
        if unfed.closed and unfed.indexed:
            self._moved(telling, msgspec.structs.replace(fed, over=True))

    async def _tell_hands(self, telling: int, fed: Fed) -> Fed:
        while places := await self._store.hands_after(fed.table_id, fed.hands, _HANDS):
            for record in await self._sources.records.as_ended(places):
                await self._publisher.hand(record)
                fed = msgspec.structs.replace(fed, hands=record.place.hand_number)
                self._moved(telling, fed)
                self._observer.fed("hand")
        return fed

    async def _tell_sets(self, telling: int, fed: Fed) -> Fed:
        while entries := await self._store.sets_after(fed.table_id, fed.entries, _SETS):
            for one in _by_set(entries):
                await self._publisher.entry_set(one)
                fed = msgspec.structs.replace(fed, entries=one[-1].entry_id)
                self._moved(telling, fed)
                self._observer.fed("entry_set")
        return fed

    def _place(self, unfed: Unfed) -> Fed:
        """How far a table is by now: as the store knew at the last look, or further."""
        looked = unfed.fed
        known = self._places.get(looked.table_id, looked)
        return Fed(looked.table_id, max(looked.hands, known.hands), max(looked.entries, known.entries))

    def _moved(self, telling: int, fed: Fed) -> None:
        if telling == self._telling:
            self._places[fed.table_id] = self._unnoted[fed.table_id] = fed


def _unfed_wallets(standing: FeedStanding) -> Unfed:
    """They have no hands, and are never closed."""
    return Unfed(standing.wallets, house_id="", closed=False, last_hand=0, since=0, indexed=True)


def _by_set(entries: list[LedgerEntry]) -> list[list[LedgerEntry]]:
    """Those of each set, which are neighbours."""
    sets: list[list[LedgerEntry]] = []
    for entry in entries:
        if sets and sets[-1][0].entry_set_id == entry.entry_set_id:
            sets[-1].append(entry)
        else:
            sets.append([entry])
    return sets
