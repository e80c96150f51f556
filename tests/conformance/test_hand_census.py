"""The native evaluator against numbers that anybody can look up, and against the reference: R-C2, R-C3."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cards import DECK
from croupier.handrank import native, reference

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("CROUPIER_LONG"))
"""Whether `make census` runs this, which has the time for ten million pairs."""
PAIRS = 10_000_000 if LONG else 200_000
HANDS = 200_000 if LONG else 20_000
BATCHES = ("avx512-rows", "avx512-columns", "avx512-masks", "avx2-masks")

FIVE_CARDS = {
    "royal flush": 4,
    "straight flush": 36,
    "quads": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
SEVEN_CARDS = {
    "royal flush": 4_324,
    "straight flush": 37_260,
    "quads": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}


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
    for size, expected in ((5, FIVE_CARDS), (7, SEVEN_CARDS)):
        assert {name: int(counts[f"{size} cards {name}"]) for name in expected} == expected
    assert sum(FIVE_CARDS.values()) == 2_598_960
    assert sum(SEVEN_CARDS.values()) == 133_784_560


def test_each_of_the_7462_kinds_of_five_cards_has_the_rank_the_reference_gives() -> None:
    kinds = [bytes(cards) for cards in reference.hands_of_every_kind()]
    assert [native.rank(cards) for cards in kinds] == [reference.rank(cards) for cards in kinds]
    assert {native.rank(cards) for cards in kinds} == set(range(1, 7463))


@pytest.mark.timeout(3600 if LONG else 120)
def test_random_pairs_are_ordered_as_the_reference_orders_them() -> None:
    dice = random.Random(1_000_000)
    for _ in range(PAIRS):
        ten = bytes(dice.sample(DECK, 10))
        left, right = ten[:5], ten[5:]
        difference = native.rank(left) - native.rank(right)
        left_key, right_key = reference.five_card_key(left), reference.five_card_key(right)
        assert (difference > 0, difference < 0) == (left_key > right_key, left_key < right_key)


@pytest.mark.timeout(3600 if LONG else 120)
def test_random_six_and_seven_cards_have_the_rank_the_reference_gives() -> None:
    dice = random.Random(67)
    for size in (6, 7):
        for _ in range(HANDS):
            cards = bytes(dice.sample(DECK, size))
            assert native.rank(cards) == reference.rank(cards)
