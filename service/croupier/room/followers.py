"""The tables of other servers that are watched here, each followed once, as long as somebody watches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.engine.game import Game
from croupier.numbers import NS_PER_MS
from croupier.room.actor import TableActor
from croupier.room.clock import pause
from croupier.room.codec import JournalTooNew
from croupier.room.failures import StoreAway, TableHalted
from croupier.room.follower import Follower
from croupier.room.journal import created_by
from croupier.room.keeping import Keeping
from croupier.room.link import Link
from croupier.room.ports import PendingAnswer, Store, TableJournal
from croupier.room.watchers import Watchers

LOOK_NS: Final = 1_000 * NS_PER_MS
_RETRY_NS: Final = 500 * NS_PER_MS
_BACK: Final = 256
"""Records read at once on the way back to a checkpoint."""


class Followers:
    """`run` drops those that nobody watches, and has all of them read the store while the bus is away."""

    def __init__(self, link: Link, games: Mapping[str, Game]) -> None:
        self._link = link
        self._store = link.services.store
        self._runtime = link.services.runtime
        self._games = games
        self._kept: dict[str, Keeping] = {}
        self._beginning: dict[str, list[PendingAnswer]] = {}
        self._draining = False
        self._gaps_before = 0

    def __len__(self) -> int:
        return len(self._kept)

    def watchers(self) -> list[Watchers]:
        """Those who watch each table."""
        return [keeping.follower.watchers for keeping in self._kept.values()]

    @property
    def gaps(self) -> int:
        """How often records had been missed, which were then read from the store."""
        return self._gaps_before + sum(keeping.follower.gaps for keeping in self._kept.values())

    async def run(self) -> None:
        """For ever."""
        while True:
            await pause(self._runtime, LOOK_NS)
            away = not self._link.bus.connected
            for table_id, keeping in list(self._kept.items()):
                if keeping.follower.over or keeping.unwatched():
                    self._drop(table_id)
                elif away:
                    keeping.wake()

    def end_streams(self) -> None:
        """End every watcher's stream, once what waits for it is written, and those to come."""
        self._draining = True
        for keeping in self._kept.values():
            keeping.follower.watchers.end("SERVER_DRAINING")

    async def follower(self, table_id: str) -> Follower | None:
        """A table as another server plays it; None where there is no such table. Raises StoreAway."""
        while True:
            await self._begun(table_id)
            keeping = self._kept.get(table_id)
            if keeping is not None and keeping.follower.over:
                self._drop(table_id)
            elif keeping is not None:
                return keeping.follower
            elif not await self._begin(table_id):
                return None

    async def _begin(self, table_id: str) -> bool:
        """Whether there is such a table."""
        waiting = self._beginning[table_id] = list[PendingAnswer]()
        try:
            journal = await self._store.journal(table_id)
            if journal is None:
                return False
            await self._keep(journal, None)
            return True
        finally:
            self._let_go_on(table_id, waiting)

    async def _keep(self, journal: TableJournal, watchers: Watchers | None) -> None:
        try:
            game = self._games[created_by(journal.first).rules.game]
            keeping = Keeping(self._link, game, journal, watchers)
        except Exception as failure:
            self._link.services.observer.follower_failed(journal.table_id, failure)
            if isinstance(failure, JournalTooNew):
                raise StoreAway("a later version of the service plays the table") from failure
            raise TableHalted(journal.table_id) from failure
        await keeping.begin()
        self._kept[journal.table_id] = keeping
        if self._draining:
            keeping.follower.watchers.end("SERVER_DRAINING")

    async def _begun(self, table_id: str) -> None:
        """Return once nobody else is about to follow the table."""
        while (waiting := self._beginning.get(table_id)) is not None:
            waiter = self._runtime.future()
            waiting.append(waiter)
            await waiter

    def _let_go_on(self, table_id: str, waiting: list[PendingAnswer]) -> None:
        del self._beginning[table_id]
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)

    def _drop(self, table_id: str) -> None:
        keeping = self._kept.pop(table_id)
        self._gaps_before += keeping.follower.gaps
        keeping.end()

    # Tables that come and go

    async def give_to(self, actor: TableActor) -> None:
        """Hand those who watch a table on to its actor, once they know all that was done before it.

        The actor stands where the journal does, and does nothing yet.
        """
        table_id = actor.table_id
        await self._begun(table_id)
        keeping = self._kept.get(table_id)
        if keeping is None:
            return
        follower = keeping.follower
        try:
            if follower.next_record < actor.next_record:
                await follower.fill()
        except StoreAway:
            pass
        if follower.over or follower.next_record != actor.next_record:
            follower.watchers.end("SERVER_DRAINING")
        else:
            actor.take_watchers(follower.watchers)
        if self._kept.get(table_id) is keeping:
            self._drop(table_id)

    def take_from(self, actor: TableActor) -> None:
        """Go on telling those who watched a table that was played here."""
        watchers = actor.retire()
        if watchers:
            waiting = self._beginning[actor.table_id] = list[PendingAnswer]()
            self._runtime.spawn(self._take_over(actor.table_id, watchers, waiting))

    async def _take_over(self, table_id: str, watchers: Watchers, waiting: list[PendingAnswer]) -> None:
        """However often the store has to be asked."""
        try:
            while watchers:
                try:
                    journal = await journal_until(self._store, table_id, watchers.told)
                    if journal is not None:
                        await self._keep(journal, watchers)
                    return
                except StoreAway as failure:
                    self._link.services.observer.store_failed(failure)
                    await pause(self._runtime, _RETRY_NS)
        except Exception as failure:
            self._link.services.observer.follower_failed(table_id, failure)
            watchers.end("SERVER_DRAINING")
        finally:
            self._let_go_on(table_id, waiting)


async def journal_until(store: Store, table_id: str, last: int) -> TableJournal | None:
    """What a table is folded from as it stood after a record, or where its journal ends before that.

    Raises StoreAway.
    """
    journal = await store.journal(table_id)
    if journal is None or journal.tail[0].journal_sequence > last:
        return await _older(store, journal, last) if journal is not None else None
    tail = [record for record in journal.tail if record.journal_sequence <= last]
    return TableJournal(table_id, journal.first, tail, journal.epoch, journal.hand_key)


async def _older(store: Store, journal: TableJournal, last: int) -> TableJournal:
    """By the last checkpoint before the record."""
    tail, begin = [journal.first], last
    while begin > 0:
        end, begin = begin, max(0, begin - _BACK)
        page = await store.records(journal.table_id, 0, end - begin, after_record=begin)
        tail = [record for record in page if record.journal_sequence <= end] + (tail if end < last else [])
        starts = [place for place, record in enumerate(tail) if record.checkpoint]
        if starts:
            tail = tail[starts[-1] :]
            break
    return TableJournal(journal.table_id, journal.first, tail, 0, journal.hand_key)
