"""Who shows, and in which order: R-H9."""

from __future__ import annotations

from tests.support.deals import OMAHA_HI_LO, Deal, ante

from croupier.cards import parse_cards
from croupier.engine.events import HoleCardsShown
from croupier.engine.showdown import turned_up

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


def test_a_loser_is_turned_up_where_its_owner_prefers_to_show() -> None:
    """R-H9."""
    deal = Deal(200, 200, 200, holes={1: "AsAh", 2: "KsKh", 3: "QsQh"}, board=DRY, losing_hands_mucked=True)
    deal.play("3c 1c 2k").check_down()
    assert turned_up(deal.hand) == [HoleCardsShown(1, parse_cards("AsAh"))]
    assert turned_up(deal.hand, {3})[1:] == [HoleCardsShown(3, parse_cards("QsQh"))]


def test_a_hand_that_can_win_a_side_pot_is_not_mucked_for_losing_the_main_pot() -> None:
    """R-H9: the ante of seat 1, which has the best hand, reaches the main pot alone."""
    antes = [ante(1, 4), ante(2, 10), ante(3, 10)]
    holes = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    deal = Deal(200, 200, 200, antes=antes, holes=holes, board=DRY, losing_hands_mucked=True)
    deal.play("3c 1c 2k").check_down()
    assert deal.pots == [(18, (1, 2, 3)), (12, (2, 3))]
    assert deal.shown == [1, 2]


LOW_BOARD = "4c6d7hKsKd"


def test_a_hand_that_can_win_the_low_is_not_mucked() -> None:
    """R-H9, R-P5: seat 2 has the only low, seat 3 neither high nor low."""
    holes = {1: "KhKcQsJd", 2: "As2s9hTc", 3: "QhQdJsTs"}
    deal = Deal(200, 200, 200, game=OMAHA_HI_LO, holes=holes, board=LOW_BOARD, losing_hands_mucked=True)
    deal.play("3c 1c 2k").check_down()
    assert deal.shown == [1, 2]


def test_a_low_that_ties_is_not_mucked_and_one_that_is_beaten_is() -> None:
    """R-H9, R-P4."""
    holes = {1: "KhKcQsJd", 2: "As2s9hTc", 3: "Ah3h9cTd", 4: "Ac2d9dTh"}
    deal = Deal(200, 200, 200, 200, game=OMAHA_HI_LO, holes=holes, board=LOW_BOARD, losing_hands_mucked=True)
    deal.play("3c 4c 1c 2k").check_down()
    assert deal.shown == [1, 2, 4]


def test_a_hand_without_a_low_is_mucked_though_nobody_has_one() -> None:
    """R-H9, R-C6."""
    holes = {1: "KhKcQsJd", 2: "As2s9hTc"}
    deal = Deal(200, 200, game=OMAHA_HI_LO, holes=holes, board="4cTd9sKsJc", losing_hands_mucked=True)
    deal.play("2c 1k").check_down()
    assert deal.shown == [1]
