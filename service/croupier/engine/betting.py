"""What the seat to act may do, and what a chosen action comes to; both from one place, so they agree."""

from __future__ import annotations

from croupier.engine import events as ev
from croupier.engine.actions import Action, AllIn, BetTo, Call, Check, Fold, LegalActions, RaiseTo
from croupier.engine.hand import Hand
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure


def legal_actions(hand: Hand) -> LegalActions:
    """The choices of the seat to act, with their least and greatest amounts (R-B11).

    Only to be asked while a seat has to act.
    """
    if hand.legal is not None:
        return hand.legal
    position = hand.actor
    stack = hand.stack[position]
    bet = hand.street_bet[position]
    price = hand.price
    owed = price - bet
    everything = bet + stack
    call_amount = 0 if owed <= 0 else min(owed, stack)
    least = most = 0
    if everything > price and hand.able > 1 and _raising_open(hand, position):
        least, most = _raise_bounds(hand, position, price, max(owed, 0), everything)
    if most:
        all_in_to = everything if most == everything else 0
    else:
        all_in_to = everything if everything <= price else 0
    if price:
        hand.legal = LegalActions(call_amount, 0, 0, least, most, all_in_to)
    else:
        hand.legal = LegalActions(call_amount, least, most, 0, 0, all_in_to)
    return hand.legal


def _raising_open(hand: Hand, position: int) -> bool:
    """Whether the seat may bet or raise at all: R-B7, and R-B3's cap."""
    acted_at = hand.level_acted_at[position]
    if hand.rules.structure is Structure.FIXED_LIMIT:
        if hand.bets >= hand.rules.bets_cap and not hand.cap_lifted:
            return False
        return acted_at < 0 or hand.full_level > acted_at
    return acted_at < 0 or hand.price - acted_at >= hand.last_full_raise


def _raise_bounds(hand: Hand, position: int, price: int, owed: int, everything: int) -> tuple[int, int]:
    """Least and greatest total of a bet or raise, within the stack (R-B1 to R-B5)."""
    structure = hand.rules.structure
    if structure is Structure.FIXED_LIMIT:
        to = min(hand.full_level + hand.unit, everything)
        return to, to
    least = price + hand.last_full_raise
    most = everything
    if structure is Structure.POT_LIMIT:
        most = min(most, max(price + hand.pot + hand.posted_short + owed, least))
    return min(least, most), most


def decide(hand: Hand, action: Action, cause: ev.Cause = ev.Cause.PLAYER) -> ev.Event | Rejected:
    """The event that the actor's action comes to, or why it is refused; the hand is not changed."""
    legal = legal_actions(hand)
    position = hand.actor
    seat = hand.seats[position]
    kind = type(action)
    if kind is AllIn:
        return _all_in(hand, legal, seat, position)
    if kind is Call:
        amount = legal.call_amount
        if not amount:
            return Rejected("NOTHING_TO_CALL")
        to = hand.street_bet[position] + amount
        return ev.Called(seat, amount, to, amount == hand.stack[position])
    if kind is Check:
        if legal.call_amount:
            return Rejected("CHECK_NOT_ALLOWED", call_amount=legal.call_amount)
        return ev.Checked(seat, cause)
    if kind is Fold:
        return ev.Folded(seat, cause)
    if isinstance(action, RaiseTo):
        return _raise(hand, legal, seat, position, action.to)
    if isinstance(action, BetTo):
        return _bet(hand, legal, seat, position, action.to)
    raise TypeError(f"{action!r} is no action")


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
            return Rejected("BET_ALREADY_MADE", min_raise_to=legal.min_raise_to, max_raise_to=legal.max_raise_to)
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
