"""Omaha hands, high (R-C5): hand-worked ones on both evaluators, and random ones on one against the other."""

import random
from collections.abc import Iterator

import pytest
from tests.support.cases import given_cases

from croupier.cards import DECK, parse_cards
from croupier.handrank import HandClass, hand_class, native, rank, reference
from croupier.handrank.active import Evaluator, load

Deal = tuple[list[bytes], bytes]

on_both = pytest.mark.parametrize("evaluator", [load(), load("reference")], ids=lambda each: each.name)


def random_deals(dice: random.Random, hole_count: int, deals: int) -> Iterator[Deal]:
    """One to as many hands as the deck can deal, the fewer the more often."""
    for _ in range(deals):
        board_count = dice.randint(3, 5)
        hand_count = min(dice.choice([1, 1, 1, 2, 2, 3, 6, 10]), (52 - board_count) // hole_count)
        cards = bytes(dice.sample(DECK, hand_count * hole_count + board_count))
        holes = [cards[at * hole_count :][:hole_count] for at in range(hand_count)]
        yield holes, cards[hand_count * hole_count :]


@on_both
@pytest.mark.parametrize(
    ("hole", "board", "five"),
    [
        ("AhKdQc3s", "2h7h9hJhKc", "KdKcAhJh9h"),  # one heart in the hole is no flush
        ("4h3h8c8d", "2h7h9hJhKc", "Jh9h7h4h3h"),
        ("AsAhAdAc", "KsKhKd2c3d", "KsKhKdAsAh"),  # of four aces two play
        ("AsAhAdAc", "7s8d9hTcJd", "AsAhJdTc9h"),
        ("2c3d4h5s", "AsKsQsJsTs", "AsKsQs5s4h"),  # a royal flush on the board is nobody's
        ("As3d4h5s", "2sKsQsJsTs", "AsKsQsJs5s"),
        ("9s2c3d4h", "TsJsQsKsAh", "AhKsQs9s4h"),  # four to a straight on the board want two of the hole
        ("9s8c3d4h", "TsJsQsKsAh", "QsJsTs9s8c"),
        ("KsKd2c3h", "KhKc7s8d9h", "KsKdKhKc9h"),
        ("AcQdQh2s", "QsJcJdJh4s", "QdQhQsJdJc"),
        ("As2s9cTd", "3s4s5sKdKs", "As2s3s4s5s"),  # steel wheel
        ("As2s9cTdJhQc", "3s4s5sKdKs", "As2s3s4s5s"),
        ("6s2s9cTd8h", "3s4s5sKdKs", "2s3s4s5s6s"),
        (
            "9c9dTcTd",
            "9hTh2s",
            "TcTdTh9h2s",
        ),  # a set and a pair on the flop are no full house with one card each
    ],
)
def test_exactly_two_hole_cards_play_with_exactly_three_of_the_board(
    evaluator: Evaluator, hole: str, board: str, five: str
) -> None:
    (high,) = evaluator.rank_omaha([parse_cards(hole)], parse_cards(board))
    assert high == rank(parse_cards(five))


@on_both
def test_an_omaha_showdown_is_its_hands(evaluator: Evaluator) -> None:
    board = parse_cards("7s8d9hTc2d")
    holes = [parse_cards(text) for text in ("JcJdAsAh", "6c5dKsKh", "QcJh3s3h", "AcAdKcKd")]
    ranks = evaluator.rank_omaha(holes, board)
    assert ranks == [evaluator.rank_omaha([hole], board)[0] for hole in holes]
    assert all(type(rank) is int for rank in ranks)
    assert ranks[2] > ranks[1] > ranks[0] == ranks[3]
    straight, pair = HandClass.STRAIGHT, HandClass.PAIR
    assert [hand_class(rank) for rank in ranks] == [pair, straight, straight, pair]


@pytest.mark.parametrize("hole_count", [4, 5, 6])
def test_random_omaha_hands_have_the_rank_the_reference_gives(hole_count: int) -> None:
    for holes, board in random_deals(random.Random(hole_count), hole_count, deals=1000):
        assert native.rank_omaha(holes, board) == reference.rank_omaha(holes, board)


@pytest.mark.parametrize("hole_count", [4, 5, 6])
def test_random_omaha_hands_have_the_low_the_reference_gives(hole_count: int) -> None:
    found = set()
    for holes, board in random_deals(random.Random(hole_count), hole_count, deals=2000):
        lows = native.rank_omaha_low(holes, board)
        assert lows == reference.rank_omaha_low(holes, board)
        found.update(lows)
    assert len(found) == 57


@on_both
@pytest.mark.parametrize("showdown", ["rank_omaha", "rank_omaha_low"])
@pytest.mark.parametrize(
    ("hole_cards", "board", "complaint"),
    [
        ([bytes(range(4))], bytes([10, 11]), "board has 3 to 5 cards, not 2"),
        ([bytes(range(4))], bytes(range(10, 16)), "board has 3 to 5 cards, not 6"),
        ([], bytes([10, 11]), "board has 3 to 5 cards, not 2"),
        ([bytes(range(3))], bytes([10, 11, 12]), "4, 5 or 6 hole cards, not 3"),
        ([bytes(range(7))], bytes([10, 11, 12]), "4, 5 or 6 hole cards, not 7"),
        ([b""], bytes([10, 11, 12]), "4, 5 or 6 hole cards, not 0"),
        ([b"", bytes(range(4))], bytes([10, 11, 12]), "4, 5 or 6 hole cards, not 0"),
        ([bytes(range(4)), bytes(range(20, 25))], bytes([10, 11, 12]), "of 4 and 5 hole cards"),
        ([bytes(range(5)), bytes(range(20, 23))], bytes([10, 11, 12]), "4, 5 or 6 hole cards, not 3"),
        ([bytes(range(4))], bytes([10, 11, 52]), "out of range"),
        ([bytes([0, 1, 2, 255])], bytes([10, 11, 12]), "out of range"),
        ([bytes([0, 1, 2, 64])], bytes([10, 11, 12]), "out of range"),
        ([bytes([0, 1, 2, 10])], bytes([10, 11, 12]), "twice"),
        ([bytes([0, 1, 2, 0])], bytes([10, 11, 12]), "twice"),
        ([bytes([0, 1, 2, 3]), bytes([4, 5, 6, 0])], bytes([10, 11, 12]), "twice"),
        ([bytes([51] * 6)] * 9, bytes([10, 11, 12]), "twice"),
        ([], bytes([10, 10, 12]), "twice"),
        ([], bytes([51] * 5), "twice"),
    ],
)
def test_what_is_no_omaha_showdown_is_refused(
    evaluator: Evaluator, showdown: str, hole_cards: list[bytes], board: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        getattr(evaluator, showdown)(hole_cards, board)


@on_both
def test_an_omaha_showdown_of_nobody_has_no_ranks(evaluator: Evaluator) -> None:
    assert evaluator.rank_omaha([], parse_cards("2c3c4c")) == []
    assert evaluator.rank_omaha_low([], parse_cards("2c3c4c")) == []


@on_both
def test_the_given_case_of_nine_cards_taken_as_one_hand_comes_out_right(evaluator: Evaluator) -> None:
    (case,) = (case for case in given_cases() if case["id"] == "HE-07")
    told, expected = case["input"], case["expected"]
    holes = [parse_cards(told["hole"][seat]) for seat in ("0", "1")]
    ranks = evaluator.rank_omaha(holes, parse_cards(told["board"]))
    assert [seat for seat, rank in enumerate(ranks) if rank == max(ranks)] == expected["winners"]
    names = {HandClass.PAIR: "pair", HandClass.FLUSH: "flush"}
    assert {str(seat): names[hand_class(rank)] for seat, rank in enumerate(ranks)} == expected["category"]
