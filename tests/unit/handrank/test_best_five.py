import random

import pytest

from croupier.cards import DECK, cards_text, parse_cards
from croupier.handrank import best_five, rank


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("2cAsKsQsJsTs3d", "As Ks Qs Js Ts"),
        ("As2d3d4d5cKsQh", "5c 4d 3d 2d As"),
        ("As2h3h4h5hAh", "5h 4h 3h 2h Ah"),
        ("KcAd2s2hKdQs3c", "Kd Kc 2s 2h Ad"),
        ("5c5d5hKsKdKhAs", "Ks Kh Kd 5h 5d"),
        ("9c9d9h9sAsKs2c", "9s 9h 9d 9c As"),
        ("7s5d4d3d2d", "7s 5d 4d 3d 2d"),
    ],
)
def test_best_five_are_laid_out_as_they_are_read(cards: str, expected: str) -> None:
    assert cards_text(best_five(parse_cards(cards))) == expected.split()


def test_best_five_do_not_depend_on_the_order_dealt() -> None:
    dice = random.Random(7)
    for _ in range(200):
        cards = dice.sample(DECK, 7)
        five = best_five(bytes(cards))
        assert five == best_five(bytes(dice.sample(cards, 7)))
        assert set(five) <= set(cards)
        assert rank(five) == rank(bytes(cards))


def test_best_five_of_what_is_no_hand_are_refused() -> None:
    with pytest.raises(ValueError, match="not 4"):
        best_five(parse_cards("AsKsQsJs"))
