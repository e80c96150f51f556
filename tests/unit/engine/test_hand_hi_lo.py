"""Who wins which half of which pot, and where odd chips go: R-C6, R-P4 and R-P5, in whole hands of Omaha Hi-Lo."""

from __future__ import annotations

from typing import Any

from tests.support.deals import OMAHA_HI_LO, Deal

from croupier.engine.events import Post, PostKind, PotAwarded
from croupier.engine.rake import RakeSchedule

BOARD = "4c6d7hKsKd"
"""Anyone with an ace and a two has a low of 7-6-4-2-A; who holds kings has the high."""
KINGS = "KhKcQsJd"
LOW = "As2s9hTc"
SAME_LOW = "Ah2h9cTd"
THIRD_LOW = "Ad2d9dTh"
NOTHING = "QhQdJsTs"


def hi_lo(*stacks: int, holes: dict[int, str], board: str = BOARD, **options: Any) -> Deal:
    return Deal(*stacks, game=OMAHA_HI_LO, holes=holes, board=board, **options)


def awards(deal: Deal) -> list[tuple[int, dict[int, int], dict[int, int]]]:
    """Of each pot, main pot first: its amount, what the high won and what the low."""
    awarded = sorted(deal.of(PotAwarded), key=lambda event: event.index)
    return [
        (
            event.amount,
            dict(zip(event.winners, event.awards, strict=True)),
            dict(zip(event.low_winners, event.low_awards, strict=True)),
        )
        for event in awarded
    ]


def test_the_best_high_and_the_best_low_win_half_each() -> None:
    """R-P5."""
    deal = hi_lo(100, 100, holes={1: KINGS, 2: LOW}).play("2a 1c")
    assert awards(deal) == [(200, {1: 100}, {2: 100})]
    assert deal.stacks == [100, 100]


def test_without_a_qualifying_low_high_takes_all() -> None:
    """R-C6."""
    deal = hi_lo(100, 100, holes={1: "KcJhTd4c", 2: "As2s9c8d"}, board="KdQs9h7c2d").play("2a 1c")
    assert awards(deal) == [(200, {1: 200}, {})]


def test_a_low_takes_two_cards_from_the_hand_and_three_from_the_board() -> None:
    """R-C5: A-2-3-4 in the hand and two low cards on the board are none."""
    deal = hi_lo(100, 100, holes={1: "KcKhJd9s", 2: "As2d3c4h"}, board="KdQs6h7cTd").play("2a 1c")
    assert awards(deal) == [(200, {1: 200}, {})]


def test_a_low_is_of_five_different_ranks() -> None:
    """R-C6: with an ace, a five and an eight on the board A-2 makes none, 2-3 does."""
    deal = hi_lo(100, 100, holes={1: "AsKc2sQh", 2: "2h3hQdJc"}, board="Ac5d8hKsKd").play("2a 1c")
    assert awards(deal) == [(200, {1: 100}, {2: 100})]


def test_straights_and_flushes_do_not_count_against_a_low_and_its_cards_serve_the_high_too() -> None:
    """R-C6, R-X5: the steel wheel wins the high, and with the same cards a part of the low."""
    holes = {1: "As2s9cTd", 2: "KcKhJd4c", 3: "Ah2hQcQd"}
    deal = hi_lo(90, 90, 90, holes=holes, board="3s4s5sKdKs").play("3a 1a 2a")
    assert awards(deal) == [(270, {1: 135}, {1: 68, 3: 67})]


def test_the_odd_chip_of_the_halves_goes_to_high() -> None:
    """R-P4, even where the low is nearer to the left of the button."""
    holes = {1: LOW, 2: NOTHING, 3: KINGS}
    deal = hi_lo(101, 101, 101, holes=holes).play("3a 1a 2a")
    assert awards(deal) == [(303, {3: 152}, {1: 151})]


def test_two_who_share_the_low_are_quartered_its_odd_chip_to_the_first_left_of_the_button() -> None:
    """R-P4, R-P5."""
    deal = hi_lo(101, 101, 101, holes={1: KINGS, 2: LOW, 3: SAME_LOW}).play("3a 1a 2a")
    assert awards(deal) == [(303, {1: 152}, {2: 76, 3: 75})]


def test_three_who_share_the_low_have_a_sixth_each() -> None:
    """R-P4, R-P5: 404 is 202 and 202, the low 68, 67 and 67."""
    holes = {1: LOW, 2: SAME_LOW, 3: KINGS, 4: THIRD_LOW}
    deal = hi_lo(101, 101, 101, 101, holes=holes).play("3a 4a 1a 2a")
    assert awards(deal) == [(404, {3: 202}, {1: 68, 2: 67, 4: 67})]


def test_two_who_share_the_high_are_quartered_and_the_odd_chip_of_each_half_stays_in_it() -> None:
    """R-P4, R-P5: 303 is 152 and 151; the high 76 and 76."""
    holes = {1: "KhQcJs9d", 2: LOW, 3: "KcQhJd9s"}
    deal = hi_lo(101, 101, 101, holes=holes).play("3a 1a 2a")
    assert awards(deal) == [(303, {1: 76, 3: 76}, {2: 151})]


def test_both_halves_may_have_an_odd_chip_of_their_own() -> None:
    """R-P4: 202 + 2 + 4 + 4: 212 is 106 and 106; with a dead 2, 107 and 107: 54 and 53 twice."""
    holes = {1: "KhQcJs9d", 2: LOW, 3: SAME_LOW, 4: "KcQhJd9s"}
    posts = (
        Post(1, PostKind.SMALL_BLIND, 1),
        Post(2, PostKind.BIG_BLIND, 2),
        Post(3, PostKind.TABLE_ANTE, 2),
    )
    deal = hi_lo(53, 53, 55, 53, holes=holes, posts=posts).play("3a 4a 1a 2a")
    assert awards(deal) == [(214, {1: 54, 4: 53}, {2: 54, 3: 53})]


def test_a_quarter_of_the_high_with_the_low_alone_is_three_quarters() -> None:
    """R-P5: the winners of high and of low are not the same players, so the pot is halved."""
    holes = {1: "Ah2h9cTd", 2: "As7s9dTc"}
    deal = hi_lo(100, 100, holes=holes, board="4c6d8hKsKd").play("2a 1c")
    assert awards(deal) == [(200, {1: 50, 2: 50}, {1: 100})]
    assert deal.stacks == [150, 50]


def test_where_high_and_low_have_the_same_winners_the_pot_is_one_split_among_them() -> None:
    """R-P5 (Robert's): 102 is 51 and 51, not 52 and 50; the main pot of 6 is 3 and 3."""
    holes = {1: "As2sKcQd", 2: "Ah2hKdQc", 3: "9c9dJhTs"}
    deal = hi_lo(51, 51, 51, holes=holes, board="3c4d5hJs8d", blinds=(1, 2)).play("3f 1a 2a")
    assert awards(deal) == [(102, {1: 51, 2: 51}, {})]
    short = hi_lo(50, 50, 2, holes=holes, board="3c4d5hJs8d").play("3a 1a 2a")
    assert awards(short) == [(6, {1: 3, 2: 3}, {}), (96, {1: 48, 2: 48}, {})]


def test_one_who_wins_high_and_low_scoops() -> None:
    """R-P5."""
    deal = hi_lo(101, 101, 101, holes={1: NOTHING, 2: "As2sKhKc", 3: "Ah3hQcJc"}).play("3a 1a 2a")
    assert awards(deal) == [(303, {2: 303}, {})]


def test_each_pot_is_halved_by_itself() -> None:
    """R-P5: the low of the main pot is not in the side pot, whose low is another's."""
    holes = {1: LOW, 2: KINGS, 3: "3s5sQdJh"}
    deal = hi_lo(51, 100, 100, holes=holes).play("3a 1a 2a")
    assert awards(deal) == [(153, {2: 77}, {1: 76}), (98, {2: 49}, {3: 49})]


def test_a_side_pot_without_a_low_is_the_highs_while_the_main_pot_is_halved() -> None:
    """R-C6, R-P5."""
    deal = hi_lo(51, 100, 100, holes={1: LOW, 2: KINGS, 3: NOTHING}).play("3a 1a 2a")
    assert awards(deal) == [(153, {2: 77}, {1: 76}), (98, {2: 98}, {})]


def test_a_layer_whose_contributors_have_folded_is_halved_with_the_pot_it_falls_to() -> None:
    """R-P6: 9 and 9 of two who fold later fall to the pot of 15."""
    holes = {1: KINGS, 2: LOW, 3: NOTHING, 4: "Qc9s9dTh"}
    deal = hi_lo(100, 5, 100, 100, holes=holes).play("3r14 4c 1c 2a 1k 3b20 4c 1c 1b20 3f 4f")
    assert awards(deal) == [(20, {1: 10}, {2: 10}), (3 * 29, {1: 87}, {})]


def test_rake_is_taken_before_the_pot_is_halved() -> None:
    """R-K5: 303 less 15."""
    rake = RakeSchedule(basis_points=500)
    deal = hi_lo(101, 101, 101, holes={1: KINGS, 2: LOW, 3: SAME_LOW}, rake=rake).play("3a 1a 2a")
    assert awards(deal) == [(303, {1: 144}, {2: 72, 3: 72})]
    assert deal.hand.rake == 15


def test_of_a_single_chip_the_low_has_none() -> None:
    """R-P4: a main pot of an ante of 1, the rest returned."""
    posts = (Post(1, PostKind.TABLE_ANTE, 1),)
    deal = hi_lo(1, 200, holes={1: KINGS, 2: LOW}, posts=posts, price=0, first_after=0)
    assert awards(deal) == [(1, {1: 1}, {2: 0})]


def test_who_alone_is_left_takes_the_pot_whole_and_shows_nothing() -> None:
    """R-H5."""
    deal = hi_lo(100, 100, holes={1: KINGS, 2: LOW}).play("2r6 1f")
    assert awards(deal) == [(4, {2: 4}, {})]
    assert deal.shown == []
