"""What houses change about betting: R-B4, R-B10 and R-T19, and the call that R-X1 puts right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.deals import POT_LIMIT, SPREAD_LIMIT, Deal

from croupier.engine import events as ev
from croupier.engine.actions import CALL, CHECK, FOLD, LegalActions
from croupier.engine.betting import decide, unchosen_action
from croupier.engine.play import act
from croupier.engine.rejection import Rejected
from croupier.engine.rules import AllInRule

AOF, AOA = AllInRule.ALL_IN_OR_FOLD, AllInRule.ALL_IN_OR_ALL_IN


def five_aces(*stacks: int, small_bet: int = 1, **options: Any) -> Deal:
    """Betting as at Five Aces: a spread of 1 to 50, nothing posted, no opening checks."""
    options = {"opening_checks": False, **options}
    return Deal(
        *stacks,
        structure=SPREAD_LIMIT,
        small_bet=small_bet,
        big_bet=50,
        posts=(),
        price=0,
        first_after=0,
        **options,
    )


def refused(deal: Deal, action: Any) -> tuple[str, dict[str, int | str]]:
    result = act(deal.hand, action)
    assert isinstance(result, Rejected)
    return result.reason, result.facts


def bets(deal: Deal) -> tuple[int, int]:
    return deal.legal.min_bet_to, deal.legal.max_bet_to


def raises(deal: Deal) -> tuple[int, int]:
    return deal.legal.min_raise_to, deal.legal.max_raise_to


def time_out(deal: Deal) -> None:
    """The actor makes no decision."""
    assert not isinstance(act(deal.hand, unchosen_action(deal.hand), ev.Cause.TIME_OUT), Rejected)


def test_a_spread_limit_bet_is_between_the_bounds() -> None:
    """R-B4."""
    deal = five_aces(500, 500)
    assert bets(deal) == (1, 50)
    assert deal.refusal("1b51") == "BET_OUT_OF_RANGE"
    assert deal.refusal("1b50") == ""


def test_a_spread_limit_raise_is_between_the_bounds_on_top_of_the_level() -> None:
    """R-B4; R-B5 does not apply: 1 on a bet of 20. The seed's own: bet 25, raise another 50, 75."""
    deal = five_aces(500, 500, 500)
    assert raises(deal.play("1b20")) == (21, 70)
    assert raises(deal.play("2r21")) == (22, 71)
    assert deal.refusal("3r72") == "RAISE_OUT_OF_RANGE"
    assert raises(five_aces(500, 500).play("1b25")) == (26, 75)


def test_a_spread_limit_over_blinds_raises_from_the_least_bet_on() -> None:
    """R-B4, R-B5: nothing asks for as much as the big blind."""
    deal = Deal(500, 500, 500, structure=SPREAD_LIMIT, blinds=(5, 10), small_bet=1, big_bet=50)
    assert raises(deal) == (11, 60)


def test_a_spread_limit_takes_any_number_of_raises() -> None:
    """R-B4."""
    deal = five_aces(5000, 5000, 5000).play("1b50")
    for level in range(2, 32):
        deal.play(f"{(level - 1) % 3 + 1}r{level * 50}")
    assert raises(deal)[1] == 32 * 50


def test_any_raise_of_a_spread_limit_reopens_the_betting() -> None:
    """R-B4, R-B7: the last full raise is taken as the least bet, 1."""
    assert raises(five_aces(500, 500, 500).play("1b20 2c 3r21")) == (22, 71)


def test_a_short_all_in_of_a_spread_limit_reopens_nothing() -> None:
    """R-B6, R-B7: 3 on top where the least is 5."""
    deal = five_aces(500, 500, 13, small_bet=5).play("1b10 2c")
    assert raises(deal) == (13, 13)
    deal.play("3a")
    assert (deal.legal.call_amount, raises(deal)) == (3, (0, 0))


def test_all_in_is_open_within_a_spread_limits_bounds_alone() -> None:
    """R-B4, R-B6."""
    assert five_aces(51, 500).refusal("1a") == "ALL_IN_NOT_ALLOWED"
    assert five_aces(50, 500).legal.all_in_to == 50
    assert bets(five_aces(3, 500, small_bet=5)) == (3, 3)


def test_a_spread_limit_raise_needs_somebody_who_could_call_it() -> None:
    """R-B13."""
    deal = five_aces(500, 30).play("1b10 2a")
    assert (deal.legal.call_amount, raises(deal)) == (20, (0, 0))


def test_who_bet_25_and_faces_60_calls_35() -> None:
    """R-X1: the seed's 60 - 25 = 40 is wrong."""
    assert five_aces(500, 500).play("1b25 2r60").legal.call_amount == 35


def test_where_there_is_no_check_who_faces_no_bet_bets_or_folds() -> None:
    """R-B10."""
    deal = five_aces(500, 500)
    assert deal.legal == LegalActions(0, 1, 50, 0, 0, 0, can_check=False, can_fold=True)
    assert refused(deal, CHECK) == ("CHECK_NOT_ALLOWED", {"call_amount": 0})
    assert refused(deal, CALL)[0] == "NOTHING_TO_CALL"


def test_where_there_is_no_check_later_streets_have_none_either() -> None:
    """R-B10."""
    deal = five_aces(500, 500, 500).play("1b10 2c 3c")
    assert deal.hand.street == 1
    assert deal.refusal("1k") == "CHECK_NOT_ALLOWED"
    assert deal.play("1f 2f").stacks == [490, 490, 520]
    assert deal.shown == []


def test_the_last_one_not_folded_wins_a_pot_of_nothing_and_the_hand_counts() -> None:
    """R-B10."""
    deal = five_aces(500, 500, 500).play("1f 2f")
    assert deal.of(ev.HandEnded) == [ev.HandEnded(1, 0, (500, 500, 500), (0, 0, 0), (1, 2, 3), net=(0, 0, 0))]
    assert deal.pots == []


def test_nobody_is_asked_to_bet_unless_two_can() -> None:
    """R-B10: a draw to the end between one all in and one with chips."""
    deal = five_aces(10, 500, 500).play("1b10 2c 3f")
    assert deal.hand.ended
    assert deal.hand.action_sequence == 3


def test_a_big_blind_may_check_its_own_bet_where_there_is_no_opening_check() -> None:
    """R-B10, R-H3."""
    deal = Deal(200, 200, 200, opening_checks=False).play("3c 1c")
    assert deal.legal.can_check
    deal.play("2k")
    assert not deal.legal.can_check


def test_a_house_with_checks_may_open_with_one() -> None:
    """R-B10: an option."""
    assert five_aces(500, 500, opening_checks=True).legal.can_check


def test_who_makes_no_decision_folds_where_there_is_no_check() -> None:
    """R-B10, R-T15."""
    deal = five_aces(500, 500, 500)
    time_out(deal)
    assert deal.hand.folded == [True, False, False]


def test_all_in_or_fold_leaves_just_that() -> None:
    """R-T19."""
    deal = Deal(200, 200, 200, all_in_rule=AOF)
    assert deal.legal == LegalActions(0, 0, 0, 200, 200, 200, can_check=False, can_fold=True)
    assert refused(deal, CALL) == ("CALL_NOT_ALLOWED", {"all_in_to": 200})
    assert deal.refusal("3r4") == "RAISE_OUT_OF_RANGE"
    assert deal.play("3a 1a 2f").hand.ended


def test_all_in_or_all_in_leaves_all_in_alone() -> None:
    """R-T19."""
    deal = Deal(200, 200, 200, all_in_rule=AOA)
    assert deal.legal == LegalActions(0, 0, 0, 200, 200, 200, can_check=False, can_fold=False)
    assert refused(deal, FOLD) == ("FOLD_NOT_ALLOWED", {"call_amount": 0})
    assert deal.play("3a 1a 2a").hand.ended


@pytest.mark.parametrize(("rule", "fold"), [(AOF, ""), (AOA, "FOLD_NOT_ALLOWED")])
def test_the_call_is_the_all_in_where_nobody_could_call_a_raise(rule: AllInRule, fold: str) -> None:
    """R-T19, R-B13: 200 to call with 300."""
    deal = Deal(300, 200, all_in_rule=rule).play("2a")
    assert (deal.legal.call_amount, raises(deal), deal.legal.all_in_to) == (198, (0, 0), 0)
    assert deal.refusal("1a") == "ALL_IN_NOT_ALLOWED"
    assert deal.refusal("1f") == fold
    assert Deal(300, 200, all_in_rule=rule).play("2a 1c").hand.ended


def live_posts(rule: AllInRule, *stacks: int) -> Deal:
    """Four players, the third and the fourth with a live blind of 2 before them."""
    posts = (
        ev.Post(1, ev.PostKind.SMALL_BLIND, 1),
        ev.Post(2, ev.PostKind.BIG_BLIND, 2),
        ev.Post(3, ev.PostKind.BRING_IN, 2),
        ev.Post(4, ev.PostKind.BRING_IN, 2),
    )
    return Deal(*stacks, posts=posts, all_in_rule=rule)


@pytest.mark.parametrize("rule", [AOF, AOA])
def test_nobody_chooses_to_check_under_an_all_in_rule(rule: AllInRule) -> None:
    """R-T19."""
    deal = live_posts(rule, 200, 200, 200, 200)
    assert refused(deal, CHECK) == ("CHECK_NOT_ALLOWED", {"call_amount": 0})
    assert isinstance(decide(deal.hand, CHECK, ev.Cause.ADVANCE), Rejected)


@pytest.mark.parametrize("rule", [AOF, AOA])
def test_who_makes_no_decision_checks_under_an_all_in_rule_where_that_is_free(rule: AllInRule) -> None:
    """R-T19, R-T15."""
    deal = live_posts(rule, 200, 200, 200, 200)
    time_out(deal)
    assert deal.actor == 4
    assert deal.hand.folded == [False] * 4


@pytest.mark.parametrize("rule", [AOF, AOA])
def test_who_makes_no_decision_folds_under_an_all_in_rule_where_chips_are_owed(rule: AllInRule) -> None:
    """R-T19, R-T15, R-T11."""
    deal = Deal(200, 200, 200, all_in_rule=rule)
    time_out(deal)
    assert deal.hand.folded == [False, False, True]


def test_the_call_is_the_all_in_where_a_short_raise_reopened_nothing() -> None:
    """R-T19, R-B7: two were checked for, then one is all in for one more."""
    deal = live_posts(AOF, 3, 200, 200, 200)
    time_out(deal)
    time_out(deal)
    deal.play("1a 2f")
    assert deal.actor == 3
    assert deal.legal == LegalActions(1, 0, 0, 0, 0, 0, can_check=False, can_fold=True)
    deal.play("3c 4c")
    assert bets(deal) == (197, 197)


def test_who_owes_nothing_and_may_not_raise_has_the_check_left() -> None:
    """R-T19: the other put in more than the price, live, and has nothing behind."""
    posts = (ev.Post(1, ev.PostKind.LIVE_BLIND, 5), ev.Post(2, ev.PostKind.BIG_BLIND, 2))
    deal = Deal(5, 200, posts=posts, first_after=1, all_in_rule=AOA)
    assert deal.legal == LegalActions(0, 0, 0, 0, 0, 0, can_check=True, can_fold=False)
    assert deal.play("2k").hand.ended


def test_all_in_rules_hold_in_no_limit_alone() -> None:
    """R-T19."""
    deal = Deal(200, 200, 200, structure=POT_LIMIT, all_in_rule=AOA)
    assert (deal.legal.call_amount, deal.legal.can_fold, raises(deal)) == (2, True, (4, 7))
