"""Playing a hand on: from an accepted action to everything that follows with no player's choice."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.engine import events as ev
from croupier.engine.actions import Action
from croupier.engine.betting import decide
from croupier.engine.game import StreetPlan
from croupier.engine.hand import NOBODY, Hand, check_invariants, evolve
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules
from croupier.engine.showdown import settle, turned_up, uncalled_bet


def start_hand(
    rules: HandRules, started: ev.HandStarted, posts: Sequence[ev.Post], deal_order: bytes
) -> tuple[Hand, list[ev.Event]]:
    """Begin a hand: forced posts in the order given, then the cards (R-H1, R-H10)."""
    hand = Hand(rules, started)
    hand.hold_deck(deal_order)
    happened: list[ev.Event] = [started]
    for post in posts:
        event = _pay(hand, post)
        if event is not None:
            evolve(hand, event)
            happened.append(event)
    dealt = ev.HoleCardsDealt(hand.seats, rules.game.hole_cards)
    evolve(hand, dealt)
    happened.append(dealt)
    _run_on(hand, happened)
    check_invariants(hand)
    return hand, happened


_DEAD = (ev.PostKind.ANTE, ev.PostKind.TABLE_ANTE, ev.PostKind.DEAD_BLIND)


def _pay(hand: Hand, post: ev.Post) -> ev.Posted | None:
    """A post out of the stack that is there; nothing where the stack is empty already."""
    position = hand.position_of[post.seat]
    amount = min(post.amount, hand.stack[position])
    if not amount:
        return None
    live = hand.street_bet[position]
    to = live if post.kind in _DEAD else live + amount
    return ev.Posted(post.seat, post.kind, amount, to, amount == hand.stack[position])


def act(hand: Hand, action: Action, cause: ev.Cause = ev.Cause.PLAYER) -> list[ev.Event] | Rejected:
    """Carry out the actor's action and all that follows from it; a refusal changes nothing.

    The events are applied as they are made: the hand stands after the last of them. Chips are counted at
    the end; raises InvariantViolation when one is missing.
    """
    event = decide(hand, action, cause)
    if isinstance(event, Rejected):
        return event
    happened: list[ev.Event] = []
    if isinstance(event, ev.CardsDrawn) and len(event.places) > len(hand.stub):
        reshuffled = ev.StubReshuffled(hand.cards_out_of_play(), hand.places_out_of_play())
        evolve(hand, reshuffled)
        happened.append(reshuffled)
    evolve(hand, event)
    happened.append(event)
    if hand.actor == NOBODY:
        _run_on(hand, happened)
    check_invariants(hand)
    return happened


def action_of(happened: Sequence[ev.Event]) -> ev.Event:
    """The event of the action itself, among all that `act` made of it."""
    return happened[1] if type(happened[0]) is ev.StubReshuffled else happened[0]


def _run_on(hand: Hand, happened: list[ev.Event]) -> None:
    while hand.actor == NOBODY and not hand.ended:
        for event in _follow(hand):
            evolve(hand, event)
            happened.append(event)


def _follow(hand: Hand) -> Sequence[ev.Event]:
    """What comes next once a street's betting has closed."""
    if hand.able <= 1:
        uncalled = uncalled_bet(hand)
        if uncalled is not None:
            return (uncalled,)
    if hand.in_hand == 1:
        return settle(hand)
    to_come = hand.rules.game.streets[hand.street + 1 :]
    if not any(hand.shown) and (not to_come or _shown_early(hand, to_come)):
        return turned_up(hand, hand.preferring)
    if not to_come:
        return settle(hand)
    return (ev.StreetDealt(int(to_come[0].street), hand.next_board_cards()),)


def _shown_early(hand: Hand, to_come: Sequence[StreetPlan]) -> bool:
    """Whether hands are turned up before the last street (R-H6); not while cards are still to be exchanged."""
    return hand.able <= 1 and hand.rules.all_ins_shown_at_once and not any(plan.draw for plan in to_come)
