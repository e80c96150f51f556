"""Settled hands as one viewer may know them, built from the journal when they are asked for.

A card is in a record because the rules showed it, or because it was dealt to the viewer: no other card of the
deck is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.engine.table_rules import TableRules
from croupier.room import codec, hand_reading
from croupier.room.failures import JournalDamaged, Refusal
from croupier.room.hand_id import hand_id_of
from croupier.room.hand_index import HandIndex
from croupier.room.hand_ports import HandPlace, HandQuery
from croupier.room.journal import created_by
from croupier.room.own_cards import exchanged_in, own_cards
from croupier.room.ports import Record, missing_record
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.subscriptions import Publication, public

MOST_TABLES: Final = 256
"""Tables whose rules are kept at hand."""


class RecordSeat(msgspec.Struct, frozen=True):
    """A player's part. `hole_cards` are those last held, as far as the viewer may know them."""

    seat: int
    player_id: str
    starting_stack: int
    net: int
    rake_paid: int
    hole_cards: bytes
    folded: bool


class HandRecord(msgspec.Struct, frozen=True):
    """A settled hand. Seats run as in HandStarted, pots from the main pot on.

    `told` is all that happened, record by record, from the hand's start to its end, and the cards shown
    afterwards; with the viewer's own cards where they were dealt and exchanged. A list goes without it.
    """

    place: HandPlace
    name: str
    rules: TableRules
    game: Game
    started: ev.HandStarted
    started_time: int
    ended: ev.HandEnded
    seats: tuple[RecordSeat, ...]
    board: bytes
    pots: tuple[ev.PotAwarded, ...]
    told: tuple[Publication, ...]
    voided: bool


class Records:
    """Reads hands of any table, open or closed."""

    def __init__(self, services: Services, games: Mapping[str, Game], index: HandIndex) -> None:
        self._services = services
        self._games = games
        self._index = index
        self._tables: dict[str, tev.TableCreated] = {}

    async def get(self, table_id: str, hand_number: int, viewer: str) -> HandRecord | None:
        """The hand as the viewer (empty: without cards) may know it; None where none of that name has ended."""
        place = await self._index.find(table_id, hand_number)
        if place is None:
            return None
        (record,) = await self._of_table([place], viewer, whole=True)
        return record

    async def matching(self, query: HandQuery, viewer: str) -> list[HandRecord | HandPlace]:
        """Hands that match, latest first, without what was told of them; of one that is damaged its place alone."""
        places = await self._index.hands(query)
        by_table: dict[str, list[HandPlace]] = {}
        for place in sorted(places, key=lambda place: place.hand_number):
            by_table.setdefault(place.table_id, []).append(place)
        found: dict[HandPlace, HandRecord] = {}
        for of_table in by_table.values():
            found |= await self._sound(of_table, viewer)
        return [found.get(place, place) for place in places]

    async def _sound(self, places: Sequence[HandPlace], viewer: str) -> dict[HandPlace, HandRecord]:
        """Those hands of one table that the journal can tell."""
        try:
            records = await self._of_table(places, viewer, whole=False)
        except JournalDamaged:
            half = len(places) // 2
            if not half:
                return {}
            return await self._sound(places[:half], viewer) | await self._sound(places[half:], viewer)
        return dict(zip(places, records, strict=True))

    async def journal_of(self, table_id: str, hand_number: int) -> list[Record] | None:
        """All records of a hand, those of cards shown after it included; None where none of that name has ended."""
        place = await self._index.find(table_id, hand_number)
        if place is None:
            return None
        rules = (await self._created(table_id)).rules
        pages = hand_reading.pages(self._services.store, [place], rules.show_window_ms)
        return [record async for page in pages for record, _ in page]

    async def as_ended(self, places: Sequence[HandPlace]) -> list[HandRecord]:
        """Hands of one table, in the order of their numbers, as they were when they ended, for one without a seat."""
        return await self._of_table(places, "", whole=True, afterwards=False)

    async def _of_table(
        self, places: Sequence[HandPlace], viewer: str, *, whole: bool, afterwards: bool = True
    ) -> list[HandRecord]:
        """Hands of one table, in the order of their numbers; only a `whole` record has `told`.

        Cards that were shown after a hand are in its record where `afterwards` is asked for.
        """
        created = await self._created(places[0].table_id)
        rules, seal = created.rules, self._services.seal
        reading = _Reading(seal, self._games[rules.game], viewer, places, whole=whole, afterwards=afterwards)
        window = rules.show_window_ms if afterwards else 0
        async for page in hand_reading.pages(self._services.store, places, window):
            for record, body in page:
                reading.take(record, body)
        return reading.records(created)

    async def first(self, table_id: str) -> Record:
        """A table's first record. Raises JournalDamaged where there is none."""
        records = await self._services.store.records(table_id, 0, 1)
        return records[0] if records else missing_record(table_id)

    async def _created(self, table_id: str) -> tev.TableCreated:
        known = self._tables.get(table_id)
        if known is None:
            first = await self.first(table_id)
            while len(self._tables) >= MOST_TABLES:
                del self._tables[next(iter(self._tables))]
            known = self._tables[table_id] = created_by(first)
        return known


class _Reading:
    """Hands of one table, as its records tell them in order."""

    def __init__(
        self,
        seal: Seal,
        game: Game,
        viewer: str,
        places: Sequence[HandPlace],
        *,
        whole: bool,
        afterwards: bool,
    ) -> None:
        self._afterwards = afterwards
        self._seal = seal
        self._game = game
        self._viewer = viewer
        self._hands = {place.hand_number: _Building(place, viewer, game, whole=whole) for place in places}
        self._current: _Building | None = None

    def take(self, record: Record, body: codec.Body) -> None:
        hand = self._hand_of(body.events)
        if hand is not None:
            hand.take(record, body.events, own_cards(self._seal, self._game, self._viewer, record, body))

    def _hand_of(self, events: Sequence[ev.Event]) -> _Building | None:
        """The hand that a record's events belong to, where it is wanted."""
        for event in events:
            if isinstance(event, ev.HandStarted):
                self._current = self._hands.get(event.hand_number)
            elif isinstance(event, tev.CardsShown):
                return self._hands.get(event.hand_number) if self._afterwards else None
        return self._current

    def records(self, created: tev.TableCreated) -> list[HandRecord]:
        return [hand.record(created) for hand in self._hands.values()]


class _Building:
    """Gathers what a hand's records say, in order; `whole` with all that was told."""

    def __init__(self, place: HandPlace, viewer: str, game: Game, *, whole: bool) -> None:
        self._place = place
        self._viewer = viewer
        self._game = game
        self._whole = whole
        self._started: ev.HandStarted | None = None
        self._ended: ev.HandEnded | None = None
        self._started_time = 0
        self._board = b""
        self._own = b""
        self._shown: dict[int, bytes] = {}
        self._folded: set[int] = set()
        self._pots: dict[int, ev.PotAwarded] = {}
        self._voided = False
        self._told: list[Publication] = []

    def take(self, record: Record, events: Sequence[ev.Event], own: bytes) -> None:
        """`own` are the viewer's cards that the record moved: dealt, or discarded and drawn."""
        told = []
        for event in public(events):
            if self._belongs(event):
                told.append(event)
                self._apply(event, record, own)
        if told and self._whole:
            cards = {self._viewer: own} if own else {}
            number, time = record.journal_sequence, record.recorded_time
            publication = Publication(number, record.sequence, time, told, cards, None)
            publication.board = self._board
            self._told.append(publication)

    def _belongs(self, event: ev.Event) -> bool:
        if isinstance(event, ev.HandStarted):
            return event.hand_number == self._place.hand_number
        if isinstance(event, tev.CardsShown):
            return self._ended is not None and event.hand_number == self._place.hand_number
        return self._started is not None and self._ended is None

    def _apply(self, event: ev.Event, record: Record, own: bytes) -> None:
        match event:
            case ev.HandStarted():
                self._started, self._started_time, self._own = event, record.recorded_time, own
            case ev.CardsDrawn():
                _, drawn = exchanged_in(event, own)
                self._own = _exchanged(self._own, event.places, drawn)
            case ev.StreetDealt():
                self._board += event.cards
            case ev.Folded():
                self._folded.add(event.seat)
            case ev.HoleCardsShown():
                self._shown[event.seat] = event.cards
            case ev.PotAwarded():
                self._pots[event.index] = event
            case ev.HandVoided():
                self._voided = True
            case ev.HandEnded():
                self._ended = event
            case tev.CardsShown():
                known = self._shown.get(event.seat, b"")
                self._shown[event.seat] = known + bytes([card for card in event.cards if card not in known])
            case _:
                pass

    def record(self, created: tev.TableCreated) -> HandRecord:
        """The whole. Raises Refusal HAND_UNKNOWN where the journal has not the hand that the index has."""
        started, ended = self._started, self._ended
        if started is None or ended is None:
            place = self._place
            raise Refusal("HAND_UNKNOWN", hand_id=hand_id_of(place.table_id, place.hand_number))
        return HandRecord(
            self._place,
            created.name,
            created.rules,
            self._game,
            started,
            self._started_time,
            ended,
            tuple(self._seats(started, ended)),
            self._board,
            tuple(self._pots[index] for index in sorted(self._pots)),
            tuple(self._told),
            self._voided,
        )

    def _seats(self, started: ev.HandStarted, ended: ev.HandEnded) -> Sequence[RecordSeat]:
        parts = zip(
            started.seats, started.players, started.stacks, ended.stacks, ended.rake_paid, strict=True
        )
        return [
            RecordSeat(
                seat,
                player_id,
                before,
                after - before,
                rake_paid,
                self._own if self._own and player_id == self._viewer else self._shown.get(seat, b""),
                seat in self._folded,
            )
            for seat, player_id, before, after, rake_paid in parts
        ]


def _exchanged(held: bytes, places: bytes, drawn: bytes) -> bytes:
    """A hand after a draw; as it was where the cards drawn are not known."""
    if not drawn:
        return held
    after = bytearray(held)
    for place, card in zip(places, drawn, strict=True):
        after[place] = card
    return bytes(after)
