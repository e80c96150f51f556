"""Those who watch one table: who hears of what happens, and who is connected."""

from __future__ import annotations

from typing import Protocol

from croupier.engine.game import Game
from croupier.room.history import History
from croupier.room.services import Services
from croupier.room.subscriptions import Beginning, Publication, Subscription


class Presence(Protocol):
    """Is told which players watch: once for each stream that begins or ends."""

    def connected(self, player_id: str, /) -> None: ...

    def left(self, player_id: str, /) -> None: ...


class Watchers:
    """The subscriptions of one table. `told` is the journal_sequence up to which all of them have been told."""

    def __init__(self, services: Services, table_id: str, game: Game, presence: Presence) -> None:
        self._services = services
        self._table_id = table_id
        self._game = game
        self._presence = presence
        self.told = 0
        self._subscriptions: list[Subscription] = []
        self._ended = ""

    def __len__(self) -> int:
        return len(self._subscriptions)

    @property
    def ended(self) -> bool:
        """Whether the table's streams have ended."""
        return bool(self._ended)

    def backlogs(self) -> list[int]:
        """How many events wait for each."""
        return [subscription.waiting_events for subscription in self._subscriptions]

    def subscribe(self, viewer: str, begins: Beginning) -> Subscription:
        """A queue for what happens from somewhere on, at its end where the table's streams have ended.

        A player who watches is connected (R-T15).
        """
        subscription = Subscription(self._services.runtime, viewer, begins)
        if self._ended:
            subscription.end(self._ended)
        if not self._subscriptions:
            self.told = begins.record
        self._subscriptions.append(subscription)
        if viewer:
            self._presence.connected(viewer)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Forget a queue."""
        subscription.close()
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)
            if subscription.viewer:
                self._presence.left(subscription.viewer)

    def players(self) -> list[str]:
        """The players who watch, each once, by name."""
        return sorted({one.viewer for one in self._subscriptions if one.viewer})

    def move(self, presence: Presence) -> None:
        """Let another know from now on who watches, beginning with those who do; streams that begin go on."""
        self._presence = presence
        self._ended = ""
        for subscription in self._subscriptions:
            if subscription.viewer:
                presence.connected(subscription.viewer)

    def publish(self, publication: Publication) -> None:
        """Tell everybody."""
        self.told = publication.record
        for subscription in self._subscriptions:
            subscription.push(publication)

    def annotate(self, record: int, annotation: bytes) -> None:
        """Give those who heard of a record as it happened what an adapter has to say of it."""
        for subscription in self._subscriptions:
            subscription.annotate(record, annotation)

    def end(self, reason: str) -> None:
        """End every stream, and those to come; `reason` is a StreamEndReason's name."""
        self._ended = self._ended or reason
        for subscription in self._subscriptions:
            subscription.end(reason)

    def begin_again(self) -> None:
        """Streams that begin from now on go on; those that ended stay so."""
        self._ended = ""

    def history(self, subscription: Subscription) -> History:
        """What happened before a subscription."""
        return History(self._services, self._table_id, self._game, subscription)
