"""Who shows, and in which order: R-H9."""

from __future__ import annotations

from tests.support.deals import Deal

DRY = "2c7d9hJs4h"


def test_the_last_to_bet_on_the_final_street_shows_first_then_clockwise() -> None:
    """R-H9."""
    deal = Deal(200, 200, 200).play("3c 1c 2k 1k 2k 3k 1k 2k 3k 1k 2b4 3c 1c")
    assert deal.shown == [2, 3, 1]


def test_without_a_bet_on_the_final_street_the_left_of_the_button_shows_first() -> None:
    """R-H9: a bet on an earlier street does not count."""
    deal = Deal(200, 200, 200).play("3c 1c 2k 1k 2k 3k 1k 2k 3b4 1c 2c 1k 2k 3k")
    assert deal.shown == [1, 2, 3]


def test_hands_turned_up_before_the_final_street_come_from_the_left_of_the_button() -> None:
    """R-H9."""
    assert Deal(200, 200, 200).play("3a 1c 2f").shown == [1, 3]


def test_every_hand_still_in_is_turned_up_where_losers_may_not_muck() -> None:
    """R-H9."""
    deal = Deal(200, 200, 200, holes={1: "AsAh", 2: "KsKh", 3: "QsQh"}, board=DRY, losing_hands_mucked=False)
    deal.play("3c 1c 2k").check_down()
    assert deal.shown == [1, 2, 3]


def test_a_hand_beaten_by_one_shown_before_is_mucked_where_the_house_lets_it() -> None:
    """R-H9."""
    deal = Deal(200, 200, 200, holes={1: "KsKh", 2: "QsQh", 3: "AsAh"}, board=DRY, losing_hands_mucked=True)
    deal.play("3c 1c 2k").check_down()
    assert deal.shown == [1, 3]


def test_a_hand_that_ties_is_not_mucked() -> None:
    """R-H9, R-P4."""
    deal = Deal(200, 200, holes={1: "AsKh", 2: "AdKc"}, board=DRY, losing_hands_mucked=True)
    deal.play("2c 1k").check_down()
    assert deal.shown == [1, 2]


def test_every_hand_is_turned_up_where_any_player_still_in_is_all_in() -> None:
    """R-H9 (TDA 16), in every house."""
    deal = Deal(200, 200, 20, holes={1: "AsAh", 2: "KsKh", 3: "QsQh"}, board=DRY, losing_hands_mucked=True)
    deal.play("3a 1c 2c").check_down()
    assert deal.shown == [1, 2, 3]


def test_an_all_in_player_who_folded_out_of_nothing_does_not_force_hands_up() -> None:
    """R-H9: only who is still in counts."""
    deal = Deal(200, 200, 200, holes={1: "AsAh", 2: "KsKh", 3: "QsQh"}, board=DRY, losing_hands_mucked=True)
    deal.play("3c 1c 2k 1k 2k 3f").check_down()
    assert deal.shown == [1]
