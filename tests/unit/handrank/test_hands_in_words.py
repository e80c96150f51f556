"""R-C8: hands in words, in English and in German."""

import pytest

from croupier.cards import parse_cards
from croupier.handrank import (
    STRONGEST,
    STRONGEST_LOW,
    WEAKEST,
    WEAKEST_LOW,
    HandClass,
    rank,
    rank_low,
    reference,
)
from croupier.handrank.words import describe, describe_low, languages
from croupier.handrank.words.kinds import high_kind

HIGH = [
    ("7s5d4d3d2d", "High card, seven", "Höchste Karte, Sieben"),
    ("KsQdJd9d8d", "High card, king", "Höchste Karte, König"),
    ("AsKdQdJd9d", "High card, ace", "Höchste Karte, Ass"),
    ("2s2d5c4c3c", "Pair of deuces", "Zwilling, Zweien"),
    ("6s6dAcKcQc", "Pair of sixes", "Zwilling, Sechsen"),
    ("AsAdKcQcJc", "Pair of aces", "Zwilling, Asse"),
    ("3s3d2s2dAc", "Two pair, threes and deuces", "Zwei Zwillinge, Dreien und Zweien"),
    ("JsJd9s9dKc", "Two pair, jacks and nines", "Zwei Zwillinge, Buben und Neunen"),
    ("AsAdKsKdQc", "Two pair, aces and kings", "Zwei Zwillinge, Asse und Könige"),
    ("7s7d7c4c2c", "Three of a kind, sevens", "Drilling, Siebenen"),
    ("QsQdQcAcKc", "Three of a kind, queens", "Drilling, Damen"),
    ("As2d3d4d5d", "Straight, five high", "Straße bis zur Fünf"),
    ("6s7d8d9dTd", "Straight, ten high", "Straße bis zur Zehn"),
    ("7s8d9dTdJd", "Straight, jack high", "Straße bis zum Buben"),
    ("8s9dTdJdQd", "Straight, queen high", "Straße bis zur Dame"),
    ("TsJdQdKdAd", "Straight, ace high", "Straße bis zum Ass"),
    ("8s6s4s3s2s", "Flush, eight high", "Flush, Acht hoch"),
    ("As5s4s3s7s", "Flush, ace high", "Flush, Ass hoch"),
    ("KsKdKc5s5d", "Full house, kings full of fives", "Full House, Könige über Fünfen"),
    ("5s5d5cKsKd", "Full house, fives full of kings", "Full House, Fünfen über Könige"),
    ("TsTdTc4s4d", "Full house, tens full of fours", "Full House, Zehnen über Vieren"),
    ("8s8d8cQsQd", "Full house, eights full of queens", "Full House, Achten über Damen"),
    ("9s9d9c9hAs", "Four of a kind, nines", "Vierling, Neunen"),
    ("AsAdAcAhKs", "Four of a kind, aces", "Vierling, Asse"),
    ("As2s3s4s5s", "Straight flush, five high", "Straight Flush bis zur Fünf"),
    ("5h6h7h8h9h", "Straight flush, nine high", "Straight Flush bis zur Neun"),
    ("9sTsJsQsKs", "Straight flush, king high", "Straight Flush bis zum König"),
    ("TdJdQdKdAd", "Royal flush", "Royal Flush"),
]
LOW = [
    ("8s7d6h5c4s", "8-7-6-5-4"),
    ("8s6d4h3cAs", "8-6-4-3-A"),
    ("8s8d7h5c3s2sAd", "7-5-3-2-A"),
    ("7s6s5s4s3s", "7-6-5-4-3"),
    ("As2s3s4s5s", "5-4-3-2-A"),
]


@pytest.mark.parametrize(("cards", "english", "german"), HIGH)
def test_a_high_hand_in_words(cards: str, english: str, german: str) -> None:
    of = rank(parse_cards(cards))
    assert (describe(of), describe(of, "en"), describe(of, "de")) == (english, english, german)


@pytest.mark.parametrize(("cards", "words"), LOW)
def test_a_low_in_words(cards: str, words: str) -> None:
    of = rank_low(parse_cards(cards))
    assert (describe_low(of), describe_low(of, "de")) == (f"{words} low", f"{words} Low")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_hand_has_its_words(language: str) -> None:
    """All 7,462, and two of them the same words only where they differ in ranks that words do not name."""
    named = {HandClass.TWO_PAIR: 2, HandClass.FULL_HOUSE: 2, HandClass.ROYAL_FLUSH: 0}
    told = set()
    for of in range(WEAKEST, STRONGEST + 1):
        hand_class, ranks = high_kind(of)
        told.add((hand_class, ranks[: named.get(hand_class, 1)], describe(of, language)))
    assert len(told) == len({words for *_, words in told}) == 8 + 13 + 78 + 13 + 10 + 8 + 156 + 13 + 9 + 1


def test_hand_ranks_are_read_backwards_as_the_reference_reads_cards() -> None:
    """R-C2, R-C3: class and tie-breakers of all 7,462."""
    kinds = [high_kind(of) for of in range(WEAKEST, STRONGEST + 1)]
    assert [(hand_class, *ranks) for hand_class, ranks in kinds] == list(reference.scale())


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_low_has_words_of_its_own(language: str) -> None:
    """R-C6: all 56."""
    assert len({describe_low(of, language) for of in range(WEAKEST_LOW, STRONGEST_LOW + 1)}) == 56


def test_the_languages_are_those_of_the_files() -> None:
    assert languages() == ("de", "en")


@pytest.mark.parametrize("language", ["fr", "", "EN", "en.toml"])
def test_an_unknown_language_is_refused_with_those_there_are(language: str) -> None:
    for words in (describe, describe_low):
        with pytest.raises(ValueError, match=f"'{language}': pick one of de, en$"):
            words(1, language)


@pytest.mark.parametrize("of", [0, -1, 7463])
def test_what_is_no_hand_rank_has_no_words(of: int) -> None:
    with pytest.raises(ValueError, match=f"rank {of}:"):
        describe(of)


@pytest.mark.parametrize("of", [0, -1, 57])
def test_what_is_no_low_has_no_words(of: int) -> None:
    with pytest.raises(ValueError, match=f"rank {of}:"):
        describe_low(of)
