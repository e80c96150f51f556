"""Who may raise after having acted: R-B7 (TDA 47), in no limit and in fixed limit."""

from __future__ import annotations

from tests.support.deals import FIXED_LIMIT, Deal


def limit(*stacks: int) -> Deal:
    """Fixed limit 20/40, on the flop with nothing bet there yet (20 of each stack are in the pot)."""
    deal = Deal(*stacks, structure=FIXED_LIMIT, blinds=(10, 20), cap_lifts_heads_up=False)
    for seat in (*range(3, len(stacks) + 1), 1):
        deal.play(f"{seat}c")
    return deal.play("2k")


def may_raise(deal: Deal) -> bool:
    return deal.legal.max_raise_to > 0


def test_a_full_raise_reopens_the_betting() -> None:
    """R-B7."""
    assert may_raise(Deal(200, 200, 200).play("3r6 1r10 2f"))


def test_a_short_bet_does_not_reopen_for_those_who_checked() -> None:
    """R-B7: the minimum bet to begin with."""
    deal = Deal(200, 200, 3).play("3c 1c 2k 1k 2k 3a")
    assert not may_raise(deal)
    assert deal.legal.call_amount == 1


def test_a_short_bet_may_be_raised_by_those_who_have_not_acted() -> None:
    """R-B5, R-B7: by the minimum bet on top of it."""
    deal = Deal(3, 200, 200).play("3c 1c 2k 1a")
    assert deal.legal.min_raise_to == 3


def test_nobody_raises_a_bet_of_their_own_that_was_only_called() -> None:
    """R-B7: the street is over instead."""
    assert Deal(200, 200, 200).play("3r6 1c 2c").hand.street == 1


def test_each_seat_remembers_its_own_level() -> None:
    """R-B7: 325 over 200 is short for those who called 200, and no bar to those who have not acted."""
    deal = Deal(5000, 5000, 5000, 5000, 325, 5000, blinds=(100, 200)).play("3c 4c 5a")
    assert deal.actor == 6
    assert deal.legal.min_raise_to == 525
    deal.play("6c 1c 2f")
    assert deal.actor == 3
    assert not may_raise(deal)


def test_the_small_blind_that_has_not_acted_may_raise_a_short_all_in() -> None:
    """R-B7: posting is not acting."""
    assert may_raise(Deal(200, 200, 3).play("3a"))


def test_half_a_bet_counts_as_a_full_bet_in_fixed_limit() -> None:
    """R-B7: 15 on a 20 street: to 35."""
    deal = limit(500, 35, 500).play("1k 2a")
    assert (deal.legal.call_amount, deal.legal.min_raise_to, deal.legal.max_raise_to) == (15, 35, 35)
    deal.play("3c")
    assert deal.actor == 1
    assert may_raise(deal)


def test_less_than_half_a_bet_counts_as_a_call_and_may_be_completed() -> None:
    """R-B7: 5 on a 20 street: to 20."""
    deal = limit(500, 25, 500).play("1k 2a")
    assert (deal.legal.call_amount, deal.legal.min_raise_to) == (5, 20)
    deal.play("3c")
    assert deal.actor == 1
    assert not may_raise(deal)


def test_a_completed_bet_counts_as_the_bet_it_completes() -> None:
    """R-B7: a bet and three raises with the short one: to 20, 40, 60, 80, and no further."""
    deal = limit(500, 25, 500, 500).play("1k 2a 3r20 4r40 1r60 3r80")
    assert deal.actor == 4
    assert not may_raise(deal)


def test_half_a_raise_counts_towards_the_cap() -> None:
    """R-B3, R-B7: bets to 20, 40, all in for 55, raise to 75: four."""
    deal = limit(500, 500, 75, 500).play("1b20 2r40 3a 4r75")
    assert deal.actor == 1
    assert not may_raise(deal)


def test_less_than_half_a_raise_does_not_count_towards_the_cap() -> None:
    """R-B3, R-B7: bets to 20, 40, all in for 45; raises to 60 and 80."""
    deal = limit(500, 500, 65, 500).play("1b20 2r40 3a 4r60")
    assert deal.legal.max_raise_to == 80


def test_no_short_all_in_raises_a_capped_street() -> None:
    """R-B6: raising that the cap has closed stays closed for short stacks."""
    deal = limit(500, 105, 500, 500, 500).play("1k 2k 3b20 4r40 5r60 1r80")
    assert deal.actor == 2
    assert deal.refusal("2a") == "ALL_IN_NOT_ALLOWED"


def test_fixed_limit_reopens_for_a_seat_that_faces_at_least_half_a_bet() -> None:
    """R-B7, TDA 47B: bet 20, all in 28 called, all in 36: 16 are faced at 20, but only 8 at 28."""
    deal = limit(500, 48, 500, 56).play("1b20 2a 3c 4a")
    assert deal.actor == 1
    assert may_raise(deal)
    deal.play("1c")
    assert deal.actor == 3
    assert not may_raise(deal)
