"""What a seat is asked and may choose: R-B8 and R-B10 to R-B13."""

from __future__ import annotations

from tests.support.deals import Deal, ante

from croupier.engine.actions import CHECK
from croupier.engine.betting import decide
from croupier.engine.events import Called, Folded
from croupier.engine.play import act
from croupier.engine.rejection import Rejected


def test_the_price_is_the_full_big_blind_where_it_was_posted_short() -> None:
    """R-B8."""
    deal = Deal(1000, 12, 1000, blinds=(10, 20))
    assert deal.legal.call_amount == 20
    assert deal.legal.min_raise_to == 40


def test_the_price_is_the_full_big_blind_where_nobody_could_post_it() -> None:
    """R-B8: the big blind's ante took all it had."""
    antes = [ante(seat, 5) for seat in (1, 2, 3)]
    deal = Deal(1000, 5, 1000, blinds=(10, 20), antes=antes)
    assert deal.actor == 3
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (20, 40)


def test_a_caller_pays_the_full_price_and_gets_the_excess_back() -> None:
    """R-B8, R-B9: the small blind folded, the big blind is in for 12 of 20."""
    deal = Deal(1000, 12, 1000, blinds=(10, 20)).play("3c 1f")
    assert deal.of(Called)[0].amount == 20
    assert deal.returned == {3: 8}
    assert deal.pots == [(34, (2, 3))]


def test_who_alone_has_chips_and_owes_nobody_is_not_asked() -> None:
    """R-B8: the small blind's 10 match all that the short big blind put in."""
    deal = Deal(1000, 10, 1000, blinds=(10, 20)).play("3f")
    assert deal.hand.ended
    assert deal.hand.action_sequence == 1


def test_who_alone_has_chips_and_owes_somebody_is_asked_the_full_price() -> None:
    """R-B8, R-B13: 10 in against 12, the price 20; no raise, for nobody could call one."""
    deal = Deal(1000, 12, 1000, blinds=(10, 20)).play("3f")
    assert deal.actor == 1
    assert (deal.legal.call_amount, deal.legal.max_raise_to) == (10, 0)
    assert deal.play("1c").returned == {1: 8}


def test_the_big_blind_is_not_asked_where_all_others_are_all_in_for_less() -> None:
    """R-B8."""
    assert Deal(200, 200, 1).play("3a 1f").hand.ended


def test_check_is_legal_only_while_nothing_is_owed() -> None:
    """R-B10."""
    deal = Deal(200, 200, 200)
    assert deal.refusal("3k") == "CHECK_NOT_ALLOWED"
    assert deal.play("3c 1c").refusal("2k") == ""


def test_call_is_refused_where_nothing_is_owed() -> None:
    """R-B10, R-B11."""
    assert Deal(200, 200, 200).play("3c 1c").refusal("2c") == "NOTHING_TO_CALL"


def test_the_last_player_not_folded_wins_without_acting() -> None:
    """R-B10."""
    deal = Deal(200, 200, 200).play("3f 1f")
    assert deal.hand.ended
    assert deal.stacks == [199, 201, 200]


def test_the_last_player_not_folded_wins_even_a_pot_of_nothing() -> None:
    """R-B10: no posts at all, everybody folds."""
    deal = Deal(200, 200, posts=(), price=0, first_after=0).play("1f")
    assert deal.hand.ended
    assert deal.stacks == [200, 200]
    assert deal.pots == []


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    """R-B11."""
    deal = Deal(200, 200, 200)
    before = (list(deal.stacks), deal.hand.pot, deal.actor, deal.hand.action_sequence)
    for word in ("3k", "3b4", "3r3", "3r201", "3r0", "3b0"):
        assert deal.refusal(word)
    assert (list(deal.stacks), deal.hand.pot, deal.actor, deal.hand.action_sequence) == before


def test_a_refusal_names_the_bounds() -> None:
    """R-B11."""
    deal = Deal(200, 200, 200)
    refused = act(deal.hand, CHECK)
    assert isinstance(refused, Rejected)
    assert refused.facts == {"call_amount": 2}


def test_a_bet_where_there_is_one_and_a_raise_where_there_is_none_are_refused() -> None:
    """R-B11."""
    deal = Deal(200, 200, 200)
    assert deal.refusal("3b6") == "BET_ALREADY_MADE"
    deal.play("3c 1c 2k")
    assert deal.refusal("1r6") == "NO_BET_TO_RAISE"


def test_nobody_acts_in_a_hand_that_is_over() -> None:
    """R-B11."""
    deal = Deal(200, 200, 200).play("3f 1f")
    refused = decide(deal.hand, CHECK)
    assert isinstance(refused, Rejected)
    assert refused.reason == "DECISION_STALE"


def test_folding_is_legal_where_a_check_is_free() -> None:
    """R-B12 (TDA 58)."""
    deal = Deal(200, 200, 200).play("3c 1c 2f")
    assert deal.of(Folded)[-1].seat == 2
    assert deal.hand.street == 1


def test_no_raise_is_offered_when_every_other_player_is_all_in() -> None:
    """R-B13."""
    deal = Deal(200, 50, 200).play("3f 1r10 2a")
    assert deal.legal.call_amount == 40
    assert deal.legal.max_raise_to == 0
    assert deal.refusal("1r90") == "RAISE_NOT_ALLOWED"
    assert deal.refusal("1a") == "ALL_IN_NOT_ALLOWED"


def test_the_stacks_of_others_never_cap_a_raise_otherwise() -> None:
    """R-B13: 400 behind elsewhere; the minimum raise to 600 stays 600."""
    deal = Deal(400, 2000, blinds=(10, 20)).play("2r120 1r360")
    assert (deal.legal.min_raise_to, deal.legal.max_raise_to) == (600, 2000)
    assert deal.play("2r600 1c").returned == {2: 200}
