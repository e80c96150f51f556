"""Five-card draw: the best hand is the five cards held (R-C7), on both evaluators."""

import random

import pytest

from croupier.cards import DECK
from croupier.handrank.active import Evaluator, load

pytestmark = pytest.mark.parametrize("evaluator", [load(), load("reference")], ids=lambda each: each.name)


def test_the_five_cards_held_are_the_hand(evaluator: Evaluator) -> None:
    dice = random.Random(5)
    for _ in range(300):
        cards = bytes(dice.sample(DECK, 50))
        held = [cards[at : at + 5] for at in range(0, 5 * dice.randint(0, 10), 5)]
        assert evaluator.rank_five(held, b"") == [evaluator.rank(five) for five in held]


@pytest.mark.parametrize(
    ("held", "board", "complaint"),
    [
        ([bytes(range(5))], bytes([10, 11, 12]), "no board, and here are 3 cards"),
        ([], bytes([10]), "no board, and here are 1 cards"),
        ([bytes(range(4))], b"", "a draw hand has 5 cards, not 4"),
        ([bytes(range(6)), bytes(range(10, 14))], b"", "a draw hand has 5 cards, not 6"),
        ([bytes([0, 1, 2, 3, 52])], b"", "out of range"),
        ([bytes([0, 1, 2, 3, 255])], b"", "out of range"),
        ([bytes([0, 1, 2, 3, 3])], b"", "twice"),
        ([bytes(range(5)), bytes(range(4, 9))], b"", "twice"),
        ([bytes([51] * 5)] * 11, b"", "twice"),
    ],
)
def test_what_is_no_showdown_of_five_cards_is_refused(
    evaluator: Evaluator, held: list[bytes], board: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        evaluator.rank_five(held, board)
