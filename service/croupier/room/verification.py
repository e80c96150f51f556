"""Proofs of settled hands, one viewer at a time, made from the journal when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.room.hand_id import hand_id_of
from croupier.room.journal import body_of, created_by
from croupier.room.openings import CardOpening, Exchange, Followed, kept
from croupier.room.ports import Record
from croupier.room.proofs import Deck, rules_text
from croupier.room.records import Records
from croupier.room.seal import KeyGone, Seal
from croupier.room.services import Services


class HandProof(msgspec.Struct, frozen=True):
    """A hand's deal, and what opens the cards of it that a viewer may know. Without roots there is nothing to open."""

    table_id: str
    rules: bytes
    started: ev.HandStarted
    exchanges: list[Exchange]
    openings: list[CardOpening]


class Verification:
    """Reads hands of any table, open or closed."""

    def __init__(self, services: Services, games: Mapping[str, Game], records: Records) -> None:
        self._services = services
        self._games = games
        self._records = records

    async def of(self, table_id: str, hand_number: int, viewer: str) -> HandProof | None:
        """What proves the hand to a viewer (empty: to everybody); None where none of that name has ended."""
        found = await self._records.journal_of(table_id, hand_number)
        if found is None:
            return None
        first = await self._records.first(table_id)
        created = created_by(first)
        hand = _Hand(self._games[created.rules.game], hand_number)
        for record in found:
            hand.take(record)
        followed = hand.followed
        if followed is None:
            return None
        started = followed.started
        openings = hand.openings(self._services.seal, viewer) if started.roots else []
        return HandProof(table_id, rules_text(first.body), started, followed.exchanges, openings)


class _Hand:
    """One hand among the records of its table."""

    def __init__(self, game: Game, hand_number: int) -> None:
        self._game = game
        self._number = hand_number
        self._record: Record | None = None
        self._ended = False
        self._kept: list[CardOpening] = []
        self.followed: Followed | None = None

    def take(self, record: Record) -> None:
        for event in body_of(record).events:
            if isinstance(event, ev.HandStarted):
                if event.hand_number == self._number:
                    self.followed, self._record = Followed(self._game, event), record
            elif isinstance(event, tev.DeckOpened):
                if event.hand_number == self._number:
                    self._kept = kept(event.openings)
            elif self.followed is not None and self._belongs(event):
                self.followed.take(event)
                self._ended = self._ended or isinstance(event, ev.HandEnded)

    def _belongs(self, event: ev.Event) -> bool:
        if isinstance(event, tev.CardsShown):
            return self._ended and event.hand_number == self._number
        return not self._ended

    def openings(self, seal: Seal, viewer: str) -> list[CardOpening]:
        """From the decks, or where the hand's key is gone, those that were kept."""
        followed, record = self.followed, self._record
        if followed is None or record is None:
            return []
        try:
            opened = seal.open(record, self._number)
        except KeyGone:
            return self._kept
        hand_id = hand_id_of(record.table_id, self._number)
        deck = Deck.unsealed(hand_id, followed.started.rules_digest, opened)
        return followed.openings(deck, viewer)
