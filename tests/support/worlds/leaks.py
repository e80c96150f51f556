"""Leaks planted on purpose, each in its own way: of cards, in what is told while a hand is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import pytest
import structlog

from croupier.adapters.console import live
from croupier.adapters.console.floor import Floor
from croupier.adapters.http import Readiness
from croupier.adapters.metrics import Metrics
from croupier.adapters.rpc import messages, watch_stream
from croupier.adapters.rpc.annotations import Annotator
from croupier.adapters.rpc.event_messages import Telling
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.traces.spans import Spans
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.game import Game
from croupier.room import actor as actor_module
from croupier.room import own_cards, views
from croupier.room.actor import TableActor
from croupier.room.dealer import Dealer, Dealing
from croupier.room.run_outs import RunOut
from croupier.room.subscriptions import Publication
from croupier.room.traces import Trace

Patch = pytest.MonkeyPatch
Leak = Callable[[Patch], None]


class Dealt:
    """What a leak knows: who was dealt what, hand by hand, and the deck of the last one."""

    def __init__(self, patch: Patch) -> None:
        self.hands: dict[int, dict[str, bytes]] = {}
        self.order = bytes(52)
        hole_cards, deal = own_cards.hole_cards, Dealer.deal

        def noted_cards(game: Game, started: ev.HandStarted, order: bytes) -> dict[str, bytes]:
            self.hands[started.hand_number] = hole_cards(game, started, order)
            return self.hands[started.hand_number]

        def noted_deal(dealer: Dealer, *told: Any) -> Dealing:
            dealing = deal(dealer, *told)
            self.order = dealing.order
            return dealing

        patch.setattr(actor_module, "hole_cards", noted_cards)
        patch.setattr(Dealer, "deal", noted_deal)

    def number(self, most: int) -> int:
        """A number below `most` that depends on the whole deck, so that few cards give it away."""
        return sha256(self.order).digest()[0] % most

    def told(self, hand_number: int) -> str:
        return " ".join(f"{one} {''.join(cards_text(held))}" for one, held in self.hands[hand_number].items())


def around(patch: Patch, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Put what `make` makes of a function in its place."""
    patch.setattr(owner, name, make(getattr(owner, name)))


def hole_cards_in_a_log_line(patch: Patch) -> None:
    dealt, start = Dealt(patch), TableActor.start_hand

    def logged(table: TableActor, now: int) -> None:
        start(table, now)
        number = table.table.carried.hand_number
        if number in dealt.hands:
            structlog.get_logger().debug("hand_dealt", table_id=table.table_id, hole_cards=dealt.told(number))

    patch.setattr(TableActor, "start_hand", logged)


def _told_to_all(patch: Patch, kind: type[ev.Event]) -> None:
    """A record's events of a kind are told to everybody as to the first player with cards in it."""
    events = Telling.events

    def told(telling: Telling, publication: Publication, viewer: str) -> Any:
        if viewer not in publication.hole_cards and any(isinstance(one, kind) for one in publication.events):
            viewer = next(iter(publication.hole_cards), viewer)
        return events(telling, publication, viewer)

    patch.setattr(Telling, "events", told)


def hole_cards_dealt_in_everybodys_view(patch: Patch) -> None:
    _told_to_all(patch, ev.HoleCardsDealt)


def cards_drawn_in_everybodys_view(patch: Patch) -> None:
    _told_to_all(patch, ev.CardsDrawn)


def snapshots_show_folded_hands(patch: Patch) -> None:
    view = views.hand_view

    def shows(table: Any, hand: Any, viewer: str) -> views.HandView:
        before = list(hand.shown)
        hand.shown = [shown or folded for shown, folded in zip(hand.shown, hand.folded, strict=True)]
        try:
            return view(table, hand, viewer)
        finally:
            hand.shown = before

    patch.setattr(views, "hand_view", shows)


def a_metric_labelled_by_hand_class(patch: Patch) -> None:
    dealt, ended = Dealt(patch), Metrics.hand_ended

    def counted(metrics: Metrics, *told: Any, **named: Any) -> None:
        ended(metrics, *told, **named)
        metrics.acted("Folded", f"class_{dealt.number(9)}")

    patch.setattr(Metrics, "hand_ended", counted)


def equities_count_folded_hands(patch: Patch) -> None:
    dealt, run_out = Dealt(patch), Annotator.run_out

    def annotated(annotator: Annotator, table: TableActor, told: RunOut) -> None:
        shown = {cards for _, cards in told.hands}
        held = dealt.hands[told.hand_number].values()
        more = tuple((90 + place, cards) for place, cards in enumerate(held) if cards not in shown)
        boards = [set(board) for _, board in told.boards]
        if more and not any(board & set(cards) for board in boards for _, cards in more):
            told = told._replace(hands=told.hands + more)
        run_out(annotator, table, told)

    patch.setattr(Annotator, "run_out", annotated)


def message_sizes_by_the_deck(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(events: Any) -> Any:
        def padded(told: bytes, decision: bytes) -> bytes:
            size = dealt.number(7)
            return bytes(events(told, decision)) + bytes((15 << 3 | 2, size)) + bytes(size)

        return padded

    around(patch, watch_stream, "_events", make)


def streams_delayed_by_the_deck(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(write: Any) -> Any:
        async def delayed(watcher: Any, publications: Any) -> None:
            await asyncio.sleep(dealt.number(5) / 1000)
            await write(watcher, publications)

        return delayed

    around(patch, watch_stream._Watcher, "_write_events", make)


def legal_actions_by_others_cards(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(fields: Any) -> Any:
        def nudged(legal: Any, stack: int) -> Any:
            told = fields(legal, stack)
            return told | {"all_in_to": told.get("all_in_to", 0) + dealt.number(3)}

        return nudged

    around(patch, messages, "_legal_fields", make)


def the_deck_in_hand_started(patch: Patch) -> None:
    """Its hash in the place of the rules' digest: enough for whoever can try decks."""

    def make(deal: Any) -> Any:
        def bound(dealer: Dealer, *told: Any) -> Dealing:
            dealing: Dealing = deal(dealer, *told)
            dealer.rules_digest = sha256(dealing.order).digest()
            return dealing

        return bound

    around(patch, Dealer, "deal", make)


def readyz_names_a_card(patch: Patch) -> None:
    dealt = Dealt(patch)
    patch.setattr(Readiness, "why_not", lambda _: f"waiting for card {dealt.order[-1]}")


def server_info_names_the_deck(patch: Patch) -> None:
    dealt = Dealt(patch)

    def make(told: Any) -> Any:
        async def built(servicer: TableServicer, *asked: Any) -> Any:
            info = await told(servicer, *asked)
            info.build = sha256(dealt.order).hexdigest()
            return info

        return built

    around(patch, TableServicer, "get_server_info", make)


def the_consoles_floor_hints_at_the_deck(patch: Patch) -> None:
    dealt, row = Dealt(patch), Floor._row

    def told(floor: Floor, *of: Any) -> dict[str, Any]:
        return {**row(floor, *of), "heat": dealt.number(9)}

    patch.setattr(Floor, "_row", told)


def the_consoles_stream_hints_at_the_deck(patch: Patch) -> None:
    dealt = Dealt(patch)
    around(patch, live, "fields", lambda told: lambda message: {**told(message), "heat": dealt.number(9)})


def a_span_names_a_card(patch: Patch) -> None:
    dealt, command = Dealt(patch), Spans.command

    def told(spans: Spans, trace: Trace) -> None:
        if trace.hand_id:
            trace.method += cards_text(dealt.order[:1])[0]
        command(spans, trace)

    patch.setattr(Spans, "command", told)


def stages_as_long_as_the_deck_has_it(patch: Patch) -> None:
    dealt, command = Dealt(patch), Spans.command

    def told(spans: Spans, trace: Trace) -> None:
        trace.ended += dealt.number(1000) * 1000
        command(spans, trace)

    patch.setattr(Spans, "command", told)


OF_CARDS: Final[tuple[Leak, ...]] = (
    hole_cards_in_a_log_line,
    hole_cards_dealt_in_everybodys_view,
    cards_drawn_in_everybodys_view,
    snapshots_show_folded_hands,
    a_metric_labelled_by_hand_class,
    equities_count_folded_hands,
    message_sizes_by_the_deck,
    streams_delayed_by_the_deck,
    legal_actions_by_others_cards,
    the_deck_in_hand_started,
    readyz_names_a_card,
    server_info_names_the_deck,
    the_consoles_floor_hints_at_the_deck,
    the_consoles_stream_hints_at_the_deck,
    a_span_names_a_card,
    stages_as_long_as_the_deck_has_it,
)
