import random

import pytest

from croupier.cards import DECK, cards_text, parse_cards
from croupier.handrank import best_omaha, best_omaha_low, rank, rank_low, rank_omaha, rank_omaha_low


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("AhKdQc3s", "2h7h9hJhKc", "Kd Kc Ah Jh 9h"),
        ("AsAhAdAc", "KsKhKd2c3d", "Ks Kh Kd As Ah"),
        ("9c2s3h4d", "5s6c7d8hAs", "7d 6c 5s 4d 3h"),
        ("As2s9cTd", "3s4s5sKdKs", "5s 4s 3s 2s As"),
        ("QcQhQdQsAsAh", "KsKhKc", "Ks Kh Kc As Ah"),
    ],
)
def test_best_omaha_cards_are_laid_out_as_they_are_read(hole: str, board: str, expected: str) -> None:
    assert cards_text(best_omaha(parse_cards(hole), parse_cards(board))) == expected.split()


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("As2s9cTd", "4c6d7hKsKd", "7h 6d 4c 2s As"),
        ("AsAd2c2s", "3h4s5d", "5d 4s 3h 2s As"),
        ("8s7d9cTh", "6h5s4d", "8s 7d 6h 5s 4d"),
        ("Ac3cKdQh", "Ah3s2d4c8h", "8h 4c 3c 2d Ac"),
        ("As2s9cTd", "KdQs9h7c2d", None),
    ],
)
def test_best_low_cards_go_from_the_highest_down(hole: str, board: str, expected: str | None) -> None:
    five = best_omaha_low(parse_cards(hole), parse_cards(board))
    assert (None if five is None else cards_text(five)) == (None if expected is None else expected.split())


@pytest.mark.parametrize("hole_count", [4, 5, 6])
def test_best_omaha_cards_make_the_rank_and_do_not_depend_on_the_order_dealt(hole_count: int) -> None:
    dice = random.Random(hole_count)
    for _ in range(200):
        cards = dice.sample(DECK, hole_count + 5)
        hole, board = cards[:hole_count], cards[hole_count:]
        high = best_omaha(bytes(hole), bytes(board))
        low = best_omaha_low(bytes(hole), bytes(board))
        assert rank(high) == rank_omaha([bytes(hole)], bytes(board))[0]
        assert (0 if low is None else rank_low(low)) == rank_omaha_low([bytes(hole)], bytes(board))[0]
        for five in (high, low or high):
            assert len(set(five) & set(hole)) == 2
            assert len(set(five) & set(board)) == 3
        dice.shuffle(hole)
        dice.shuffle(board)
        assert (high, low) == (
            best_omaha(bytes(hole), bytes(board)),
            best_omaha_low(bytes(hole), bytes(board)),
        )


def test_best_omaha_cards_of_what_is_no_hand_are_refused() -> None:
    for best in (best_omaha, best_omaha_low):
        with pytest.raises(ValueError, match="hole cards, not 2"):
            best(parse_cards("AsKs"), parse_cards("2c3c4c"))
        with pytest.raises(ValueError, match="twice"):
            best(parse_cards("AsKsQsJs"), parse_cards("As3c4c"))
