"""Which hands were settled, where they lie in the journal, and who played them: a projection kept up in batches.

The path of an action only remembers a hand that has ended; rows are written some time later. What a crash took
is read from the journal again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from croupier.engine import events as ev
from croupier.numbers import NS_PER_MS
from croupier.room.failures import JournalDamaged
from croupier.room.hand_ports import HandPlace, HandQuery, SettledHand
from croupier.room.journal import body_of
from croupier.room.observer import Observer
from croupier.room.ports import Record, Runtime, Store, Timer

LAG_NS: Final = 500 * NS_PER_MS
"""How long hands wait for others to be written with."""
BATCH: Final = 64
"""Hands of one write, so that no commit waits long for it."""
_PAGE: Final = 500


class HandIndex:
    """Hands ended lately, and the store's index of all before them."""

    def __init__(self, runtime: Runtime, store: Store, observer: Observer) -> None:
        self._runtime = runtime
        self._store = store
        self._observer = observer
        self._waiting: list[SettledHand] = []
        self._behind: dict[str, int] = {}
        """Tables with hands that only the journal knows, and after which sequence those begin."""
        self._damaged: dict[str, int] = {}
        """Those of them whose journal could not be read when last tried, and hands ended there since."""
        self._expected: set[str] = set()
        """Tables of which it is not known yet whether they are behind."""
        self.shared = False
        """Whether other servers write the index too, each after a while."""
        self._timer: Timer | None = None
        self._writing = False

    @property
    def waiting(self) -> int:
        """Hands of this run that `hands` does not tell of yet, and of a damaged journal one at least."""
        return len(self._waiting) + sum(1 + ended for ended in self._damaged.values())

    def remember(self, hand: SettledHand) -> None:
        """Take in a hand whose end is durable."""
        self._waiting.append(hand)
        if self._timer is None and not self._writing:
            self._set_timer()

    async def catch_up(self, table_ids: Iterable[str] | None = None) -> None:
        """Read from the journal what is missing, after a crash or where the index is new; of all tables, or of some."""
        self._expected.update(table_ids or ())
        await self._find_out(everything=table_ids is None)
        if self._readable() and self._timer is None and not self._writing:
            self._rang()

    def expect(self, table_ids: Iterable[str]) -> None:
        """Write no hand of tables that come here before those are written that another server has left out."""
        self._expected.update(table_ids)

    async def _find_out(self, *, everything: bool = False) -> None:
        expected = set(self._expected)
        behind = await self._store.unindexed()
        self._behind |= {one: after for one, after in behind.items() if everything or one in expected}
        self._expected -= expected

    async def find(self, table_id: str, hand_number: int) -> HandPlace | None:
        """Where a settled hand lies; None where there is none, or it has not ended.

        Raises JournalDamaged where that cannot be told.
        """
        for hand in self._waiting:
            if hand.place.hand_number == hand_number and hand.place.table_id == table_id:
                return hand.place
        found = await self._store.find_hand(table_id, hand_number)
        if found is None and table_id in self._behind:
            await self._read_table(table_id)
            found = await self._store.find_hand(table_id, hand_number)
        if found is None and self.shared:
            found = await self._look_for(table_id, hand_number)
        return found

    async def _look_for(self, table_id: str, hand_number: int) -> HandPlace | None:
        """A hand that the journal has after the last one in the index."""
        last = await self._store.hands(HandQuery(1, table_id))
        if last and last[0].hand_number >= hand_number:
            return None
        reading = _Reading(table_id)
        after = last[0].last_sequence if last else 0
        while records := await self._store.records(table_id, after, _PAGE):
            for record in records:
                reading.read(record)
            for hand in reading.hands:
                if hand.place.hand_number == hand_number:
                    return hand.place
            after = records[-1].sequence
        return None

    async def hands(self, query: HandQuery) -> list[HandPlace]:
        """Hands that match, latest first, but for those that ended moments ago.

        Raises JournalDamaged where those of one table are asked for and not all can be told.
        """
        if query.table_id in self._damaged:
            await self._read_table(query.table_id)
        return await self._store.hands(query)

    async def write(self) -> None:
        """Write what waits and what the journal alone knows. Raises what the store raises.

        A table's hands are written in order: its last one in the index says that all before it are there.
        """
        while self._expected or self._readable() or self._waiting:
            if self._expected:
                await self._find_out()
                continue
            if tables := self._readable():
                await self._try_to_read(tables[0])
                continue
            await self._write_batch(self._waiting[:BATCH])

    async def _write_batch(self, batch: list[SettledHand]) -> None:
        """Hands of a damaged journal are left to it, but where it was mended meanwhile."""
        written = [hand for hand in batch if hand.place.table_id not in self._damaged]
        await self._store.index_hands(written)
        left = [hand for hand in batch if hand not in written]
        for hand in left:
            if hand.place.table_id in self._damaged:
                self._damaged[hand.place.table_id] += 1
        self._waiting[: len(batch)] = [hand for hand in left if hand.place.table_id not in self._damaged]

    def _readable(self) -> list[str]:
        return [table_id for table_id in self._behind if table_id not in self._damaged]

    async def _try_to_read(self, table_id: str) -> None:
        """A table whose journal is damaged stays behind, with all its later hands, until somebody asks for one."""
        try:
            await self._read_table(table_id)
        except JournalDamaged as damage:
            self._damaged[table_id] = 0
            self._observer.hands_left_out(table_id, damage)

    def _set_timer(self) -> None:
        self._timer = self._runtime.call_at(self._runtime.now() + LAG_NS, self._rang)

    def _rang(self) -> None:
        self._timer = None
        self._runtime.spawn(self._write_or_wait())

    async def _write_or_wait(self) -> None:
        """One at a time: no timer is set while it is under way."""
        self._writing = True
        try:
            await self.write()
        except Exception as failure:
            self._observer.store_failed(failure)
        self._writing = False
        if self._waiting or self._readable() or self._expected:
            self._set_timer()

    async def _read_table(self, table_id: str) -> None:
        """Index the settled hands of a table that the journal has after those known; as far as it can be read."""
        reading = _Reading(table_id)
        after = self._behind.get(table_id, 0)
        while records := await self._store.records(table_id, after, _PAGE):
            try:
                for record in records:
                    reading.read(record)
            finally:
                while reading.hands:
                    await self._store.index_hands(reading.hands[:BATCH])
                    del reading.hands[:BATCH]
            after = records[-1].sequence
        self._behind.pop(table_id, None)
        self._damaged.pop(table_id, None)


class _Reading:
    """Finds settled hands among the records of one table, read in order."""

    def __init__(self, table_id: str) -> None:
        self._table_id = table_id
        self._began = 0
        self._started: ev.HandStarted | None = None
        self.hands: list[SettledHand] = []

    def read(self, record: Record) -> None:
        for event in body_of(record).events:
            if isinstance(event, ev.HandStarted):
                self._started, self._began = event, record.sequence
            elif isinstance(event, ev.HandEnded) and self._started is not None:
                self.hands.append(settled_hand(self._table_id, self._started, self._began, record))


def settled_hand(table_id: str, started: ev.HandStarted, began: int, record: Record) -> SettledHand:
    """A hand that began with the record of sequence `began` and ended with this one."""
    place = HandPlace(table_id, started.hand_number, began, record.sequence, record.recorded_time)
    return SettledHand(place, started.players)
