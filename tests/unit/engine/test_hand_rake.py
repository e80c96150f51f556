"""What the house takes: R-K1, R-K2, R-K5, R-K6, R-K7."""

from __future__ import annotations

import pytest
from tests.support.deals import Deal

from croupier.engine.events import HandEnded, PotAwarded
from croupier.engine.hand import check_invariants
from croupier.engine.rake import RakeSchedule, proportional, rake_of
from croupier.engine.rejection import InvariantViolation

FIVE_PERCENT = RakeSchedule(basis_points=500)


def taken(schedule: RakeSchedule, pot: int, *, flop_dealt: bool = True, players: int = 6) -> int:
    return rake_of(schedule, pot, flop_dealt=flop_dealt, players=players)


def test_a_percentage_is_rounded_down() -> None:
    """R-K1, R-K2: once, on the sum."""
    assert taken(FIVE_PERCENT, 566) == 28
    assert taken(FIVE_PERCENT, 19) == 0


def test_a_percentage_is_rounded_half_to_even_where_the_house_says_so() -> None:
    """R-K1."""
    schedule = RakeSchedule(basis_points=500, rounding="half_even")
    assert [taken(schedule, pot) for pot in (250, 350, 450, 1010, 259, 251)] == [12, 18, 22, 50, 13, 13]


def test_a_step_counts_whole_steps_only() -> None:
    """R-K1, R-K3: 0.05 for each whole 1.00."""
    schedule = RakeSchedule(step=5, step_of=100)
    assert [taken(schedule, pot) for pot in (99, 100, 199, 200, 1050)] == [0, 5, 5, 10, 50]


def test_a_cap_holds_for_the_hand() -> None:
    """R-K1."""
    assert taken(RakeSchedule(basis_points=500, cap=30), 1000) == 30
    assert taken(RakeSchedule(step=5, step_of=100, cap=100), 5000) == 100


def test_a_cap_goes_by_the_number_of_players_dealt_in() -> None:
    """R-K1, R-K3: 1.00, 2.00 and 3.00 for 2, 3 to 4 and 5 to 10 players."""
    schedule = RakeSchedule(step=5, step_of=100, caps_by_players=((2, 100), (4, 200), (10, 300)))
    assert [taken(schedule, 100_000, players=players) for players in (2, 3, 4, 5, 10)] == [
        100,
        200,
        200,
        300,
        300,
    ]


def test_no_flop_no_drop_takes_nothing_before_the_flop() -> None:
    """R-K1."""
    schedule = RakeSchedule(basis_points=500, no_flop_no_drop=True)
    assert taken(schedule, 1000, flop_dealt=False) == 0
    assert taken(schedule, 1000) == 50
    deal = Deal(500, 500, 500, rake=schedule).play("3r100 1f 2f")
    assert deal.hand.rake == 0


def test_without_it_a_hand_that_ends_before_the_flop_is_raked() -> None:
    """R-K2: 5 % of the 202 that were contested, and nothing of the 200 that went back."""
    deal = Deal(500, 500, 500, rake=FIVE_PERCENT).play("3r100 1r300 2f 3f")
    assert deal.pots == [(202, (1,))]
    assert deal.hand.rake == 10


def test_a_jackpot_drop_is_taken_on_top_and_counts_as_rake() -> None:
    """R-K1, R-K6."""
    schedule = RakeSchedule(basis_points=500, cap=30, no_flop_no_drop=True, jackpot_drop=2)
    assert taken(schedule, 1000) == 32
    assert taken(schedule, 1000, flop_dealt=False) == 0
    assert taken(schedule, 19) == 0


def test_a_fixed_rake_is_a_recorded_hands_own() -> None:
    """R-K1: never more than the pots hold."""
    assert taken(RakeSchedule(fixed=17), 1000, flop_dealt=False) == 17
    assert taken(RakeSchedule(fixed=17), 5) == 5


def test_worked_170_from_pots_of_2400_600_and_400() -> None:
    """R-K5: 3400 at 5 %: 120, 30 and 20."""
    assert proportional(170, [2400, 600, 400]) == [120, 30, 20]
    deal = Deal(1000, 800, 600, 1000, rake=FIVE_PERCENT).play("3a 4a 1a 2a")
    assert [(event.amount, event.rake) for event in deal.of(PotAwarded)] == [
        (400, 20),
        (600, 30),
        (2400, 120),
    ]


def test_the_largest_remainder_takes_the_odd_chip_and_a_tie_the_earlier_pot() -> None:
    """R-K5."""
    assert proportional(10, [70, 20, 10]) == [7, 2, 1]
    assert proportional(3, [50, 30, 20]) == [1, 1, 1]
    assert proportional(1, [50, 50]) == [1, 0]
    assert proportional(5, [1, 1, 1]) == [2, 2, 1]
    assert proportional(0, [0, 0]) == [0, 0]


def test_rake_is_taken_before_anything_is_awarded() -> None:
    """R-K5."""
    deal = Deal(200, 200, board="TsJsQsKsAs", rake=RakeSchedule(fixed=3)).play("2a 1c")
    assert [event.awards for event in deal.of(PotAwarded)] == [(199, 198)]


def test_chips_in_are_chips_out_and_rake() -> None:
    """R-K6."""
    deal = Deal(137, 501, 88, 260, rake=FIVE_PERCENT).play("3a 4a 1a 2c")
    assert sum(deal.stacks) + deal.hand.rake == 137 + 501 + 88 + 260
    assert deal.hand.rake == 37


@pytest.mark.parametrize("spoil", ["stack", "pot", "rake"])
def test_a_missing_chip_is_noticed(spoil: str) -> None:
    """R-K6."""
    deal = Deal(200, 200, 200).play("3r6")
    if spoil == "stack":
        deal.hand.stack[0] -= 1
    elif spoil == "pot":
        deal.hand.pot += 1
    else:
        deal.hand.rake = -1
    with pytest.raises(InvariantViolation, match="600 chips came in"):
        check_invariants(deal.hand)


def test_a_negative_stack_is_noticed_even_where_the_sum_is_right() -> None:
    """R-K6."""
    deal = Deal(200, 200, 200)
    deal.hand.stack[0], deal.hand.stack[1] = -1, 398
    with pytest.raises(InvariantViolation):
        check_invariants(deal.hand)


def test_the_rake_is_attributed_in_proportion_to_what_each_paid_in() -> None:
    """R-K7: 100, 200, 200 and the folded blind's 2 into 502; the uncalled 300 count for nothing."""
    deal = Deal(100, 200, 500, 200, rake=RakeSchedule(fixed=25)).play("3a 4c 1a 2f")
    ended = deal.of(HandEnded)[0]
    assert ended.rake_paid == (5, 0, 10, 10)
    assert sum(ended.rake_paid) == ended.rake


def test_ties_of_the_attribution_go_in_seat_order_from_the_left_of_the_button() -> None:
    """R-K7."""
    deal = Deal(100, 100, 100, rake=RakeSchedule(fixed=4)).play("3a 1a 2a")
    assert deal.of(HandEnded)[0].rake_paid == (2, 1, 1)


def test_a_hand_without_rake_attributes_none() -> None:
    """R-K4, R-K7."""
    assert Deal(100, 100).play("2f").of(HandEnded)[0].rake_paid == (0, 0)
