"""Pots, what goes back, and who wins what: R-B9 and R-P1 to R-P6."""

from __future__ import annotations

import pytest
from tests.support.deals import Deal, ante

from croupier.engine.events import Post, PostKind, PotAwarded
from croupier.engine.pots import Pot, build_pots, split
from croupier.engine.rake import RakeSchedule

BOARD = "2c7d9hJs4h"
ROYAL_BOARD = "TsJsQsKsAs"


def test_a_bet_that_nobody_called_goes_back_before_pots_are_built() -> None:
    """R-B9."""
    deal = Deal(5000, 5000, 5000, blinds=(50, 100)).play("3r300 1f 2c 2k 3b2000 2f")
    assert deal.returned == {3: 2000}
    assert deal.pots == [(650, (3,))]


def test_the_part_of_a_raise_that_nobody_called_goes_back() -> None:
    """R-B9."""
    deal = Deal(5000, 300, 5000).play("3r1000 1f 2a")
    assert deal.returned == {3: 700}


def test_the_part_that_a_folded_player_called_does_not_go_back() -> None:
    """R-B9, R-P1: 40 are called by one who folds later, 30 by one who is all in."""
    deal = Deal(200, 30, 200).play("3r40 1c 2a 1k 3b20 1f")
    assert deal.returned == {3: 20}
    assert deal.pots == [(90, (2, 3)), (20, (3,))]


def test_an_uncalled_bet_is_never_raked() -> None:
    """R-B9, R-K5."""
    deal = Deal(283, 600, blinds=(2, 5), rake=RakeSchedule(basis_points=500))
    deal.play("2r15 1c 1k 2b302 1a")
    assert deal.returned == {2: 34}
    assert deal.pots == [(566, (1, 2))]
    assert deal.hand.rake == 28


def test_what_nobody_called_goes_by_live_chips_and_the_ante_together() -> None:
    """R-B9, R-P1: 10 + 5 against an ante that reached 4, heads-up."""
    deal = Deal(4, 100, antes=[ante(1, 10), ante(2, 10)], blinds=(5, 10))
    assert deal.hand.ended
    assert deal.returned == {2: 11}
    assert deal.pots == [(8, (1, 2))]


def test_antes_of_folded_players_are_called_chips() -> None:
    """R-B9, R-P1: antes of 10, 4 (all it had) and 10; the small blind's 5 go back, its ante does not."""
    antes = [ante(1, 10), ante(2, 10), ante(3, 10)]
    deal = Deal(100, 4, 100, antes=antes, blinds=(5, 10)).play("3f")
    assert deal.returned == {1: 5}
    assert deal.pots == [(12, (1, 2)), (12, (1,))]


def test_side_pots_go_by_level_of_all_in() -> None:
    """R-P1."""
    assert build_pots([900, 400, 150], [False] * 3, 0) == [
        Pot(450, (0, 1, 2)),
        Pot(500, (0, 1)),
        Pot(500, (0,)),
    ]


def test_a_short_ante_makes_its_own_level() -> None:
    """R-P1: antes of 12 and 120; the pot of the short one is 12 from each."""
    antes = [ante(1, 120), ante(2, 120), ante(3, 120), ante(4, 12)]
    deal = Deal(5000, 5000, 5000, 12, blinds=(60, 120), antes=antes).play("3a 1c 2f")
    assert deal.pots == [(48, (1, 3, 4)), (2 * 5000 + 240 - 36, (1, 3))]


def test_a_table_ante_and_dead_posts_go_whole_into_the_main_pot() -> None:
    """R-P1, R-H10: they belong to no level."""
    posts = (
        Post(1, PostKind.SMALL_BLIND, 1),
        Post(2, PostKind.BIG_BLIND, 2),
        Post(3, PostKind.TABLE_ANTE, 10),
        Post(4, PostKind.DEAD_BLIND, 5),
    )
    deal = Deal(200, 20, 210, 205, posts=posts).play("3a 4c 1f 2a")
    assert deal.pots == [(10 + 5 + 1 + 60, (2, 3, 4)), (360, (3, 4))]


def test_a_table_ante_is_never_returned() -> None:
    """R-P1."""
    posts = (
        Post(1, PostKind.SMALL_BLIND, 1),
        Post(2, PostKind.BIG_BLIND, 2),
        Post(3, PostKind.TABLE_ANTE, 10),
    )
    deal = Deal(200, 200, 200, posts=posts).play("3f 1f")
    assert deal.returned == {2: 1}
    assert deal.pots == [(12, (2,))]


def test_a_seat_with_nothing_but_dead_money_in_is_eligible_for_that_alone() -> None:
    """R-P1: its post took all it had."""
    assert build_pots([50, 0, 50], [False] * 3, 15) == [Pot(15, (0, 1, 2)), Pot(100, (0, 2))]


def test_a_folded_players_chips_stay_in_the_pots_they_reached() -> None:
    """R-P1."""
    assert build_pots([30, 100, 60, 100], [False, False, True, False], 0) == [
        Pot(120, (0, 1, 3)),
        Pot(170, (1, 3)),
    ]


def test_pots_are_awarded_from_the_last_side_pot_to_the_main_pot() -> None:
    """R-P2."""
    deal = Deal(100, 200, 300, 300).play("3a 4c 1a 2a")
    assert [event.index for event in deal.of(PotAwarded)] == [2, 1, 0]


def test_the_best_hand_of_a_side_pot_need_not_be_the_second_best_of_all() -> None:
    """R-P2, R-X3."""
    holes = {1: "AsAh", 2: "KsKh", 3: "QsQh", 4: "3s3h"}
    deal = Deal(50, 100, 200, 200, holes=holes, board=BOARD).play("3a 4c 1a 2a")
    assert [(event.index, event.winners) for event in deal.of(PotAwarded)] == [
        (2, (3,)),
        (1, (2,)),
        (0, (1,)),
    ]


def test_worked_four_all_in_for_1000_800_600_1000() -> None:
    """R-P3: main 2400, side 600, side 400; third best, worst, best and second best hand in that order."""
    holes = {1: "QsQh", 2: "3s3h", 3: "AsAh", 4: "KsKh"}
    deal = Deal(1000, 800, 600, 1000, holes=holes, board=BOARD).play("3a 4a 1a 2a")
    assert deal.pots == [(2400, (1, 2, 3, 4)), (600, (1, 2, 4)), (400, (1, 4))]
    won = {event.index: event.winners for event in deal.of(PotAwarded)}
    assert won == {2: (4,), 1: (4,), 0: (3,)}
    assert deal.stacks == [0, 0, 2400, 1000]


def test_ties_split_the_pot() -> None:
    """R-P4."""
    deal = Deal(900, 400, 150, board=ROYAL_BOARD).play("3a 1a 2a")
    assert deal.stacks == [900, 400, 150]


def test_odd_chips_go_one_each_from_the_left_of_the_button() -> None:
    """R-P4."""
    assert split(101, 2) == [51, 50]
    assert split(11, 3) == [4, 4, 3]
    deal = Deal(100, 100, 100, holes={1: "AcKd", 3: "AdKc"}, board="QhQs7d7c2s", blinds=(5, 15))
    deal.play("3c 1c 2f").check_down()
    assert deal.stacks == [108, 85, 107]


def test_chips_of_a_layer_whose_owners_all_folded_fall_to_the_highest_pot_with_an_owner() -> None:
    """R-P6."""
    assert build_pots([900, 900, 500, 300], [True, True, False, False], 0) == [
        Pot(1200, (2, 3)),
        Pot(600 + 800, (2,)),
    ]


@pytest.mark.parametrize("dead", [0, 7])
def test_no_pot_is_empty_and_none_has_no_owner(dead: int) -> None:
    """R-P1, R-P6: where nobody still in paid into a level."""
    pots = build_pots([40, 0, 0], [True, False, False], dead)
    assert pots == [Pot(40 + dead, (1, 2))]
