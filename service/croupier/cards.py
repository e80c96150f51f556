"""Cards as the numbers 0 to 51 and as text ("As"); it ranks no hands and shuffles no deck.

A card is 4 * rank + suit: rank 0 is the deuce and 12 the ace, suits 0 to 3 are c d h s.
Cards in order are `bytes`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

Card: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = bytes(range(52))

_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {text: card for card, text in enumerate(_TEXTS)}


def card_text(card: Card) -> str:
    """Raises ValueError outside 0 to 51."""
    if not 0 <= card < len(_TEXTS):
        raise ValueError(f"no card has the number {card}: they go from 0 (2c) to 51 (As)")
    return _TEXTS[card]


def cards_text(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def parse_card(text: str) -> Card:
    """Reads "As": upper-case rank, lower-case suit, nothing else. Raises ValueError for what is no card."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(
            f"not a card: {text!r} (a card is one of {RANKS} and then one of {SUITS}, as in 'As')"
        ) from None


def parse_cards(text: str) -> bytes:
    """Reads "AsKs" or "As Ks", in that order; a card may repeat. Raises ValueError where one is malformed."""
    return bytes(parse_card(word[at : at + 2]) for word in text.split() for at in range(0, len(word), 2))
