"""A hand that was played, as a line of a vector file says it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.support.beside_pokerkit import Compared
from tests.support.random_hands import Setting

from croupier.adapters.recorded.playing import street_name
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.game import DECK_SIZE
from croupier.engine.rules import HandRules, Structure

_POSTS: Final = {ev.PostKind.ANTE: "ante", ev.PostKind.SMALL_BLIND: "sb", ev.PostKind.BIG_BLIND: "bb"}


def told(identity: str, variant: str, drawn: Setting, compared: Compared) -> dict[str, Any]:
    """In a draw game the first seat's exchange is told card by card, of others how many and what they showed."""
    hand, started = compared.hand, drawn.started
    posts = [event for event in compared.events if isinstance(event, ev.Posted)]
    awarded = [event for event in compared.events if isinstance(event, ev.PotAwarded)]
    shown = {
        event.seat: _drawn_last(compared, event.seat, event.cards)
        for event in compared.events
        if isinstance(event, ev.HoleCardsShown)
    }
    return {
        "id": identity,
        "site": "own",
        "variant": variant,
        "sb": max(1, started.price // 2),
        "bb": started.price,
        **_bets(drawn.rules),
        "button": started.button_seat,
        "seats": [
            {"seat": seat, "stack": stack} for seat, stack in zip(started.seats, started.stacks, strict=True)
        ],
        "antes": [_listed(post) for post in posts if post.kind == ev.PostKind.ANTE],
        "blinds": [
            {**_listed(post), "kind": _POSTS[post.kind]} for post in posts if post.kind != ev.PostKind.ANTE
        ],
        "actions": list(_actions(drawn, compared)),
        **_hands(drawn, compared, shown),
        "board": cards_text(hand.board),
        "payoffs": {
            str(seat): after - before
            for seat, after, before in zip(hand.seats, hand.stack, started.stacks, strict=True)
        },
        "pot": sum(event.amount for event in awarded),
        "pots": [_pot(pot, lows=drawn.rules.game.rank_lows is not None) for pot in reversed(awarded)],
        "rake": 0,
        "uncalled_returned": _returned(compared),
        "winners": {str(seat): [] for event in awarded for seat in event.winners + event.low_winners},
        "showdown": bool(shown),
        "checkable": True,
    }


def _pot(pot: ev.PotAwarded, *, lows: bool) -> dict[str, Any]:
    told = {"amount": pot.amount, "eligible": pot.eligible_seats, "hi_winners": pot.winners}
    return told | ({"lo_winners": pot.low_winners} if lows else {})


def _bets(played: HandRules) -> dict[str, int]:
    if played.structure is Structure.FIXED_LIMIT:
        return {"small_bet": played.small_bet, "big_bet": played.big_bet}
    return {"min_bet": played.small_bet}


def _listed(post: ev.Posted) -> dict[str, Any]:
    return {"seat": post.seat, "amount": post.amount}


def _hands(drawn: Setting, compared: Compared, shown: dict[int, bytes]) -> dict[str, Any]:
    if not drawn.rules.game.draws:
        return {"holes": {str(seat): cards_text(cards) for seat, cards in shown.items()}}
    first = compared.hand.seats[0]
    final = {first: compared.hand.hole_cards[0]} | shown
    return {
        "holes": {str(first): cards_text(_dealt_first(drawn))},
        "final_hands": {str(seat): cards_text(cards) for seat, cards in final.items()},
    }


def _drawn_last(compared: Compared, seat: int, cards: bytes) -> bytes:
    """A hand with the cards that were drawn behind those that were kept."""
    draws = [event for event in compared.events if isinstance(event, ev.CardsDrawn) and event.seat == seat]
    places = draws[0].places if draws else b""
    return bytes(cards[place] for place in sorted(range(len(cards)), key=places.__contains__))


def _dealt_first(drawn: Setting) -> bytes:
    return drawn.rules.game.deal(drawn.deal_order[:DECK_SIZE], len(drawn.started.seats))[0]


def _actions(drawn: Setting, compared: Compared) -> Iterator[dict[str, Any]]:
    street = int(drawn.rules.game.streets[0].street)
    for event in compared.events:
        said = {"street": street_name(street)}
        match event:
            case ev.StreetDealt():
                street = event.street
            case ev.Posted(kind=ev.PostKind.ANTE):
                yield (
                    said | {"seat": event.seat, "type": "post_ante", "amount": event.amount} | _all_in(event)
                )
            case ev.Posted():
                yield said | _chips(event, f"post_{_POSTS[event.kind]}")
            case ev.Folded():
                yield said | {"seat": event.seat, "type": "fold"}
            case ev.Checked():
                yield said | {"seat": event.seat, "type": "check"}
            case ev.Called():
                yield said | _chips(event, "call")
            case ev.BetMade():
                yield said | _chips(event, "bet")
            case ev.Raised():
                yield said | _chips(event, "raise")
            case ev.CardsDrawn():
                draw = {"seat": event.seat, "type": "draw", "discard": len(event.places)}
                yield said | draw | _exchanged(drawn, compared, event)
            case ev.HoleCardsShown():
                cards = cards_text(_drawn_last(compared, event.seat, event.cards))
                yield {"street": "showdown", "seat": event.seat, "type": "show", "cards": cards}


def _exchanged(drawn: Setting, compared: Compared, event: ev.CardsDrawn) -> dict[str, Any]:
    if event.seat != compared.hand.seats[0]:
        return {}
    before, after = _dealt_first(drawn), compared.hand.hole_cards[0]
    return {
        "discarded": cards_text(before[place] for place in event.places),
        "drawn": cards_text(after[place] for place in event.places),
    }


def _chips(event: ev.Posted | ev.Called | ev.BetMade | ev.Raised, type_: str) -> dict[str, Any]:
    return {"seat": event.seat, "type": type_, "amount": event.amount, "to": event.to} | _all_in(event)


def _all_in(event: ev.Posted | ev.Called | ev.BetMade | ev.Raised) -> dict[str, Any]:
    return {"all_in": True} if event.all_in else {}


def _returned(compared: Compared) -> dict[str, Any] | None:
    street = int(compared.hand.rules.game.streets[0].street)
    for event in compared.events:
        if isinstance(event, ev.StreetDealt):
            street = event.street
        elif isinstance(event, ev.UncalledBetReturned):
            return {"seat": event.seat, "amount": event.amount, "street": street_name(street)}
    return None
