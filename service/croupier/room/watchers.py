"""Those who watch one table: who hears of what happens, and who is connected."""

from __future__ import annotations

from croupier.engine.game import Game
from croupier.room.clock import DecisionClock
from croupier.room.history import History
from croupier.room.services import Services
from croupier.room.subscriptions import Beginning, Publication, Subscription


class Watchers:
    """The subscriptions of one table."""

    def __init__(self, services: Services, table_id: str, game: Game, clock: DecisionClock) -> None:
        self._services = services
        self._table_id = table_id
        self._game = game
        self._clock = clock
        self._subscriptions: list[Subscription] = []
        self._ended = ""

    def __len__(self) -> int:
        return len(self._subscriptions)

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
        self._subscriptions.append(subscription)
        if viewer:
            self._clock.connected(viewer)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Forget a queue."""
        subscription.close()
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)
            if subscription.viewer:
                self._clock.left(subscription.viewer)

    def publish(self, publication: Publication) -> None:
        """Tell everybody."""
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
