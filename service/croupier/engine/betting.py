"""What the seat to act may do, and what a chosen action comes to; both from one place, so they agree."""

from __future__ import annotations

from typing import Final

from croupier.engine import events as ev
from croupier.engine.actions import (
    CHECK,
    FOLD,
    STAND_PAT,
    Action,
    AllIn,
    BetTo,
    Call,
    Check,
    Draw,
    Fold,
    LegalActions,
    RaiseTo,
)
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure

_POT_LIMIT: Final = Structure.POT_LIMIT
_CHOSEN: Final = (ev.Cause.PLAYER, ev.Cause.ADVANCE)


def legal_actions(hand: Hand) -> LegalActions:
    """The choices of the seat to act, with their least and greatest amounts (R-B11).

    Only to be asked while a seat has to act.
    """
    legal = hand.legal
    if legal is None:
        legal = _legal_actions(hand)
        if hand.all_in_only and not hand.drawing:
            legal = _all_in_only(hand, legal)
        hand.legal = legal
    return legal


def unchosen_action(hand: Hand) -> Action:
    """What is done for an actor who makes no decision: check where free, else fold; stand pat in a draw (R-T15).

    To be decided with its cause: what R-T19 takes from a player's choice it leaves open here.
    """
    if hand.drawing:
        return STAND_PAT
    return CHECK if _legal_actions(hand).can_check else FOLD


def _legal_actions(hand: Hand) -> LegalActions:
    """What the structure and the state leave open, all-in rules aside."""
    if hand.drawing:
        most = hand.rules.most_drawn
        return LegalActions(0, 0, 0, 0, 0, 0, can_fold=False, can_draw=True, max_discards=most)
    position = hand.actor
    stack = hand.stack[position]
    bet = hand.street_bet[position]
    price = hand.price
    everything = bet + stack
    if everything <= price:
        return LegalActions(stack, 0, 0, 0, 0, everything)
    owed = price - bet if price > bet else 0
    if hand.able == 1 or not _raising_open(hand, position):
        return LegalActions(owed, 0, 0, 0, 0, 0, not owed)
    if hand.fixed_limit:
        most = least = min(hand.full_level + hand.unit, everything)
    else:
        least = price + hand.last_full_raise
        most = everything
        if hand.spread_limit:
            most = min(most, price + hand.rules.big_bet)
        elif hand.rules.structure is _POT_LIMIT:
            most = min(most, max(price + hand.pot + hand.posted_short + owed, least))
        if least > most:
            least = most
    all_in_to = everything if most == everything else 0
    if price:
        return LegalActions(owed, 0, 0, least, most, all_in_to, not owed)
    return LegalActions(owed, least, most, 0, 0, all_in_to, hand.rules.opening_checks)


def _all_in_only(hand: Hand, legal: LegalActions) -> LegalActions:
    """What R-T19 leaves: all in where betting or raising is open, the call where it is not.

    Who owes nothing and may not raise either has the check left.
    """
    raising = bool(legal.max_bet_to or legal.max_raise_to)
    bet_to = legal.all_in_to if legal.max_bet_to else 0
    raise_to = legal.all_in_to if legal.max_raise_to else 0
    return LegalActions(
        0 if raising else legal.call_amount,
        bet_to,
        bet_to,
        raise_to,
        raise_to,
        legal.all_in_to,
        legal.can_check and not raising,
        hand.rules.all_in_rule is AllInRule.ALL_IN_OR_FOLD,
    )


def _raising_open(hand: Hand, position: int) -> bool:
    """Whether a seat with chips beyond the price may bet or raise: not once R-B7 or the cap (R-B3) closed it.

    In fixed limit facing half a bet reopens the betting (TDA 47B), in spread limit facing the least bet.
    """
    acted_at = hand.level_acted_at[position]
    if hand.fixed_limit:
        if hand.bets >= hand.rules.bets_cap and not hand.cap_lifted:
            return False
        return acted_at == NOBODY or 2 * (hand.price - acted_at) >= hand.unit
    return acted_at == NOBODY or hand.price - acted_at >= hand.last_full_raise


def decide(hand: Hand, action: Action, cause: ev.Cause = ev.Cause.PLAYER) -> ev.Event | Rejected:
    """The event that the actor's action comes to, or why it is refused; the hand is not changed.

    Refused as DECISION_STALE where nobody has to act. With a cause that is not the player's own choice
    all-in rules do not hold (R-T19).
    """
    position = hand.actor
    if position == NOBODY:
        return Rejected("DECISION_STALE")
    legal = (hand.legal or legal_actions(hand)) if cause in _CHOSEN else _legal_actions(hand)
    seat = hand.seats[position]
    kind = type(action)
    if hand.drawing:
        return _draw(hand, legal, seat, action, cause)
    if kind is Call:
        amount = legal.call_amount
        if not amount:
            if hand.street_bet[position] < hand.price:
                return Rejected("CALL_NOT_ALLOWED", all_in_to=legal.all_in_to)
            return Rejected("NOTHING_TO_CALL")
        to = hand.street_bet[position] + amount
        return ev.Called(seat, amount, to, amount == hand.stack[position], cause)
    if kind is Check:
        if not legal.can_check:
            return Rejected("CHECK_NOT_ALLOWED", call_amount=legal.call_amount)
        return ev.Checked(seat, cause)
    if kind is Fold:
        if not legal.can_fold:
            return Rejected("FOLD_NOT_ALLOWED", call_amount=legal.call_amount)
        return ev.Folded(seat, cause)
    if isinstance(action, RaiseTo):
        return _raise(hand, legal, seat, position, action.to)
    if isinstance(action, BetTo):
        return _bet(hand, legal, seat, position, action.to)
    if kind is AllIn:
        return _all_in(hand, legal, seat, position)
    if kind is Draw:
        return Rejected("DRAW_NOT_ALLOWED")
    raise TypeError(f"{action!r} is no action")


def _draw(hand: Hand, legal: LegalActions, seat: int, action: Action, cause: ev.Cause) -> ev.Event | Rejected:
    most = legal.max_discards
    if type(action) is not Draw:
        return Rejected("DRAW_EXPECTED", max_discards=most)
    places = action.places
    held = hand.rules.game.hole_cards
    if len(places) > most or len(set(places)) != len(places) or any(place >= held for place in places):
        return Rejected("DISCARDS_NOT_LEGAL", max_discards=most)
    return ev.CardsDrawn(seat, places, cause)


def _raise(hand: Hand, legal: LegalActions, seat: int, position: int, to: int) -> ev.Event | Rejected:
    if not legal.max_raise_to:
        if legal.max_bet_to:
            return Rejected("NO_BET_TO_RAISE", min_bet_to=legal.min_bet_to, max_bet_to=legal.max_bet_to)
        return Rejected("RAISE_NOT_ALLOWED", call_amount=legal.call_amount)
    if not legal.min_raise_to <= to <= legal.max_raise_to:
        return Rejected(
            "RAISE_OUT_OF_RANGE", min_raise_to=legal.min_raise_to, max_raise_to=legal.max_raise_to
        )
    amount = to - hand.street_bet[position]
    return ev.Raised(seat, amount, to, amount == hand.stack[position])


def _bet(hand: Hand, legal: LegalActions, seat: int, position: int, to: int) -> ev.Event | Rejected:
    if not legal.max_bet_to:
        if hand.price:
            return Rejected(
                "BET_ALREADY_MADE", min_raise_to=legal.min_raise_to, max_raise_to=legal.max_raise_to
            )
        return Rejected("BET_NOT_ALLOWED")
    if not legal.min_bet_to <= to <= legal.max_bet_to:
        return Rejected("BET_OUT_OF_RANGE", min_bet_to=legal.min_bet_to, max_bet_to=legal.max_bet_to)
    amount = to - hand.street_bet[position]
    return ev.BetMade(seat, amount, to, amount == hand.stack[position])


def _all_in(hand: Hand, legal: LegalActions, seat: int, position: int) -> ev.Event | Rejected:
    to = legal.all_in_to
    if not to:
        return Rejected(
            "ALL_IN_NOT_ALLOWED",
            call_amount=legal.call_amount,
            max_bet_to=legal.max_bet_to,
            max_raise_to=legal.max_raise_to,
        )
    amount = hand.stack[position]
    if to <= hand.price:
        return ev.Called(seat, amount, to, True)
    return ev.Raised(seat, amount, to, True) if hand.price else ev.BetMade(seat, amount, to, True)
