"""What happened at a table before a watcher came, read from the journal and told as that watcher may know it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.room.boards import Boards
from croupier.room.failures import Refusal
from croupier.room.journal import body_of
from croupier.room.own_cards import own_cards
from croupier.room.ports import Record
from croupier.room.services import Services
from croupier.room.subscriptions import Publication, Subscription, private_part, public

PAGE: Final = 200
"""Records read at a time, and publications of a page."""
_PRIVATE: Final = "resume_after_private_sequence"


def sequence_unavailable(newest: int, field: str = "resume_after_sequence") -> Refusal:
    """Nothing follows what the field says, or not without a gap; `newest` is the table's sequence."""
    return Refusal("SEQUENCE_UNAVAILABLE", oldest_sequence=0, newest_sequence=newest, field=field)


class History:
    """One watcher's past: from the point that it names to where its subscription begins, without a gap."""

    def __init__(self, services: Services, table_id: str, game: Game, subscription: Subscription) -> None:
        self._services = services
        self._table_id = table_id
        self._game = game
        self._viewer = subscription.viewer
        self._begins = subscription.begins
        self._boards = Boards(services.store)
        self._private = 0
        self._read_to = 0

    async def pages(self, after: int, private_after: int) -> AsyncIterator[list[Publication]]:
        """What follows a sequence and, of what concerns the viewer alone, a private_sequence; no page is empty.

        A page ends by what it tells, not by what was read for it: how much concerns others alone must not show.

        Raises Refusal SEQUENCE_UNAVAILABLE where that would leave a gap. What is private to the viewer has the
        sequence of the record before, so that the record of `after` is read again.
        """
        begins = self._begins
        self._private, self._read_to = private_after, 0
        if not self._viewer and after >= begins.sequence:
            return
        told: list[Publication] = []
        while self._read_to < begins.record:
            before = self._read_to
            told += await self._page(after)
            if len(told) >= PAGE:
                page, told = [told[:PAGE]], told[PAGE:]
                yield page.pop()  # what a stalled reader has not taken is held by nothing here
            if self._read_to == before:
                break
        if told:
            page, told = [told], []
            yield page.pop()
        if self._read_to < begins.record:
            raise sequence_unavailable(begins.sequence)
        if begins.private_sequence not in (None, self._private):
            raise sequence_unavailable(self._begins.sequence, _PRIVATE)

    async def _page(self, after: int) -> list[Publication]:
        """What the next records tell the viewer; nothing is read where there are none."""
        since = max(0, after - 1) if self._viewer else after
        records = await self._services.store.records(self._table_id, since, PAGE, after_record=self._read_to)
        told = []
        for record in records:
            if record.journal_sequence <= self._begins.record:
                publication = await self._retell(record, after, self._private)
                self._private = publication.private_sequence_after(self._viewer, self._private)
                if publication.concerns(self._viewer):
                    told.append(publication)
        if records:
            self._read_to = records[-1].journal_sequence
        return told

    async def _retell(self, record: Record, after: int, private_after: int) -> Publication:
        """A record as the viewer may know it, less what the viewer knows already."""
        body = body_of(record)
        told: list[ev.Event] = []
        cards: dict[str, bytes] = {}
        if record.sequence > after:
            told = public(body.events)
            if own := own_cards(self._services.seal, self._game, self._viewer, record, body):
                cards = {self._viewer: own}
        publication = Publication(
            record.journal_sequence, record.sequence, record.recorded_time, told, cards, None
        )
        publication.board = await self._boards.after(record, body.events)
        part = private_part(body.events)
        if part is not None and part.player_id == self._viewer and part.sequence > private_after:
            if part.sequence - len(part.events) != private_after:
                raise sequence_unavailable(self._begins.sequence, _PRIVATE)
            publication.private = part
        return publication
