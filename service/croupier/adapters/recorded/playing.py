"""Plays a recorded hand through the engine, action by action, until the two disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from croupier.adapters.recorded import beginning
from croupier.adapters.recorded.deck import deal_order
from croupier.adapters.recorded.draw_deck import draw_order
from croupier.adapters.recorded.exchanges import Exchange, exchanges
from croupier.adapters.recorded.hand import POSTS, SHOWDOWN, RecordedAction, RecordedHand
from croupier.adapters.recorded.setting import hand_rules, hand_started, posts
from croupier.engine import events as ev
from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, Draw, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.game import Game, Street
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act, action_of, start_hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import HandRules


class Played(NamedTuple):
    """How far the engine went along with the record.

    `problem` is the first disagreement, None where every action was legal, asked for and came to the same
    chips. `capped` is what the site took less for the last call than the full price (R-B8), `unsaid` how
    many draws the record leaves out, `ways` what else it tells in its site's own way.
    """

    hand: Hand
    events: list[ev.Event]
    problem: str | None = None
    capped: int = 0
    unsaid: int = 0
    ways: tuple[str, ...] = ()


def play(recorded: RecordedHand, game: Game) -> Played:
    """Raises Malformed for a record that contradicts itself before the first decision."""
    ways = beginning.check(recorded, street_name(game.streets[0].street))
    started = hand_started(recorded)
    rules = hand_rules(recorded, game)
    given = exchanges(recorded, game.hole_cards) if game.draws else {}
    order = _draw_order(recorded, given, rules) if game.draws else deal_order(recorded, game.hole_cards)
    hand, happened = start_hand(rules, started, posts(recorded), order)
    problem = _posted_otherwise(recorded, happened)
    capped = 0
    unsaid = 0
    for action in recorded.actions:
        if problem or action.type in POSTS:
            continue
        unsaid += _draws_unsaid(hand, given, happened)
        if action.type not in SHOWDOWN:
            problem, less = _take(hand, action, happened, given)
            capped += less
    if not problem and not hand.ended:
        problem = f"the record ends where seat {hand.seats[hand.actor]} must act on the {_street(hand)}"
    return Played(hand, happened, problem, capped, unsaid, ways)


def _draw_order(recorded: RecordedHand, given: Mapping[int, Exchange], rules: HandRules) -> bytes:
    before = street_name(rules.game.streets[0].street)
    folded = {action.seat for action in recorded.actions if (action.type, action.street) == ("fold", before)}
    seats = [given[seat.seat] for seat in recorded.seats]
    live = [position for position, seat in enumerate(recorded.seats) if seat.seat not in folded]
    return draw_order(seats, live, rules.game.decks_needed(len(seats), rules.most_drawn))


def _posted_otherwise(recorded: RecordedHand, happened: list[ev.Event]) -> str | None:
    """The first post that the engine made otherwise than recorded."""
    made = [event for event in happened if isinstance(event, ev.Posted)]
    told = [action for action in recorded.actions if action.type in POSTS]
    for event, action in zip(made, told, strict=False):
        if event.seat != action.seat or _other_chips(event, action):
            return f"seat {action.seat} {action.type} {action.amount}: the engine posts {_came_to(event)}"
    return None if len(made) == len(told) else "a post of no chips"


def _draws_unsaid(hand: Hand, given: Mapping[int, Exchange], happened: list[ev.Event]) -> int:
    """Carry out the draws that the record leaves out where the engine asks for one; how many."""
    count = 0
    while hand.drawing and hand.actor != NOBODY and given[hand.seats[hand.actor]].implied:
        result = act(hand, Draw(given[hand.seats[hand.actor]].places))
        if isinstance(result, Rejected):
            break
        happened += result
        count += 1
    return count


def _take(
    hand: Hand, action: RecordedAction, happened: list[ev.Event], given: Mapping[int, Exchange]
) -> tuple[str | None, int]:
    """Carry out one recorded action; the disagreement, and what a capped last call left out."""
    told = f"{action.street}: seat {action.seat} {action.type}"
    told += "" if action.to is None else f" to {action.to}"
    if hand.actor == NOBODY:
        return f"{told}: the engine asks nobody", 0
    if hand.seats[hand.actor] != action.seat:
        return f"{told}: the engine asks seat {hand.seats[hand.actor]}", 0
    if _street(hand) != action.street:
        return f"{told}: the engine is on the {_street(hand)}", 0
    less = _capped_last_call(hand, action)
    chosen = Draw(given[action.seat].places) if action.type == "draw" and given else _action(hand, action)
    if chosen is None:
        return f"{told}: no such action", 0
    result = act(hand, chosen)
    if isinstance(result, Rejected):
        return f"{told}: refused as {result.reason} {result.facts or ''}".rstrip(), 0
    happened += result
    made = action_of(result)
    if _other_chips(made, action) and not less:
        return f"{told}, adding {action.amount}: the engine has {_came_to(made)}", 0
    return None, less


def _action(hand: Hand, action: RecordedAction) -> Action | None:
    to = action.to or 0
    match action.type:
        case "fold":
            return FOLD
        case "check":
            return CHECK
        case "call":
            return CALL
        case "bet":
            return BetTo(to)
        case "raise":
            return RaiseTo(to)
        case "check_or_call":
            return CALL if legal_actions(hand).call_amount else CHECK
        case "bet_or_raise":
            return RaiseTo(to) if hand.price else BetTo(to)
        case _:
            return None


def _capped_last_call(hand: Hand, action: RecordedAction) -> int:
    """What the site took less than the price, where the last to have chips calls what can be contested."""
    if action.type != "call" or action.to is None or action.amount is None or hand.able > 1:
        return 0
    position = hand.actor
    contested = max(
        bet for other, bet in enumerate(hand.street_bet) if other != position and not hand.folded[other]
    )
    added = contested - hand.street_bet[position]
    if (action.to, action.amount) != (contested, added) or added <= 0:
        return 0
    return legal_actions(hand).call_amount - added


def _other_chips(event: ev.Event, action: RecordedAction) -> bool:
    """Whether the event moved other chips than the record tells, as far as it tells."""
    match event:
        case ev.Posted() | ev.Called() | ev.BetMade() | ev.Raised():
            if action.amount is None:
                return action.to is not None and action.to != event.to
            live_total = event.to if action.to is not None else None
            told = (action.amount, action.to, action.all_in)
            return told != (event.amount, live_total, event.all_in)
        case _:
            return action.amount is not None or action.to is not None


def _came_to(event: ev.Event) -> str:
    match event:
        case ev.Posted() | ev.Called() | ev.BetMade() | ev.Raised():
            return f"{event.amount} added, to {event.to}{', all in' if event.all_in else ''}"
        case _:
            return "no chips"


def _street(hand: Hand) -> str:
    return street_name(hand.rules.game.streets[hand.street].street)


def street_name(street: int) -> str:
    """What records call a street of that number."""
    return Street(street).name.lower()
