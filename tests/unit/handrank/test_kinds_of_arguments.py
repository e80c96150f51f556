"""What counts as a card, a set and a buffer, and which exception tells what does not: the same in every evaluator."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from croupier.cards import DECK
from croupier.handrank import reference
from croupier.handrank.active import Evaluator, load, supported

HANDS = 300
CARDS = bytes(range(11))


@pytest.fixture(params=supported())
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    return load(request.param)


def buffers(cards: bytes) -> list[Any]:
    return [
        cards,
        bytearray(cards),
        memoryview(cards),
        array("B", cards),
        np.frombuffer(cards, np.uint8),
    ]


class Index:
    """What is no int and stands for one."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


@pytest.mark.parametrize("kind", [int, Index, np.uint64, np.int64, np.array])
def test_a_set_is_whatever_stands_for_a_whole_number(
    evaluator: Evaluator, kind: Callable[[int], Any]
) -> None:
    royal_flush = 0x1F00 << 32
    assert evaluator.rank(kind(royal_flush)) == 7462
    assert evaluator.rank(kind(royal_flush | 1)) == 7462
    with pytest.raises(ValueError, match="5 to 7 cards, not 2"):
        evaluator.rank(kind(3))


def test_one_hand_is_any_buffer_of_bytes(evaluator: Evaluator) -> None:
    for each in buffers(CARDS[:7]):
        assert evaluator.rank(each) == reference.rank(CARDS[:7])
        assert evaluator.rank_low(each) == reference.rank_low(CARDS[:7])


def test_a_showdown_is_of_any_buffers_of_bytes(evaluator: Evaluator) -> None:
    for holes, board in zip(buffers(CARDS[:2]), buffers(CARDS[6:]), strict=True):
        assert evaluator.rank_holdem([holes], board) == reference.rank_holdem([CARDS[:2]], CARDS[6:])
    for holes, board in zip(buffers(CARDS[:6]), buffers(CARDS[6:]), strict=True):
        assert evaluator.rank_omaha([holes], board) == reference.rank_omaha([CARDS[:6]], CARDS[6:])
        assert evaluator.rank_omaha_low([holes], board) == reference.rank_omaha_low([CARDS[:6]], CARDS[6:])
    for holes in buffers(CARDS[:5]):
        assert evaluator.rank_five([holes], b"") == reference.rank_five([CARDS[:5]], b"")


NO_CARDS = ("AsKsQsJsTs", "", [0, 1, 2, 3, 4], (0, 1), None, 1.5, {5})


@pytest.mark.parametrize("wrong", [*NO_CARDS, np.float64(1)], ids=repr)
def test_one_hand_of_another_kind_is_a_type_error(evaluator: Evaluator, wrong: Any) -> None:
    with pytest.raises(TypeError):
        evaluator.rank(wrong)
    if not isinstance(wrong, float):
        with pytest.raises(TypeError):
            evaluator.rank_low(wrong)


@pytest.mark.parametrize("wrong", NO_CARDS, ids=repr)
def test_hands_and_boards_of_another_kind_are_type_errors(evaluator: Evaluator, wrong: Any) -> None:
    for ranked, hole, board in (
        (evaluator.rank_holdem, CARDS[:2], CARDS[6:]),
        (evaluator.rank_omaha, CARDS[:4], CARDS[6:]),
        (evaluator.rank_omaha_low, CARDS[:4], CARDS[6:]),
        (evaluator.rank_five, CARDS[:5], b""),
    ):
        with pytest.raises(TypeError):
            ranked([wrong], board)
        with pytest.raises(TypeError):
            ranked([hole, wrong], board)
        with pytest.raises(TypeError):
            ranked([hole], wrong)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (array("H", [1, 2, 3]), "cards are bytes, not numbers of 2 bytes"),
        (array("I", [1, 2]), "cards are bytes, not numbers of 4 bytes"),
        (memoryview(CARDS)[::2], "in one piece"),
        (np.arange(12, dtype=np.uint8)[:10:2], "in one piece"),
        (np.zeros((2, 0), np.uint8), "not 0"),
    ],
    ids=["array of H", "array of I", "strided view", "strided NumPy", "no columns"],
)
def test_buffers_that_are_no_bytes_are_value_errors(evaluator: Evaluator, wrong: Any, complaint: str) -> None:
    for ranked in (evaluator.rank, evaluator.rank_low):
        with pytest.raises(ValueError, match=complaint):
            ranked(wrong)
    for showdown in (evaluator.rank_holdem, evaluator.rank_omaha, evaluator.rank_omaha_low):
        with pytest.raises(ValueError, match=complaint):
            showdown([wrong], CARDS[6:])
        with pytest.raises(ValueError, match=complaint):
            showdown([CARDS[:2] if showdown == evaluator.rank_holdem else CARDS[:4]], wrong)
    with pytest.raises(ValueError, match=complaint):
        evaluator.rank_five([wrong], b"")


@pytest.mark.parametrize("wrong", [-1, 1 << 64, np.int64(-1), Index(-1), Index(1 << 70), True])
def test_numbers_that_are_no_set_are_value_errors(evaluator: Evaluator, wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"a set of cards has a bit that is none|from 5 to 7 cards"):
        evaluator.rank(wrong)


def test_counts_are_whatever_stands_for_a_whole_number(evaluator: Evaluator) -> None:
    six: Any = np.int64(6)
    four: Any = np.uint8(4)
    rows, omaha = CARDS[:6], CARDS[:9]
    assert evaluator.batches.rank_rows(rows, six).tolist() == [reference.rank(rows)]
    expected = reference.rank_omaha([omaha[:4]], omaha[4:])
    assert evaluator.batches.rank_omaha_rows(omaha, four).tolist() == expected


def dealt(size: int) -> list[bytes]:
    dice = random.Random(size)
    return [bytes(dice.sample(DECK, size)) for _ in range(HANDS)]


@pytest.mark.parametrize("at", [0, 1, 64, 1000, 7 * HANDS - 2 * HANDS])
def test_ranks_may_lie_over_the_rows_that_they_are_of(evaluator: Evaluator, at: int) -> None:
    hands = dealt(7)
    memory: Any = np.frombuffer(b"".join(hands), np.uint8).copy()
    start = at + (memory.ctypes.data + at) % 2
    out = memory[start : start + 2 * HANDS]
    ranks = evaluator.batches.rank_rows(memory, out=out.view(np.uint16))
    assert ranks.tolist() == [reference.rank(hand) for hand in hands]


@pytest.mark.parametrize("first", [0, 2, 32, 6 * HANDS // 2])
def test_ranks_may_lie_over_sets_and_columns(evaluator: Evaluator, first: int) -> None:
    hands = dealt(7)
    expected = [reference.rank(hand) for hand in hands]
    sets: Any = np.array(
        [sum(1 << 16 * (card % 4) + card // 4 for card in hand) for hand in hands], np.uint64
    )
    out = sets.view(np.uint16)[first : first + HANDS]
    assert evaluator.batches.rank_masks(sets, out=out).tolist() == expected
    columns: Any = np.array([list(hand) for hand in hands], np.uint8).T.copy()
    out = columns.reshape(-1)[first:][: 2 * HANDS].view(np.uint16)
    assert evaluator.batches.rank_columns(list(columns), out=out).tolist() == expected


def test_ranks_may_lie_over_omaha_rows(evaluator: Evaluator) -> None:
    hands = dealt(9)[:60]
    for ranked, alone in (
        (evaluator.batches.rank_omaha_rows, reference.rank_omaha),
        (evaluator.batches.rank_omaha_low_rows, reference.rank_omaha_low),
    ):
        memory: Any = np.frombuffer(b"".join(hands), np.uint8).copy()
        ranks = ranked(memory, out=memory[8 : 8 + 2 * 60].view(np.uint16))
        assert ranks.tolist() == [alone([hand[:4]], hand[4:])[0] for hand in hands]


def test_a_wrong_hand_is_told_by_its_place_though_ranks_lie_over_it(evaluator: Evaluator) -> None:
    hands = dealt(7)
    hands[3] = bytes(7)
    memory = bytearray(b"".join(hands))
    with pytest.raises(ValueError, match=r"hand 3, the first being 0: a card appears twice"):
        evaluator.batches.rank_rows(memory, out=memoryview(memory)[: 2 * HANDS].cast("H"))
