"""Laws of what is offered under every structure, all-in rule and way to open, told anew from the rules."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.deals import rules
from tests.support.random_hands import Script, Setting, begin
from tests.support.states import state
from tests.support.strategies import SCRIPTS, settings_of_hands
from tests.support.tries import tries

from croupier.engine.actions import CALL, CHECK, FOLD, STAND_PAT, LegalActions
from croupier.engine.betting import decide, legal_actions, unchosen_action
from croupier.engine.events import Cause, Checked, Folded
from croupier.engine.hand import NOBODY, Hand
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule, Structure

LAWS = settings(max_examples=200, deadline=None)
OPTIONS = [*product(Structure, AllInRule, (True, False))]
TAKEN_FOR_ABSENT = [Cause.TIME_OUT, Cause.DISCONNECTED, Cause.DISMISSED]


def _name(value: Structure | AllInRule | bool) -> str:
    return value.name.lower() if isinstance(value, Structure | AllInRule) else f"checks_{value}"


def owed(hand: Hand) -> int:
    return max(0, hand.price - hand.street_bet[hand.actor])


def all_in_rule(hand: Hand) -> AllInRule:
    """R-T19: in no limit alone."""
    return hand.rules.all_in_rule if hand.rules.structure is Structure.NO_LIMIT else AllInRule.NONE


def raising(legal: LegalActions) -> bool:
    return legal.max_bet_to > 0 or legal.max_raise_to > 0


@pytest.mark.parametrize(("structure", "all_in", "checks"), OPTIONS, ids=_name)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), script=SCRIPTS)
def test_under_every_option_what_is_offered_is_accepted_and_all_else_changes_nothing(
    structure: Structure, all_in: AllInRule, checks: bool, data: st.DataObject, script: Script
) -> None:
    """R-B11."""
    played = rules(structure, 10, all_in_rule=all_in, opening_checks=checks)
    hand, _ = begin(data.draw(settings_of_hands(st.just(played))))
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        before = state(hand)
        accepted = [action for action, offered in tries(legal, hand) if offered]
        assert accepted
        for action, offered in tries(legal, hand):
            assert isinstance(decide(hand, action), Rejected) != offered, (action, legal)
            assert isinstance(decide(hand, action, Cause.ADVANCE), Rejected) != offered
            if not offered:
                assert isinstance(act(hand, action), Rejected)
            assert state(hand) == before
        assert not isinstance(act(hand, script.choose(legal)), Rejected)
    assert hand.ended


@pytest.mark.parametrize(("structure", "all_in", "checks"), OPTIONS, ids=_name)
@settings(max_examples=15, deadline=None)
@given(data=st.data(), script=SCRIPTS)
def test_what_is_open_under_every_option_is_what_the_table_says(
    structure: Structure, all_in: AllInRule, checks: bool, data: st.DataObject, script: Script
) -> None:
    """R-B10, R-B12, R-T19: chips go in whole where raising is open."""
    played = rules(structure, 10, all_in_rule=all_in, opening_checks=checks)
    hand, _ = begin(data.draw(settings_of_hands(st.just(played))))
    rule = all_in_rule(hand)
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        bound_to_raise = rule is not AllInRule.NONE and raising(legal)
        may_check = hand.price > 0 or checks
        assert legal.can_check == (not owed(hand) and may_check and not bound_to_raise)
        assert legal.call_amount == (0 if bound_to_raise else min(owed(hand), hand.stack[hand.actor]))
        assert legal.can_fold == (rule is not AllInRule.ALL_IN_OR_ALL_IN)
        if bound_to_raise:
            everything = hand.street_bet[hand.actor] + hand.stack[hand.actor]
            bounds = {legal.min_bet_to, legal.max_bet_to, legal.min_raise_to, legal.max_raise_to}
            assert bounds == {0, everything}
            assert legal.all_in_to == everything
        act(hand, script.choose(legal))


@LAWS
@given(
    setting=settings_of_hands(st.just(rules(Structure.SPREAD_LIMIT, 2))),
    script=SCRIPTS,
)
def test_a_spread_limit_raise_is_between_the_bounds_on_top_of_the_level(
    setting: Setting, script: Script
) -> None:
    """R-B4."""
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        legal = legal_actions(hand)
        if raising(legal):
            everything = hand.street_bet[hand.actor] + hand.stack[hand.actor]
            least = min(hand.price + hand.rules.small_bet, everything)
            most = min(hand.price + hand.rules.big_bet, everything)
            assert (legal.min_bet_to or legal.min_raise_to, legal.max_bet_to or legal.max_raise_to) == (
                least,
                most,
            )
            assert legal.all_in_to == (everything if everything <= most else 0)
        act(hand, script.choose(legal))


@LAWS
@given(setting=settings_of_hands(), script=SCRIPTS, cause=st.sampled_from(TAKEN_FOR_ABSENT))
def test_who_makes_no_decision_checks_where_that_is_free_and_folds_elsewhere(
    setting: Setting, script: Script, cause: Cause
) -> None:
    """R-T15, R-T19: under every rule, whatever the player might have chosen."""
    hand, _ = begin(setting)
    while hand.actor != NOBODY:
        if hand.drawing:
            assert unchosen_action(hand) == STAND_PAT
            act(hand, unchosen_action(hand), cause)
            continue
        free = not owed(hand) and (hand.price > 0 or hand.rules.opening_checks)
        event = decide(hand, unchosen_action(hand), cause)
        seat = hand.seats[hand.actor]
        assert event == (Checked(seat, cause) if free else Folded(seat, cause))
        assert not isinstance(decide(hand, FOLD, cause), Rejected)
        action = script.choose(legal_actions(hand))
        if action in (CHECK, CALL):
            assert not isinstance(act(hand, unchosen_action(hand), cause), Rejected)
        else:
            act(hand, action)
    assert hand.ended
