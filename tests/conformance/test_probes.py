"""Raises, blinds and pots that most engines get wrong, each as a case of its own (R-B5 to R-B8, TDA 47)."""

from __future__ import annotations

from tests.support.deals import Deal, ante

from croupier.engine.pots import build_pots


def may_raise(deal: Deal) -> bool:
    return deal.legal.max_raise_to > 0


def test_p1_one_short_all_in_does_not_reopen_the_betting() -> None:
    deal = Deal(19, 200, 200, 200).play("3r16 4c 1a 2f")
    assert deal.actor == 3
    assert not may_raise(deal)
    assert deal.refusal("3r33") == "RAISE_NOT_ALLOWED"


def test_p2_a_short_all_in_after_a_full_one_does_not_reopen_for_its_caller() -> None:
    deal = Deal(19, 200, 16, 200).play("3a 4c 1a 2c")
    assert deal.actor == 4
    assert not may_raise(deal)
    assert deal.refusal("4a") == "ALL_IN_NOT_ALLOWED"


def test_p3_two_short_all_ins_that_add_up_to_a_full_raise_reopen() -> None:
    deal = Deal(200, 200, 200, 14, 19, 200).play("3r10 4a 5a 6c 1f 2f")
    assert deal.actor == 3
    assert may_raise(deal)
    assert deal.legal.min_raise_to == 27


def test_p4_short_all_ins_reopen_for_the_seat_that_faces_a_full_raise_alone() -> None:
    deal = Deal(200, 200, 200, 14, 200, 19).play("3r10 4a 5c 6a 1f 2f")
    assert deal.actor == 3
    assert may_raise(deal)
    deal.play("3c")
    assert deal.actor == 5
    assert not may_raise(deal)
    assert deal.legal.call_amount == 5


def test_p5_the_minimum_raise_over_a_short_all_in_is_the_last_full_raise_on_top_of_it() -> None:
    deal = Deal(200, 200, 200, 14, 200, 200).play("3r10 4a")
    assert deal.actor == 5
    assert deal.legal.min_raise_to == 22


def test_p6_a_short_big_blind_lowers_neither_the_price_nor_the_minimum_raise() -> None:
    deal = Deal(200, 1, 200, 200)
    assert deal.actor == 3
    assert deal.legal.call_amount == 2
    assert deal.legal.min_raise_to == 4


def test_p7_the_big_blind_acts_last_and_may_raise() -> None:
    deal = Deal(200, 200, 200, 200).play("3c 4c 1c")
    assert deal.actor == 2
    assert deal.legal.call_amount == 0
    assert may_raise(deal)


def test_p8_antes_are_dead() -> None:
    deal = Deal(200, 200, 200, 200, antes=[ante(seat, 1) for seat in (1, 2, 3, 4)])
    assert deal.actor == 3
    assert deal.legal.call_amount == 2


def test_p9_a_stack_short_of_the_minimum_raise_may_go_all_in() -> None:
    deal = Deal(200, 200, 200, 30).play("3r20")
    assert deal.actor == 4
    assert deal.legal.min_raise_to == deal.legal.max_raise_to == deal.legal.all_in_to == 30


def test_p10_the_first_short_raise_leaves_the_minimum_raise_at_the_big_blind() -> None:
    deal = Deal(200, 200, 3, 200).play("3a")
    assert deal.actor == 4
    assert deal.legal.min_raise_to == 5


def test_p11_a_limper_facing_a_short_all_in_may_call_or_fold() -> None:
    deal = Deal(200, 200, 200, 3).play("3c 4a 1f 2c")
    assert deal.actor == 3
    assert deal.legal.call_amount == 1
    assert not may_raise(deal)


def test_chips_of_a_layer_whose_owners_folded_fall_to_the_pot_below() -> None:
    pots = build_pots([900, 900, 500, 500], [True, True, False, False], 0)
    assert pots == [(2800, (2, 3))]
