"""Many hands over buffers: what every evaluator gives and refuses, in each layout."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Iterator

import pytest

from croupier.cards import DECK
from croupier.handrank import implementation, rank, rank_rows, reference
from croupier.handrank.active import Evaluator, load, supported
from croupier.handrank.batch import Batches

HANDS = 150


@pytest.fixture(params=supported())
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    return load(request.param)


@pytest.fixture
def batches(evaluator: Evaluator) -> Batches:
    return evaluator.batches


def dealt(size: int = 7, count: int = HANDS) -> list[bytes]:
    dice = random.Random(1000 * size + count)
    return [bytes(dice.sample(DECK, size)) for _ in range(count)]


def cards_set(cards: bytes) -> int:
    return sum(1 << 16 * (card % 4) + card // 4 for card in cards)


def layouts(hands: list[bytes], batches: Batches) -> Iterator[array[int]]:
    yield batches.rank_rows(b"".join(hands))
    yield batches.rank_columns([bytes(hand[card] for hand in hands) for card in range(7)])
    yield batches.rank_masks(array("Q", map(cards_set, hands)))


@pytest.mark.parametrize("count", [1, 31, 32, 33, 63, 64, 65, HANDS])
def test_a_batch_is_its_hands_in_every_layout(batches: Batches, count: int) -> None:
    hands = dealt(count=count)
    alone = [rank(hand) for hand in hands]
    for ranks in layouts(hands, batches):
        assert (ranks.typecode, ranks.tolist()) == ("H", alone)


def test_a_hand_may_be_a_set(evaluator: Evaluator) -> None:
    for size in (5, 6, 7):
        for hand in dealt(size, 50):
            assert evaluator.rank(cards_set(hand)) == reference.rank(hand)


@pytest.mark.parametrize("size", [5, 6])
def test_rows_may_be_of_five_or_six_cards(batches: Batches, size: int) -> None:
    hands = dealt(size)
    assert batches.rank_rows(b"".join(hands), size).tolist() == [rank(hand) for hand in hands]


def test_no_hands_have_no_ranks(batches: Batches) -> None:
    assert not batches.rank_rows(b"")
    assert not batches.rank_columns([b""] * 7)
    assert not batches.rank_masks(array("Q"))
    assert not batches.rank_omaha_rows(b"", 6)
    assert batches.rank_omaha_hi_lo_rows(b"") == (array("H"), array("H"))


@pytest.mark.parametrize("hole_count", [4, 5, 6])
def test_omaha_rows_are_their_hands(evaluator: Evaluator, hole_count: int) -> None:
    rows = dealt(hole_count + 5, 60)
    highs = [evaluator.rank_omaha([row[:hole_count]], row[hole_count:])[0] for row in rows]
    lows = [evaluator.rank_omaha_low([row[:hole_count]], row[hole_count:])[0] for row in rows]
    batches, joined = evaluator.batches, b"".join(rows)
    assert batches.rank_omaha_rows(joined, hole_count).tolist() == highs
    assert batches.rank_omaha_low_rows(joined, hole_count).tolist() == lows
    assert [ranks.tolist() for ranks in batches.rank_omaha_hi_lo_rows(joined, hole_count)] == [highs, lows]
    assert set(lows) > {0}


def test_any_buffer_is_read_where_it_lies(batches: Batches) -> None:
    rows = b"".join(dealt())
    expected = batches.rank_rows(rows)
    shifted = memoryview(bytearray(b"\xff" + rows))[1:]
    for buffer in (bytearray(rows), array("B", rows), shifted, memoryview(rows).cast("B", (HANDS, 7))):
        assert batches.rank_rows(buffer) == expected


def test_ranks_go_where_they_are_asked_for(batches: Batches) -> None:
    rows = b"".join(dealt())
    expected = batches.rank_rows(rows)
    out = array("H", bytes(2 * HANDS))
    assert batches.rank_rows(rows, out=out) is out
    assert out == expected
    unaligned = memoryview(bytearray(2 * HANDS + 1))[1:]
    with pytest.raises(ValueError, match="as many 16-bit numbers"):
        batches.rank_rows(rows, out=unaligned)
    for wrong in (
        array("H"),
        array("H", bytes(2 * HANDS + 2)),
        array("I", bytes(2 * HANDS)),
        bytes(2 * HANDS),
    ):
        with pytest.raises(ValueError, match=f"{HANDS} hands go to as many 16-bit numbers"):
            batches.rank_rows(rows, out=wrong)


def test_numpy_arrays_are_buffers_too(batches: Batches) -> None:
    numpy = pytest.importorskip("numpy")
    hands = dealt()
    cards = numpy.frombuffer(b"".join(hands), dtype=numpy.uint8).reshape(HANDS, 7)
    out = numpy.zeros(HANDS, dtype=numpy.uint16)
    assert batches.rank_rows(cards, out=out) is out
    assert out.tolist() == [rank(hand) for hand in hands]
    assert batches.rank_columns(list(numpy.ascontiguousarray(cards.T))).tolist() == out.tolist()
    with pytest.raises(ValueError, match="in one piece"):
        batches.rank_rows(cards[:, ::-1])


@pytest.mark.parametrize("place", [0, 31, 64, HANDS - 1])
@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (bytes([0, 4, 8, 12, 16, 20, 52]), "out of range"),
        (bytes([0, 4, 8, 12, 16, 20, 255]), "out of range"),
        (bytes([0, 4, 8, 12, 16, 20, 64]), "out of range"),
        (bytes([0, 4, 8, 12, 16, 20, 0]), "twice"),
        (bytes(7), "twice"),
    ],
)
def test_what_is_no_hand_is_told_by_its_place(
    batches: Batches, place: int, wrong: bytes, complaint: str
) -> None:
    hands = dealt()
    hands[place] = wrong
    told = f"hand {place}, the first being 0: a card .*{complaint}"
    with pytest.raises(ValueError, match=told):
        batches.rank_rows(b"".join(hands))
    with pytest.raises(ValueError, match=told):
        batches.rank_columns([bytes(hand[card] for hand in hands) for card in range(7)])


@pytest.mark.parametrize("place", [0, 31, 32, HANDS - 1])
@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (0x3F, "7 cards, not 6"),
        (0xFF, "7 cards, not 8"),
        (1 << 13 | 0x3F, "a bit that is none"),
        (0, "not 0"),
    ],
)
def test_a_set_that_is_no_hand_is_told_by_its_place(
    batches: Batches, place: int, wrong: int, complaint: str
) -> None:
    sets = array("Q", map(cards_set, dealt()))
    sets[place] = wrong
    with pytest.raises(ValueError, match=f"hand {place}, the first being 0: .*{complaint}"):
        batches.rank_masks(sets)


@pytest.mark.parametrize("wrong", [bytes([0, 1, 2, 3, 4, 5, 6, 7, 0]), bytes([52, 1, 2, 3, 4, 5, 6, 7, 8])])
def test_an_omaha_row_that_is_no_hand_is_told_by_its_place(batches: Batches, wrong: bytes) -> None:
    rows = dealt(9)
    rows[17] = wrong
    for ranked in (batches.rank_omaha_rows, batches.rank_omaha_low_rows, batches.rank_omaha_hi_lo_rows):
        with pytest.raises(ValueError, match=r"hand 17, .*: a card"):
            ranked(b"".join(rows))


def test_buffers_of_another_shape_are_refused(batches: Batches) -> None:
    with pytest.raises(ValueError, match="8 bytes are no rows of 7 cards"):
        batches.rank_rows(bytes(8))
    with pytest.raises(ValueError, match="from 5 to 7 cards, not 8"):
        batches.rank_rows(bytes(8), 8)
    with pytest.raises(ValueError, match="seven buffers of one length"):
        batches.rank_columns([b"\0"] * 6)
    with pytest.raises(ValueError, match="seven buffers of one length"):
        batches.rank_columns([b"\0"] * 6 + [b""])
    with pytest.raises(ValueError, match="numbers of 8 bytes, not 4"):
        batches.rank_masks(array("I", [1]))
    with pytest.raises(ValueError, match="4, 5 or 6 hole cards, not 7"):
        batches.rank_omaha_rows(bytes(12), 7)
    with pytest.raises(TypeError):
        batches.rank_rows([0] * 7)  # type: ignore[call-overload]


def test_numbers_of_another_kind_or_order_are_refused(batches: Batches) -> None:
    """Their bytes may well look like cards: ranks of those would be wrong without a word."""
    hand = array("Q", [0x1F | 3 << 16])
    for kind in ("d", "f"):
        with pytest.raises(ValueError, match="sets of cards are numbers of 8 bytes"):
            batches.rank_masks(array(kind, [1.0]))
    with pytest.raises(ValueError, match="cards are bytes, not numbers of 4 bytes"):
        batches.rank_rows(array("I", range(7)))
    numpy = pytest.importorskip("numpy")
    other = ">" if sys.byteorder == "little" else "<"
    with pytest.raises(ValueError, match="sets of cards are numbers of 8 bytes"):
        batches.rank_masks(numpy.frombuffer(hand, numpy.uint64).astype(f"{other}u8"))
    for kind in (f"{other}u2", "float16"):
        with pytest.raises(ValueError, match="16-bit numbers"):
            batches.rank_masks(hand, out=numpy.zeros(1, kind))


@pytest.mark.parametrize("wrong", [-1, 1 << 64, 1 << 13 | 0x1F, 0xF, 0xFF, 0])
def test_a_set_that_is_no_hand_is_refused(evaluator: Evaluator, wrong: int) -> None:
    with pytest.raises(ValueError, match=r"a set of cards has a bit that is none|from 5 to 7 cards"):
        evaluator.rank(wrong)


@pytest.mark.parametrize("cards", [bytearray(range(5)), memoryview(bytes(range(5)))])
def test_one_hand_may_be_any_buffer(cards: bytes) -> None:
    assert rank(cards) == rank(bytes(range(5)))


def test_what_has_no_bytes_is_no_hand() -> None:
    with pytest.raises(TypeError):
        rank("AsKsQsJsTs")  # type: ignore[arg-type]


def test_a_hand_leaves_no_references_behind() -> None:
    cards = bytes(range(7))
    before = sys.getrefcount(cards)
    for _ in range(100):
        rank(cards)
    assert sys.getrefcount(cards) == before


def test_the_public_batches_are_those_of_the_evaluator_in_use() -> None:
    assert implementation() == load().name
    rows = b"".join(dealt())
    assert rank_rows(rows) == load().batches.rank_rows(rows)
