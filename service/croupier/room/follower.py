"""A table that another server plays, as it is watched here: its durable events are applied, nothing is decided.

What it was not told it reads from the store, which alone says what happened. It knows nothing of the bus.
"""

from __future__ import annotations

from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.table import Table, evolve
from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.cluster_ports import Unreadable
from croupier.room.exchange import exchanged
from croupier.room.filling import Filling
from croupier.room.journal import Chain, body_of, created_by, sound
from croupier.room.own_cards import hole_cards
from croupier.room.ports import PendingAnswer, Record, TableJournal
from croupier.room.proofs import unsealed_order
from croupier.room.seal import KeyGone, hand_of
from croupier.room.services import Services
from croupier.room.subscriptions import MOST_WAITING
from croupier.room.table_news import Annotated, News, Recorded, TableStatus
from croupier.room.watched import Watched
from croupier.room.watchers import Presence, Watchers

PAGE: Final = 50
"""Records read at once; between two pages watchers may take what waits for them."""
MOST_EARLY: Final = 1024
"""Records that may be kept until those before them have been read."""
_TAKING_NS: Final = 20 * NS_PER_MS
_TAKINGS: Final = 50


class Follower(Watched):
    """Made from a journal, whose last record it stands at. `new_owner` is set once another server says it has it."""

    def __init__(
        self,
        services: Services,
        game: Game,
        journal: TableJournal,
        presence: Presence,
        watchers: Watchers | None = None,
    ) -> None:
        """`watchers` are those who have been told of everything up to the journal's last record.

        Raises what `evolve` raises, JournalDamaged, JournalTooNew, SealBroken.
        """
        chain = Chain(journal.table_id)
        chain.follow(journal.first)
        table = Table(created_by(journal.first), game)
        super().__init__(services, table, chain, journal.first.recorded_time)
        self._services = services
        self._seal = services.seal
        self._early: dict[int, Recorded] = {}
        self._status: TableStatus | None = None
        self._filling = Filling(services, self._read)
        self.over = False
        """Whether nothing is applied any more."""
        self.new_owner = False
        self.gaps = 0
        """How often records had been missed when a later one came."""
        self._fold(journal)
        self._owner = (max(journal.epoch, self.epoch), 0)
        """The epoch of the owner, and the number of what it said last."""
        self.watchers = watchers or Watchers(services, self.table_id, game, presence)
        self.watchers.move(presence)
        self._end_where_closed()

    def _fold(self, journal: TableJournal) -> None:
        """A checkpoint's last event is the whole table."""
        for record in journal.tail:
            if record.journal_sequence > 1:
                body = body_of(record)
                self._hold(body.events, journal.hand_key)
                self._follow(record, body.command, body.events[-1:] if record.checkpoint else body.events, 0)

    @property
    def record(self) -> int:
        """The journal_sequence of the last record applied."""
        return self._chain.journal_sequence

    @property
    def closed(self) -> bool:
        """Whether nothing will happen any more."""
        return self.table.carried.state is tev.TableState.CLOSED

    def end(self) -> None:
        """Apply nothing any more; watchers are left as they are."""
        self.over = True
        self._early.clear()

    def read_soon(self) -> PendingAnswer:
        """Resolved once what the store has is applied, or cannot be read."""
        return self._filling.soon()

    async def fill(self) -> None:
        """Return once everything is applied that the store had when this was called. Raises StoreAway."""
        await self._filling.done()

    # Hearing

    def hear(self, news: News) -> None:
        """The owner tells something, which may be old, or come before what it follows.

        Raises Unreadable for a record that is none of this table's; what there is instead is read from the store.
        """
        if self.over:
            return
        if isinstance(news, Recorded):
            self._take_heard(news)
        elif isinstance(news, TableStatus):
            self._take_status(news)
        elif isinstance(news, Annotated) and news.record <= self.record:
            self.watchers.annotate(news.record, news.annotation)

    def _take_heard(self, news: Recorded) -> None:
        number = news.row.journal_sequence
        if number > self.next_record:
            self.gaps += not self._early
            if len(self._early) < MOST_EARLY:
                self._early[number] = news
            self._filling.soon()
        elif number == self.next_record:
            if not self._follows(news.row):
                self._filling.soon()
                raise Unreadable("it is no record that comes next at its table")
            self._take(news.row, news.deadline, news.hand_key)
            self._take_early()

    def _follows(self, record: Record) -> bool:
        return record.prev_hash == self._chain.hash and sound(record)

    def _take_early(self) -> None:
        while self._early and (news := self._early.pop(self.next_record, None)) is not None:
            if not self._follows(news.row):
                self._filling.soon()
                break
            self._take(news.row, news.deadline, news.hand_key)
        for number in [number for number in self._early if number <= self.record]:
            del self._early[number]

    def _take_status(self, status: TableStatus) -> None:
        """What an owner that has been replaced says is not believed, nor what was said before."""
        said = (status.epoch, status.number)
        if said <= self._owner:
            return
        self._has_owner(*said)
        if status.halted and not self.halted:
            self.halted = "as its owner says"
            self.watchers.end("TABLE_HALTED")
        elif self.halted and not status.halted:
            self.halted = ""
            self.watchers.begin_again()
            self._end_where_closed()
        self._status = status
        self._take_deadline()
        if status.record > self.record:
            self._filling.soon()

    def knows_better(self, status: TableStatus) -> bool:
        """Whether it is an owner's who has been replaced."""
        return status.epoch < self._owner[0]

    def _has_owner(self, epoch: int, number: int) -> None:
        self.new_owner = self.new_owner or epoch > self._owner[0]
        self._owner = (epoch, number)

    def _take_deadline(self) -> None:
        status = self._status
        if status is not None and status.record <= self.record:
            self._status = None
            if status.record == self.record and self.clock.deadline and status.deadline:
                self.clock.deadline = status.deadline

    # Reading

    async def _read(self) -> None:
        """Raises StoreAway."""
        while not self.over:
            page = await self._services.store.records(self.table_id, 0, PAGE, after_record=self.record)
            hand_key = await self._find_key(page)
            for record in page:
                if record.journal_sequence == self.next_record:
                    self._take(record, 0, hand_key)
            self._take_early()
            if len(page) < PAGE:
                return
            await self._let_watchers_take()

    async def _find_key(self, page: list[Record]) -> bytes:
        """What the store has of the key of the hand in play, where hands have keys that go."""
        if self.table.rules.hand_keys == "keep" or all(record.sealed is None for record in page):
            return b""
        journal = await self._services.store.journal(self.table_id)
        return journal.hand_key if journal is not None else b""

    async def _let_watchers_take(self) -> None:
        """Nobody is too slow for what comes from the store at once."""
        for _ in range(_TAKINGS):
            if max(self.watchers.backlogs(), default=0) <= MOST_WAITING // 2:
                return
            await pause(self._services.runtime, _TAKING_NS)

    # Applying

    def _take(self, record: Record, deadline: int, hand_key: bytes) -> None:
        """The next record, told to whoever watches; whoever cannot be told of it has to ask another server."""
        if self.over:
            return
        try:
            self._apply(record, deadline, hand_key)
        except Exception as failure:
            self._services.observer.follower_failed(self.table_id, failure)
            self.end()
            self.watchers.end("SERVER_DRAINING")

    def _apply(self, record: Record, deadline: int, hand_key: bytes) -> None:
        if record.prev_hash != self._chain.hash:
            raise ValueError(f"record {record.journal_sequence} of {self.table_id} follows another")
        body = body_of(record)
        self._hold(body.events, hand_key)
        cards = self._follow(record, body.command, body.events, deadline)
        publication = self._publication(record, list(body.events), cards) if self.watchers else None
        if publication is not None:
            self.watchers.publish(publication)
        self._take_deadline()
        if record.epoch > self._owner[0]:
            self._has_owner(record.epoch, 0)
        self._end_where_closed()

    def _follow(
        self, record: Record, command: object, events: list[ev.HandEvent | tev.TableEvent], deadline: int
    ) -> dict[str, bytes]:
        """Stand after a record; the cards that players learn of by it, each for that player alone."""
        cards: dict[str, bytes] = {}
        self._chain.follow(record)
        for event in events:
            evolve(self.table, event)
            if isinstance(event, ev.HandStarted):
                cards = self._deal(record, event)
        if isinstance(command, cmd.Act) and record.sealed is not None:
            cards = self._exchange(record, command)
        if self.table.hand is not None:
            self._hand = self.table.hand
        if record.checkpoint:
            self._seal.end(self.table_id, self.table.carried.hand_number)
        if self.clock.follow(self.table, record.recorded_time) and deadline:
            self.clock.deadline = deadline
        return cards

    def _hold(self, events: list[ev.HandEvent | tev.TableEvent], hand_key: bytes) -> None:
        """Take the key of the hand that begins with these events, where it is that one's."""
        for event in events if hand_key else ():
            if isinstance(event, ev.HandStarted | tev.DeckCommitted) and event.hand_number == hand_of(
                hand_key
            ):
                self._seal.hold(self.table_id, hand_key)

    def _deal(self, record: Record, started: ev.HandStarted) -> dict[str, bytes]:
        """None are known where the hand has settled since, and its key is gone."""
        hand = self.table.hand
        if hand is None or record.sealed is None:
            return {}
        try:
            opened = self._seal.open(record, started.hand_number)
        except KeyGone:
            return {}
        order = unsealed_order(self.table_id, started, opened)
        hand.hold_deck(order)
        return hole_cards(self.table.hand_rules.game, started, order)

    def _exchange(self, record: Record, command: cmd.Act) -> dict[str, bytes]:
        try:
            return {command.player_id: exchanged(record, command, self._seal)}
        except KeyGone:
            return {}

    def _end_where_closed(self) -> None:
        if self.closed:
            self.watchers.end("TABLE_CLOSED")
