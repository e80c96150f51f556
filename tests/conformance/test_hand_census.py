"""The native evaluator against numbers that anybody can look up, and against the reference: R-C2, R-C3."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.census import comparisons
from tests.census.known import COUNTS
from tests.census.reference_ranks import Fives, judge_fives

from croupier.cards import DECK
from croupier.handrank import HandClass, native, reference

ROOT = Path(__file__).parents[2]
PAIRS = 200_000
HANDS = 20_000
BATCHES = ("avx512-rows", "avx512-columns", "avx512-masks", "avx2-masks")
C_NAMES = {each: each.name.lower().replace("_", " ") for each in HandClass} | {
    HandClass.FOUR_OF_A_KIND: "quads"
}
SMALL_DECK = 24
"""Deuces to sevens, of which there are hands of every class but the royal flush."""


@pytest.mark.timeout(300)
def test_every_hand_of_five_six_and_seven_cards_is_counted_in_its_class() -> None:
    report = subprocess.run(
        [sys.executable, "native/run_tests.py", "all"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    counts = {line[: line.rindex(" ")].rstrip(): line.split()[-1] for line in report.splitlines()}
    for batch in BATCHES:
        assert f"{batch}: each hand as it is alone" in report or f"{batch}: not on this processor" in report
    for size, expected in COUNTS.items():
        assert {each: int(counts[f"{size} cards {C_NAMES[each]}"]) for each in HandClass} == expected
    assert {size: sum(classes.values()) for size, classes in COUNTS.items()} == {
        5: 2_598_960,
        6: 20_358_520,
        7: 133_784_560,
    }


def test_each_of_the_7462_kinds_of_five_cards_has_the_rank_the_reference_gives() -> None:
    kinds = [bytes(cards) for cards in reference.hands_of_every_kind()]
    assert [native.rank(cards) for cards in kinds] == [reference.rank(cards) for cards in kinds]
    assert {native.rank(cards) for cards in kinds} == set(range(1, 7463))


def test_random_pairs_are_ordered_as_the_reference_orders_them() -> None:
    dice = random.Random(1_000_000)
    for _ in range(PAIRS):
        ten = bytes(dice.sample(DECK, 10))
        left, right = ten[:5], ten[5:]
        difference = native.rank(left) - native.rank(right)
        left_key, right_key = reference.five_card_key(left), reference.five_card_key(right)
        assert (difference > 0, difference < 0) == (left_key > right_key, left_key < right_key)


def test_random_six_and_seven_cards_have_the_rank_the_reference_gives() -> None:
    dice = random.Random(67)
    for size in (6, 7):
        for _ in range(HANDS):
            cards = bytes(dice.sample(DECK, size))
            assert native.rank(cards) == reference.rank(cards)


@pytest.fixture(scope="module")
def small_fives() -> Fives:
    return judge_fives(comparisons.fives_of(SMALL_DECK))


def proved(fives: Fives) -> dict[int, dict[HandClass, int]]:
    """What `make census` does with the whole deck and a million times as much."""
    told: list[int] = []

    def tell(_: str, count: int) -> None:
        told.append(count)

    classes = dict(comparisons.every_hand(fives.highs, SMALL_DECK, tell))
    for size in COUNTS:
        comparisons.random_hands(fives.highs, SMALL_DECK, size, 1000, tell)
    for hole_count in (4, 5, 6):
        comparisons.omaha_deals(fives, SMALL_DECK, hole_count, 1000, tell)
    assert sum(told) == 42_504 + 134_596 + 346_104 + 3 * 1000 + 3 * 1200
    return classes


def test_every_hand_of_a_smaller_deck_has_the_rank_the_reference_gives(small_fives: Fives) -> None:
    of_five, of_six, of_seven = proved(small_fives).values()
    assert {each for each, count in of_five.items() if not count} == {HandClass.ROYAL_FLUSH}
    assert of_five[HandClass.STRAIGHT_FLUSH] == 2 * 4  # to the six and to the seven
    assert (sum(of_six.values()), sum(of_seven.values())) == (134_596, 346_104)


@pytest.mark.parametrize("wrong", ["highs", "lows"])
def test_a_rank_that_is_another_is_found(small_fives: Fives, wrong: str) -> None:
    ranks = {name: np.copy(each) for name, each in small_fives._asdict().items()}
    ranks[wrong][ranks[wrong] == ranks[wrong].max()] -= 1
    with pytest.raises(comparisons.Difference, match=r"has the rank \d+, and by the reference \d+"):
        proved(Fives(**ranks))
