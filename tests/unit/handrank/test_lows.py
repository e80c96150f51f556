"""Eight-or-better lows (R-C6): their scale, and hand-worked ones on both evaluators."""

import random
from collections import Counter
from itertools import combinations

import pytest

from croupier.cards import DECK, parse_cards
from croupier.handrank import NO_LOW, STRONGEST_LOW, WEAKEST_LOW, low_ranks, native, reference
from croupier.handrank.active import Evaluator, load

on_both = pytest.mark.parametrize("evaluator", [load(), load("reference")], ids=lambda each: each.name)

# Weakest first.
ASCENDING = """
    8s7d6c5h4s  8s7d6c5h3s  8s7d6c5hAs  8s7d6c4h3s  8s7d3c2hAs  8s6d5c4h3s  8s6d5c4h2s  8s4d3c2hAs
    7s6d5c4h3s  7s6d5c4h2s  7s4d3c2hAs  6s5d4c3h2s  6s5d4c3hAs  6s4d3c2hAs  5s4d3c2hAs
"""


@on_both
def test_lows_compare_from_the_highest_card_down(evaluator: Evaluator) -> None:
    ranks = [evaluator.rank_low(parse_cards(cards)) for cards in ASCENDING.split()]
    assert ranks == sorted(set(ranks))
    assert (ranks[0], ranks[-1]) == (WEAKEST_LOW, STRONGEST_LOW)


@on_both
@pytest.mark.parametrize(
    ("cards", "same_as"),
    [
        ("As2s3s4s5s", "5s4d3c2hAs"),  # a straight flush counts for what its cards are
        ("8s7s6s5s4s", "8s7d6c5h4s"),
        ("AsAd2c3h4s5d", "5s4d3c2hAs"),
        ("AsAdAh8c7h3s2d", "8s7d3c2hAs"),
        ("8c7d6h5s4c3dAh", "6s5d4c3hAs"),
        ("KsQd8c4h3s2dAh", "8s4d3c2hAs"),
    ],
)
def test_the_lowest_five_count(evaluator: Evaluator, cards: str, same_as: str) -> None:
    assert evaluator.rank_low(parse_cards(cards)) == evaluator.rank_low(parse_cards(same_as)) > NO_LOW


@on_both
@pytest.mark.parametrize(
    "cards", ["9s4d3c2hAs", "4s4d3c2hAs", "AsKdQcJhTs", "AsAd2c2h3s3d4c", "9s9d9c8h7s6d5c"]
)
def test_fewer_than_five_ranks_of_eight_or_lower_are_no_low(evaluator: Evaluator, cards: str) -> None:
    assert evaluator.rank_low(parse_cards(cards)) == NO_LOW


def test_of_all_kinds_of_five_cards_56_are_lows_each_suited_or_not() -> None:
    kinds = [bytes(cards) for cards in reference.hands_of_every_kind()]
    lows = [native.rank_low(cards) for cards in kinds]
    assert lows == [reference.rank_low(cards) for cards in kinds]
    counted = Counter(lows)
    assert counted.pop(NO_LOW) == 7462 - 2 * 56
    assert counted == dict.fromkeys(range(1, 57), 2)


def test_random_cards_have_the_low_the_reference_gives() -> None:
    dice = random.Random(8)
    for _ in range(5000):
        cards = bytes(dice.sample(DECK, 7))
        for size in (5, 6, 7):
            assert native.rank_low(cards[:size]) == reference.rank_low(cards[:size])


def test_a_low_is_told_by_its_five_ranks() -> None:
    for places in combinations((6, 5, 4, 3, 2, 1, 0, 12), 5):
        low = reference.rank_low(bytes(4 * place for place in places))
        assert low_ranks(low) == places
    assert low_ranks(STRONGEST_LOW) == (3, 2, 1, 0, 12)
    assert low_ranks(WEAKEST_LOW) == (6, 5, 4, 3, 2)


@pytest.mark.parametrize("rank", [NO_LOW, -1, 57])
def test_there_are_no_ranks_off_the_scale(rank: int) -> None:
    with pytest.raises(ValueError, match="no low has the rank"):
        low_ranks(rank)


@on_both
@pytest.mark.parametrize(
    ("hole", "board", "five"),
    [
        ("As2s9cTd", "KdQs9h7c2d", None),  # two low cards on the board are one too few
        ("As2d3c4h", "5s6sKdQhJc", None),
        ("As2s9cTd", "4c6d7hKsKd", "7h6d4c2sAs"),
        ("As2sKcQd", "3c4d5hJs8d", "5h4d3c2sAs"),
        ("As2s9cTd", "3s4s5sKdKs", "5s4s3s2sAs"),
        ("As2d3c4h", "Ah2s7c8hKd", "7c4h3c2sAh"),  # counterfeited twice
        ("As3dKcQh", "Ah3s2d4c8h", "8h4c3d2dAs"),
        ("AsKdKcQh", "2h3s4d5c6h", None),  # one low card in the hole is one too few
        ("AsAdAhAc", "2h3s4d5c6h", None),
        ("AsAd2c2s", "3h4s5d", "5d4s3h2cAs"),
        ("AsKdKcQh7d", "2h3s4d8c8h", "7d4d3s2hAs"),
        ("JsTd8c6h5d9s", "2h3s4d", "6h5d4d3s2h"),
        ("8s7d9cTh", "6h5s4d", "8s7d6h5s4d"),
    ],
)
def test_a_low_takes_two_hole_cards_and_three_of_the_board(
    evaluator: Evaluator, hole: str, board: str, five: str | None
) -> None:
    (low,) = evaluator.rank_omaha_low([parse_cards(hole)], parse_cards(board))
    assert low == (NO_LOW if five is None else evaluator.rank_low(parse_cards(five)))


@on_both
@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        (bytes([0, 4, 8, 12]), "not 4"),
        (bytes(range(8)), "not 8"),
        (bytes([0, 4, 8, 12, 52]), "out of range"),
        (bytes([0, 4, 8, 12, 255]), "out of range"),
        (bytes([0, 4, 8, 12, 0]), "twice"),
    ],
)
def test_what_is_no_hand_has_no_low(evaluator: Evaluator, cards: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        evaluator.rank_low(cards)
