"""One deck of 52 cards, and the text form of each: R-C1."""

import pytest

from croupier.cards import DECK, RANKS, SUITS, card_text, cards_text, parse_card, parse_cards


def test_card_is_four_times_rank_plus_suit() -> None:
    texts = [rank + suit for rank in RANKS for suit in SUITS]
    assert [parse_card(text) for text in texts] == list(range(52))
    assert (parse_card("2c"), parse_card("Td"), parse_card("As")) == (0, 33, 51)


def test_every_card_survives_text_and_back() -> None:
    assert parse_cards("".join(cards_text(DECK))) == DECK


def test_cards_may_be_spaced_or_not_and_keep_their_order() -> None:
    assert parse_cards("AsKs") == parse_cards(" As  Ks ") == bytes([51, 47])
    assert cards_text(parse_cards("2cAs")) == ["2c", "As"]
    assert parse_cards("") == b""


@pytest.mark.parametrize("text", ["", "A", "as", "AS", "1s", "10s", "Ax", "sA", "A s", " As", "Äs"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a card: .*as in 'As'"):
        parse_card(text)


@pytest.mark.parametrize("text", ["AsK", "A s", "As,Ks", "Asks"])
def test_a_malformed_card_among_others_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_cards(text)


@pytest.mark.parametrize("card", [-1, 52, 255])
def test_numbers_beyond_the_deck_have_no_text(card: int) -> None:
    with pytest.raises(ValueError, match="no card has the number"):
        card_text(card)
