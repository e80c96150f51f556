"""Those who watch one table, and what happened before they came."""

from __future__ import annotations

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.engine.game import Game
from croupier.room import codec
from croupier.room.clock import DecisionClock
from croupier.room.exchange import exchanged
from croupier.room.ports import Record
from croupier.room.services import Services
from croupier.room.subscriptions import Publication, Subscription

PAGE = 500
INTERNAL = frozenset(tev.INTERNAL)


def public(events: list[ev.Event]) -> list[ev.Event]:
    """The events that the whole table may know."""
    return [event for event in events if type(event) not in INTERNAL]


def hole_cards(game: Game, started: ev.HandStarted, deal_order: bytes) -> dict[str, bytes]:
    """Each player's hole cards in a hand."""
    return dict(zip(started.players, game.deal(deal_order, len(started.seats)), strict=True))


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

    def subscribe(self, viewer: str, sequence: int) -> Subscription:
        """A queue for what happens after `sequence`, at its end where the table's streams have ended.

        A player who watches is connected (R-T15).
        """
        subscription = Subscription(self._services.runtime, viewer, sequence)
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

    def end(self, reason: str) -> None:
        """End every stream, and those to come; `reason` is a StreamEndReason's name."""
        self._ended = self._ended or reason
        for subscription in self._subscriptions:
            subscription.end(reason)

    async def history(self, viewer: str, after: int, up_to: int) -> list[Publication]:
        """The first page of what happened after one sequence, as far as `up_to`, as the viewer may see it."""
        records = await self._services.store.records(self._table_id, after, PAGE)
        told = [self._retell(record, viewer) for record in records if record.sequence <= up_to]
        return [publication for publication in told if publication.events]

    def _retell(self, record: Record, viewer: str) -> Publication:
        body = codec.decode(record.body, record.format)
        cards = self._own_cards(record, body, viewer) if viewer and record.sealed is not None else {}
        return Publication(record.sequence, record.recorded_time, public(list(body.events)), cards, None)

    def _own_cards(self, record: Record, body: codec.Body, viewer: str) -> dict[str, bytes]:
        """What the viewer alone learned by a record: cards dealt, or exchanged in a draw of the viewer's own."""
        if isinstance(body.command, cmd.Act):
            if viewer != body.command.player_id:
                return {}
            return {viewer: exchanged(record, body.command, self._services.seal)}
        started = next(event for event in body.events if isinstance(event, ev.HandStarted))
        if viewer not in started.players:
            return {}
        opened = self._services.seal.open(self._table_id, started.hand_number, record.sealed or b"")
        return {viewer: hole_cards(self._game, started, opened)[viewer]}
