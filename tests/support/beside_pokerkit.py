"""Plays a hand in the engine and in pokerkit at once and says where the two part.

pokerkit is another's work and so an oracle, but for what it is known to do otherwise than the rulebooks:
odd chips go elsewhere, a side pot is halved where only another pot has a low, a short blind lowers the price, the
fixed-limit cap never lifts, half a bet is no bet in fixed limit, a short all-in over the blinds reopens the
betting (R-B7 says it does not) and several that add up to a raise do not (R-B7: they do), and nobody may raise
more than some other player could call (R-B13: only where all others are all in).
"""

from __future__ import annotations

import warnings
from typing import Final, NamedTuple

import pokerkit
from pokerkit import Automation
from tests.support.random_hands import Script, Setting, begin

from croupier.cards import card_text
from croupier.engine import events as ev
from croupier.engine.actions import CALL, CHECK, FOLD, Action, BetTo, Draw, RaiseTo
from croupier.engine.betting import legal_actions
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure

_AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
_STRUCTURES: Final = {
    Structure.NO_LIMIT: pokerkit.BettingStructure.NO_LIMIT,
    Structure.POT_LIMIT: pokerkit.BettingStructure.POT_LIMIT,
    Structure.FIXED_LIMIT: pokerkit.BettingStructure.FIXED_LIMIT,
}
_HAND_TYPES: Final = {
    "holdem": (pokerkit.StandardHighHand,),
    "omaha": (pokerkit.OmahaHoldemHand,),
    "five_card_draw": (pokerkit.StandardHighHand,),
    "omaha_hi_lo": (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand),
}


class Compared(NamedTuple):
    """A hand played by both: `parted` says where they parted, None where they never did.

    `odd_chips`: some pot was not split evenly; `half_bets`: a fixed-limit all-in was no whole bet.
    """

    hand: Hand
    events: list[ev.Event]
    parted: str | None
    odd_chips: bool
    half_bets: bool


def play_both(setting: Setting, script: Script) -> Compared:
    """The settings it takes: stacks that cover ante and blind, antes of all or of nobody, no other posts."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return _Both(setting).play(script)


class _Both:
    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._hand, self._events = begin(setting)
        self._state = _state(setting)

    def play(self, script: Script) -> Compared:
        parted = None
        self._deal()
        while self._hand.actor != NOBODY and parted is None:
            parted = self._decision()
            if parted is None:
                self._take(self._choose(script))
        odd_chips = self._odd_chips()
        if parted is None:
            parted = self._end(odd_chips=odd_chips)
        return Compared(self._hand, self._events, parted, odd_chips > 0, self._half_bets())

    def _odd_chips(self) -> int:
        """How many chips may go elsewhere in pokerkit."""
        lows = self._setting.rules.game.rank_lows is not None
        return sum(_odd_chips(event, lows=lows) for event in self._events if isinstance(event, ev.PotAwarded))

    def _decision(self) -> str | None:
        """Whether both ask the same seat and offer the same."""
        hand, state = self._hand, self._state
        legal = legal_actions(hand)
        if legal.can_draw:
            self._pass_on()
            drawing = state.stand_patter_or_discarder_index
            return None if drawing == hand.actor else f"draw: {hand.actor}, pokerkit {drawing}"
        if state.actor_index != hand.actor:
            return f"actor: {hand.actor}, pokerkit {state.actor_index}"
        if state.checking_or_calling_amount != legal.call_amount:
            return f"call: {legal.call_amount}, pokerkit {state.checking_or_calling_amount}"
        ours = (legal.min_raise_to or legal.min_bet_to, legal.max_raise_to or legal.max_bet_to)
        theirs = (0, 0)
        if state.can_complete_bet_or_raise_to():
            theirs = (
                state.min_completion_betting_or_raising_to_amount or 0,
                state.max_completion_betting_or_raising_to_amount or 0,
            )
        known = (ours == (0, 0) and self._faces_a_short_raise()) or (
            theirs == (0, 0) and (self._others_cannot_call_more() or self._short_raises_add_up())
        )
        return None if ours == theirs or known else f"raise: {ours}, pokerkit {theirs}"

    def _faces_a_short_raise(self) -> bool:
        hand = self._hand
        acted_at = hand.level_acted_at[hand.actor]
        return acted_at != NOBODY and 0 < hand.price - acted_at < hand.last_full_raise

    def _short_raises_add_up(self) -> bool:
        hand = self._hand
        seat, level = hand.seats[hand.actor], hand.level_acted_at[hand.actor]
        largest = 0
        for event in self._events:
            if isinstance(event, ev.Checked | ev.Called | ev.BetMade | ev.Raised) and event.seat == seat:
                level, largest = hand.level_acted_at[hand.actor], 0
            elif isinstance(event, ev.BetMade | ev.Raised):
                level, largest = event.to, max(largest, event.to - level)
        return largest < hand.last_full_raise <= hand.price - hand.level_acted_at[hand.actor]

    def _others_cannot_call_more(self) -> bool:
        hand = self._hand
        return all(
            hand.folded[other] or hand.street_bet[other] + hand.stack[other] <= hand.price
            for other in range(len(hand.seats))
            if other != hand.actor
        )

    def _choose(self, script: Script) -> Action:
        """What the script chooses, and the passive action in place of a raise that pokerkit does not know."""
        legal = legal_actions(self._hand)
        action = script.choose(legal)
        if isinstance(action, RaiseTo | BetTo) and not self._state.can_complete_bet_or_raise_to():
            return CALL if legal.call_amount else CHECK
        return action

    def _take(self, action: Action) -> None:
        if isinstance(action, Draw):
            held = self._hand.hole_cards[self._hand.actor]
            self._state.stand_pat_or_discard("".join(card_text(held[place]) for place in action.places))
        result = act(self._hand, action)
        assert not isinstance(result, Rejected), result
        self._events += result
        if action is FOLD:
            self._state.fold()
        elif action in (CALL, CHECK):
            self._state.check_or_call()
        elif isinstance(action, RaiseTo | BetTo):
            self._state.complete_bet_or_raise_to(action.to)
        self._deal()

    def _deal(self) -> None:
        """Give pokerkit the cards that the engine deals."""
        state, order = self._state, self._setting.deal_order
        held = self._setting.rules.game.hole_cards * len(self._setting.started.seats)
        while True:
            if state.can_deal_hole():
                position = state.hole_dealee_index or 0
                dealt = {repr(card) for card in state.hole_cards[position]}
                ours = (card_text(card) for card in self._hand.hole_cards[position])
                state.deal_hole(next(card for card in ours if card not in dealt))
            elif state.can_deal_board():
                on_board = len(list(state.get_board_cards(0)))
                first, last = {0: (1, 4), 3: (5, 6), 4: (7, 8)}[on_board]
                cards = order[held + first : held + last]
                state.deal_board("".join(card_text(card) for card in cards))
            else:
                return

    def _lows_in_some_pots(self) -> bool:
        """Whether a pot has a low and another none: pokerkit halves that too."""
        hand, rank_lows = self._hand, self._setting.rules.game.rank_lows
        if rank_lows is None or hand.in_hand == 1:
            return False
        awarded = [event for event in self._events if isinstance(event, ev.PotAwarded)]
        holes = [
            [hand.hole_cards[hand.position_of[seat]] for seat in event.eligible_seats] for event in awarded
        ]
        return len({any(rank_lows(eligible, hand.board)) for eligible in holes}) > 1

    def _pass_on(self) -> None:
        """Check for whoever pokerkit asks though nobody can be bet against (R-B8)."""
        state = self._state
        while state.actor_index is not None and not state.checking_or_calling_amount:
            state.check_or_call()
            self._deal()

    def _end(self, *, odd_chips: int) -> str | None:
        state = self._state
        self._pass_on()
        if state.status:
            return "the hand is over, pokerkit's is not"
        theirs = list(state.stacks)
        if self._lows_in_some_pots():
            return None
        if any(abs(ours - other) > odd_chips for ours, other in zip(self._hand.stack, theirs, strict=True)):
            return f"stacks: {self._hand.stack}, pokerkit {theirs}"
        return None

    def _half_bets(self) -> bool:
        rules = self._setting.rules
        if rules.structure is not Structure.FIXED_LIMIT:
            return False
        bets = [event for event in self._events if isinstance(event, ev.BetMade | ev.Raised)]
        return any(event.to % rules.small_bet for event in bets) or any(
            event.all_in and event.to % rules.big_bet for event in bets
        )


def _odd_chips(event: ev.PotAwarded, *, lows: bool) -> int:
    """How many chips pokerkit may give to others of the same winners.

    It gives all odd chips to the first of them, halves a pot also where high and low have the same winners, and
    takes two pots for one where the second's additional player has lost.
    """
    sharing = len(event.winners)
    if lows and not event.low_winners and sharing > 1:
        return 2 * (sharing - 1) if event.amount % (2 * sharing) else 0
    halves = [half for half in (event.awards, event.low_awards) if half]
    between = abs(sum(event.awards) - sum(event.low_awards)) if event.low_winners else 0
    return between + sum(len(half) - 1 for half in halves if len(set(half)) > 1)


def _state(setting: Setting) -> pokerkit.State:
    rules, started = setting.rules, setting.started
    antes = [post.amount for post in setting.posts if post.kind == ev.PostKind.ANTE]
    blinds = [post.amount for post in setting.posts if post.kind != ev.PostKind.ANTE]
    fixed = rules.structure is Structure.FIXED_LIMIT
    streets = tuple(
        pokerkit.Street(
            plan.board_cards > 0,
            (False,) * rules.game.hole_cards if index == 0 else (),
            plan.board_cards,
            rules.game.streets[index - 1].draw,
            pokerkit.Opening.POSITION,
            rules.big_bet if fixed and plan.big_bet else rules.small_bet,
            (rules.bets_cap - (index == 0)) if fixed else None,
        )
        for index, plan in enumerate(rules.game.streets)
        if not plan.draw
    )
    return pokerkit.State(
        _AUTOMATIONS,
        pokerkit.Deck.STANDARD,
        _HAND_TYPES[rules.game.name],
        streets,
        _STRUCTURES[rules.structure],
        True,
        antes[0] if antes else 0,
        tuple(blinds),
        0,
        started.stacks,
        len(started.stacks),
    )
