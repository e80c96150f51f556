"""How much may be bet and raised: R-B1 to R-B6."""

from __future__ import annotations

import pytest
from tests.support.deals import FIXED_LIMIT, POT_LIMIT, Deal, ante

from croupier.engine import events as ev


def pot_of(players: int, each: int) -> Deal:
    """Pot limit with nothing but antes in the pot: `players` times `each`."""
    antes = [ante(seat, each) for seat in range(1, players + 1)]
    return Deal(*[5000] * players, structure=POT_LIMIT, antes=antes, posts=(), price=0, first_after=0)


def test_no_limit_bets_go_from_the_minimum_bet_to_the_stack() -> None:
    """R-B1."""
    deal = Deal(200, 200, 200).play("3c 1c 2k")
    assert (deal.legal.min_bet_to, deal.legal.max_bet_to) == (2, 198)
    assert deal.refusal("1b1") == "BET_OUT_OF_RANGE"
    assert deal.refusal("1b199") == "BET_OUT_OF_RANGE"
    assert deal.refusal("1b198") == ""


def test_pot_limit_worked_third_player_over_a_pot_of_50_may_raise_by_80() -> None:
    """R-B2: pot 50, bet 10, call 10: to 90."""
    deal = pot_of(5, 10).play("1b10 2c")
    assert deal.legal.max_raise_to == 90
    assert deal.refusal("3r91") == "RAISE_OUT_OF_RANGE"
    assert deal.refusal("3r90") == ""


def test_pot_limit_worked_third_player_over_a_pot_of_480_may_raise_by_570() -> None:
    """R-B2: pot 480, bet 30, one caller: to 600."""
    assert pot_of(6, 80).play("1b30 2c").legal.max_raise_to == 600


def test_pot_limit_opens_for_at_most_the_pot() -> None:
    """R-B2."""
    assert pot_of(5, 10).legal.max_bet_to == 50


def test_pot_limit_opens_for_the_minimum_bet_over_a_smaller_pot() -> None:
    """R-B1, R-B2: a pot of less than the minimum bet never closes the betting."""
    deal = Deal(9, 9, structure=POT_LIMIT, antes=[ante(1, 1)], posts=(), price=0, first_after=0)
    assert (deal.legal.min_bet_to, deal.legal.max_bet_to) == (2, 2)


def test_pot_limit_counts_antes_dead_posts_and_straddles() -> None:
    """R-B2, R-H10."""
    posts = (
        ev.Post(1, ev.PostKind.SMALL_BLIND, 5),
        ev.Post(2, ev.PostKind.BIG_BLIND, 10),
        ev.Post(5, ev.PostKind.DEAD_BLIND, 5),
        ev.Post(3, ev.PostKind.STRADDLE, 20),
    )
    antes = [ante(seat, 1) for seat in (1, 2, 3, 4, 5)]
    deal = Deal(*[500] * 5, structure=POT_LIMIT, blinds=(5, 10), antes=antes, posts=posts, first_after=3)
    assert deal.actor == 4
    assert deal.legal.max_raise_to == 20 + (5 + 5 + 10 + 5 + 20) + 20


def test_pot_limit_counts_all_earlier_streets() -> None:
    """R-B2."""
    deal = Deal(500, 500, 500, structure=POT_LIMIT).play("3c 1c 2k 1b6 2c 3c")
    assert deal.legal.max_bet_to == 24


def test_pot_limit_counts_a_short_big_blind_as_posted_in_full() -> None:
    """R-B2, R-B8 (TDA 54B): blinds 50/100, 40 posted: to 350, not 290."""
    deal = Deal(5000, 40, 5000, 5000, structure=POT_LIMIT, blinds=(50, 100))
    assert (deal.legal.call_amount, deal.legal.min_raise_to, deal.legal.max_raise_to) == (100, 200, 350)


def test_pot_limit_forgets_the_short_big_blind_after_the_first_street() -> None:
    """R-B8."""
    deal = Deal(500, 1, 500, 500, structure=POT_LIMIT).play("3c 4c 1c")
    assert deal.legal.max_bet_to == 7


def test_pot_limit_may_not_go_all_in_beyond_the_pot() -> None:
    """R-B6."""
    deal = Deal(200, 200, 200, structure=POT_LIMIT)
    assert deal.legal.max_raise_to == 7
    assert deal.refusal("3a") == "ALL_IN_NOT_ALLOWED"
    assert Deal(200, 200, 7, structure=POT_LIMIT).refusal("3a") == ""


def test_fixed_limit_bets_small_small_big_big() -> None:
    """R-B3."""
    deal = Deal(200, 200, 200, structure=FIXED_LIMIT)
    assert (deal.legal.min_raise_to, deal.legal.max_raise_to) == (4, 4)
    for street, bet in (("3c 1c 2k", 2), ("1k 2k 3k", 4), ("1k 2k 3k", 4)):
        deal.play(street)
        assert (deal.legal.min_bet_to, deal.legal.max_bet_to) == (bet, bet)


def test_fixed_limit_takes_one_bet_and_three_raises_a_street() -> None:
    """R-B3: the big blind is the first bet."""
    deal = Deal(200, 200, 200, structure=FIXED_LIMIT).play("3r4 1r6 2r8")
    assert deal.legal.max_raise_to == 0
    assert deal.refusal("3r10") == "RAISE_NOT_ALLOWED"
    assert deal.refusal("3a") == "ALL_IN_NOT_ALLOWED"
    deal.play("3c 1c").play("1b2 2r4 3r6 1r8")
    assert deal.legal.max_raise_to == 0


@pytest.mark.parametrize(("lifts", "fifth"), [(True, 10), (False, 0)])
def test_fixed_limit_cap_between_two_players_is_the_houses(lifts: bool, fifth: int) -> None:
    """R-B3."""
    deal = Deal(200, 200, structure=FIXED_LIMIT, cap_lifts_heads_up=lifts).play("2r4 1r6 2r8")
    assert deal.legal.max_raise_to == fifth


def test_fixed_limit_cap_lifts_when_play_gets_down_to_two_before_it() -> None:
    """R-B3."""
    deal = Deal(200, 200, 200, structure=FIXED_LIMIT).play("3r4 1r6 2f 3r8")
    assert deal.legal.max_raise_to == 10


def test_fixed_limit_cap_stays_when_play_gets_down_to_two_after_it() -> None:
    """R-B3."""
    deal = Deal(200, 200, 200, structure=FIXED_LIMIT).play("3r4 1r6 2r8 3f")
    assert deal.legal.max_raise_to == 0


def test_fixed_limit_cap_lifts_when_all_but_two_are_all_in() -> None:
    """R-B3: two who can still bet, a third is all in."""
    deal = Deal(200, 200, 4, structure=FIXED_LIMIT).play("3a 1r6 2r8 1r10 2r12")
    assert deal.legal.max_raise_to == 14


def test_a_raise_is_at_least_the_last_full_one_on_top_of_the_level() -> None:
    """R-B5."""
    deal = Deal(200, 200, 200).play("3r9")
    assert deal.legal.min_raise_to == 16
    assert deal.play("1r30").legal.min_raise_to == 51
    assert deal.refusal("2r50") == "RAISE_OUT_OF_RANGE"


def test_the_first_raise_over_the_blinds_is_at_least_the_big_blind() -> None:
    """R-B5."""
    assert Deal(200, 200, 200, blinds=(5, 10)).legal.min_raise_to == 20


def test_the_first_raise_over_a_bet_is_at_least_that_bet() -> None:
    """R-B5."""
    assert Deal(200, 200, 200).play("3c 1c 2k 1b7").legal.min_raise_to == 14


def test_a_new_street_begins_with_the_minimum_bet_again() -> None:
    """R-B5."""
    assert Deal(200, 200, 200).play("3r20 1c 2c").legal.min_bet_to == 2


def test_a_stack_below_the_minimum_bet_may_be_bet_whole() -> None:
    """R-B6."""
    deal = Deal(9, 200, 200, blinds=(4, 8)).play("3c 1c 2k")
    assert (deal.legal.min_bet_to, deal.legal.max_bet_to, deal.legal.all_in_to) == (1, 1, 1)
    assert deal.refusal("1a") == ""


def test_a_stack_below_the_call_may_call_with_all_of_it() -> None:
    """R-B6."""
    deal = Deal(200, 200, 200, 3).play("3r20")
    assert (deal.legal.call_amount, deal.legal.all_in_to) == (3, 3)
    assert deal.play("4c").hand.stack[3] == 0


def test_going_all_in_is_a_call_a_bet_or_a_raise_as_it_falls() -> None:
    """R-B6."""
    deal = Deal(200, 50, 3, 200).play("3a 4r20 1c 2a")
    assert [event.to for event in deal.of(ev.Raised)] == [3, 20, 50]
    deal = Deal(50, 30, 200).play("3c 1c 2k 1a 2a")
    assert deal.of(ev.BetMade)[0].to == 48
    assert deal.of(ev.Called)[-1] == ev.Called(2, 28, 28, True)
