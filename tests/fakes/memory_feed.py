"""A feed without a bus: how far it is, kept beside a MemoryStore, and a publisher that can be away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.fakes.memory_store import MemoryStore

from croupier.room.hand_ports import HandPlace
from croupier.room.outbox_ports import WALLETS, Fed, FeedAway, FeedIsAnother, FeedStanding, Share, Unfed
from croupier.room.ports import LedgerEntry, Runtime
from croupier.room.records import HandRecord


class MemoryFeed:
    """The room's FeedStore, for a server that has all tables."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.name = ""
        self.telling = 1
        self.places: dict[str, Fed] = {}

    def tell_again(self, name: str) -> None:
        self.name = name
        self.telling += 1
        self.places.clear()

    async def begin_feed(self, name: str) -> None:
        self.name = self.name or name
        self._must_be(name)

    async def unfed(self, name: str, share: Share, limit: int) -> FeedStanding:
        assert share.count == 1
        self._must_be(name)
        tables = [self._unfed(table_id) for table_id in self._store._tables]
        behind = [one for one in tables if one.since or one.closed or self._sets(one.fed)]
        return FeedStanding(self.telling, bool(self.places), self._place(WALLETS), behind[:limit])

    async def hands_after(self, table_id: str, hand_number: int, limit: int) -> list[HandPlace]:
        return [place for place in self._hands(table_id) if place.hand_number > hand_number][:limit]

    async def sets_after(self, table_id: str, entry_id: int, limit: int) -> list[LedgerEntry]:
        entries = self._sets(Fed(table_id, 0, entry_id))
        names = list(dict.fromkeys(entry.entry_set_id for entry in entries))[:limit]
        return [entry for entry in entries if entry.entry_set_id in names]

    async def note_fed(self, telling: int, fed: Sequence[Fed]) -> None:
        for one in fed if telling == self.telling else ():
            known = self._place(one.table_id)
            hands, entries = max(known.hands, one.hands), max(known.entries, one.entries)
            self.places[one.table_id] = Fed(one.table_id, hands, entries, known.over or one.over)

    def _must_be(self, name: str) -> None:
        if name != self.name:
            raise FeedIsAnother(self.name)

    def _place(self, table_id: str) -> Fed:
        return self.places.get(table_id, Fed(table_id, 0, 0))

    def _unfed(self, table_id: str) -> Unfed:
        fed, hands = self._place(table_id), self._hands(table_id)
        later = [place for place in hands if place.hand_number > fed.hands]
        table = self._store._tables[table_id]
        indexed = not self._store.indexed.missing({table_id: table.records})
        last = hands[-1].hand_number if hands else 0
        since = later[0].ended_time if later else 0
        return Unfed(fed, table.row.house_id, table.closed and not fed.over, last, since, indexed)

    def _hands(self, table_id: str) -> list[HandPlace]:
        known = self._store.indexed.hands.values()
        places = [one.place for one in known if one.place.table_id == table_id]
        return sorted(places, key=lambda place: place.hand_number)

    def _sets(self, fed: Fed) -> list[LedgerEntry]:
        entries = self._store._entries
        return [entry for entry in entries if entry.table_id == fed.table_id and entry.entry_id > fed.entries]


class Kept:
    """A publisher that keeps what it is told, in order; `fails` says of each message whether it is lost.

    What is lost may have been kept: `fails` answers "lost", or "unanswered" where it was.
    """

    def __init__(self, runtime: Runtime, fails: Callable[[], str] = str) -> None:
        self._runtime = runtime
        self._fails = fails
        self.names: list[str] = []
        self.hands: dict[str, HandRecord] = {}
        self.there = False
        self.prepared = 0

    async def prepare(self, *, begun: bool) -> None:
        self.prepared += 1
        if self._fails() == "lost" or (begun and not self.there):
            raise FeedAway("away")
        self.there = True

    def lose(self) -> None:
        """All that it holds."""
        self.there = False
        self.names.clear()
        self.hands.clear()

    async def hand(self, record: HandRecord) -> None:
        name = f"{record.place.table_id}/{record.place.hand_number}"
        await self._keep(name)
        self.hands[name] = record

    async def entry_set(self, entries: Sequence[LedgerEntry]) -> None:
        assert sum(entry.amount for entry in entries) == 0
        await self._keep(entries[0].entry_set_id)

    async def _keep(self, name: str) -> None:
        await _turn(self._runtime)
        fails = self._fails() if self.there else "lost"
        if fails != "lost":
            self.names.append(name)
        if fails:
            raise FeedAway("away")

    @property
    def first(self) -> list[str]:
        """Each thing once, in the order in which it was there first."""
        return list(dict.fromkeys(self.names))


async def _turn(runtime: Runtime) -> None:
    """As over a network: others go on meanwhile."""
    waiter = runtime.future()
    runtime.call_at(runtime.now() + 1000, lambda: waiter.set_result(None))
    await waiter
