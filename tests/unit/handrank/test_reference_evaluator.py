"""The oracle itself, against hands written out by hand: R-C2, R-C3."""

from itertools import pairwise

import pytest

from croupier.cards import parse_cards
from croupier.handrank import HandClass, hand_class, reference

# R-C2 and R-C3: weakest first, each stronger than the one before it.
ASCENDING = """
    7s5d4d3d2d  8s5d4d3d2d  8s6d4d3d2d  KsQdJd9d8d  As6d4d3d2d  AsKdQdJd9d
    2s2d5c4c3c  2s2dAcKcQc  3s3d5c4c2c  AsAd4c3c2c  AsAd5c3c2c  AsAd5c4c2c  AsAdKcQcJc
    3s3d2s2d4c  3s3d2s2dAc  4s4d2s2d3c  4s4d3s3d2c  AsAd2s2d3c  AsAdKsKdQc
    2s2d2c4c3c  2s2d2cAcKc  3s3d3c4c2c  AsAdAcKcQc
    As2d3d4d5d  2s3d4d5d6d  3s4d5d6d7d  9sTdJdQdKd  TsJdQdKdAd
    7s5s4s3s2s  8s5s4s3s2s  AsKsQsJs9s
    2s2d2c3s3d  2s2d2cAsAd  3s3d3c2s2d  AsAdAc2s2d  AsAdAcKsKd
    2s2d2c2h3s  2s2d2c2hAs  3s3d3c3h2s  AsAdAcAhKs
    As2s3s4s5s  2s3s4s5s6s  9sTsJsQsKs  TsJsQsKsAs
"""

CLASSES = {
    "KsQdJd9d8d": HandClass.HIGH_CARD,
    "As2d3d4dKd": HandClass.HIGH_CARD,  # no wrap-around
    "KsQdAd2d3d": HandClass.HIGH_CARD,
    "2s2dAcKcQc": HandClass.PAIR,
    "3s3d2s2d4c": HandClass.TWO_PAIR,
    "2s2d2cAcKc": HandClass.THREE_OF_A_KIND,
    "As2d3d4d5d": HandClass.STRAIGHT,
    "TsJdQdKdAd": HandClass.STRAIGHT,
    "AsKsQsJs9s": HandClass.FLUSH,
    "As2s3s4sKs": HandClass.FLUSH,
    "AsAdAc2s2d": HandClass.FULL_HOUSE,
    "AsAdAcAhKs": HandClass.FOUR_OF_A_KIND,
    "As2s3s4s5s": HandClass.STRAIGHT_FLUSH,
    "9hThJhQhKh": HandClass.STRAIGHT_FLUSH,
    "ThJhQhKhAh": HandClass.ROYAL_FLUSH,
}


def test_hands_rank_in_the_order_of_the_rulebook() -> None:
    ranks = [reference.rank(parse_cards(cards)) for cards in ASCENDING.split()]
    assert all(weaker < stronger for weaker, stronger in pairwise(ranks))
    assert (ranks[0], ranks[-1]) == (1, 7462)


@pytest.mark.parametrize(("cards", "expected"), CLASSES.items())
def test_hands_fall_into_their_class(cards: str, expected: HandClass) -> None:
    assert reference.key(parse_cards(cards))[0] == expected
    assert hand_class(reference.rank(parse_cards(cards))) is expected


def test_the_classes_cut_the_scale_where_the_keys_change_class() -> None:
    assert {hand_class(rank) == key[0] for key, rank in reference.scale().items()} == {True}
    assert sorted(reference.scale().values()) == list(range(1, 7463))


@pytest.mark.parametrize("rank", [0, -1, 7463])
def test_there_is_no_class_off_the_scale(rank: int) -> None:
    with pytest.raises(ValueError, match="no hand has the rank"):
        hand_class(rank)
