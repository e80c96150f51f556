"""What both evaluators promise, shown on each of them: R-C1 to R-C4."""

import pytest

from croupier.cards import parse_cards
from croupier.handrank.active import Evaluator, load

pytestmark = pytest.mark.parametrize("evaluator", [load(), load("reference")], ids=lambda each: each.name)


@pytest.mark.parametrize(
    ("cards", "same_as"),
    [
        ("AsKsQsJsTs 9s8s", "AsKsQsJsTs"),
        ("AsAhAdKcKh KdQc", "AsAhAdKcKh"),  # two sets of trips are one full house
        ("AsAhKdKcQh QdJc", "AsAhKdKcQh"),  # of three pairs two play, and the third is a kicker
        ("AsAhKdKc2h2d3c", "AsAhKdKc3c"),
        ("2s3h4d5c6h7d8c", "4d5c6h7d8c"),
        ("As2h3d4c5h Kd", "As2h3d4c5h"),
        ("2s3s4s5s7s 6h8d", "2s3s4s5s7s"),  # a flush over a higher straight
        ("2s3s4s5s6s 7h8d", "2s3s4s5s6s"),
        ("AsAhAdAcKhKdKc", "AsAhAdAcKh"),
        ("AsKsQsJs9s 7s2s", "AsKsQsJs9s"),
    ],
)
def test_the_best_five_count(evaluator: Evaluator, cards: str, same_as: str) -> None:
    assert evaluator.rank(parse_cards(cards)) == evaluator.rank(parse_cards(same_as))


def test_suits_never_break_a_tie(evaluator: Evaluator) -> None:
    assert evaluator.rank(parse_cards("AsKsQsJs9s")) == evaluator.rank(parse_cards("AcKcQcJc9c"))


def test_no_sixth_card_breaks_a_tie(evaluator: Evaluator) -> None:
    board = parse_cards("AsKdQh9c7s")
    assert len(set(evaluator.rank_holdem([parse_cards("3c2d"), parse_cards("5c4d")], board))) == 1


@pytest.mark.parametrize("board", ["2c3c4c", "2c3c4c5d", "2c3c4c5dQc"])
def test_a_showdown_is_its_hands(evaluator: Evaluator, board: str) -> None:
    hole_cards = [parse_cards(text) for text in ("AsKs", "QsQd", "6c7c", "AdAh")]
    ranks = evaluator.rank_holdem(hole_cards, parse_cards(board))
    assert ranks == [evaluator.rank(hole + parse_cards(board)) for hole in hole_cards]
    assert all(type(rank) is int for rank in ranks)


def test_a_showdown_of_nobody_has_no_ranks(evaluator: Evaluator) -> None:
    assert evaluator.rank_holdem([], parse_cards("2c3c4c")) == []


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        (b"", "not 0"),
        (bytes([0, 1, 2, 3]), "not 4"),
        (bytes(range(8)), "not 8"),
        (bytes([0, 1, 2, 3, 52]), "out of range"),
        (bytes([0, 1, 2, 3, 255]), "out of range"),
        (bytes([0, 1, 2, 3, 64]), "out of range"),
        (bytes([0, 1, 2, 3, 4, 5, 0]), "twice"),
        (bytes([7] * 7), "twice"),
    ],
)
def test_what_is_no_hand_is_refused(evaluator: Evaluator, cards: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        evaluator.rank(cards)


@pytest.mark.parametrize(
    ("hole_cards", "board", "complaint"),
    [
        ([b"\x00\x01"], bytes([2, 3]), "board has 3 to 5 cards, not 2"),
        ([b"\x00\x01"], bytes(range(2, 8)), "board has 3 to 5 cards, not 6"),
        ([b"\x00\x01\x02", b"\x03"], bytes([10, 11, 12]), "2 hole cards, not 3"),
        ([b"\x00\x01", b""], bytes([10, 11, 12]), "2 hole cards, not 0"),
        ([b"\x00\x01"], bytes([10, 11, 52]), "out of range"),
        ([b"\x00\xff"], bytes([10, 11, 12]), "out of range"),
        ([b"\x00\x01", b"\x02\x00"], bytes([10, 11, 12]), "twice"),
        ([b"\x00\x0a"], bytes([10, 11, 12]), "twice"),
        ([b"\x33\x32"] * 17, bytes([10, 11, 12]), "twice"),
        ([], bytes([10, 10, 12]), "twice"),
    ],
)
def test_what_is_no_showdown_is_refused(
    evaluator: Evaluator, hole_cards: list[bytes], board: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        evaluator.rank_holdem(hole_cards, board)
