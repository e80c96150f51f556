"""A showdown's hands in full: rank, class, the cards that make it and words for it, in every game."""

from collections.abc import Sequence
from typing import NamedTuple

from croupier import handrank
from croupier.handrank import words
from croupier.handrank.classes import HandClass, hand_class
from croupier.handrank.equity_games import EquityGame
from croupier.handrank.lows import NO_LOW


class Evaluated(NamedTuple):
    """`low_rank` is NO_LOW, and `best_low` empty, where there is no low or the game has none."""

    rank: int
    best_five: bytes
    low_rank: int
    best_low: bytes

    @property
    def hand_class(self) -> HandClass:
        return hand_class(self.rank)

    def description(self, language: str) -> str:
        """The hand in words; raises KeyError for a language without a catalogue."""
        return words.describe(self.rank, language)

    def low_description(self, language: str) -> str:
        """The low in words, empty where there is none."""
        return "" if self.low_rank == NO_LOW else words.describe_low(self.low_rank, language)


def evaluate(game: EquityGame, hands: Sequence[bytes], board: bytes) -> list[Evaluated]:
    """The hands in the order given. Raises ValueError where they are not those of one showdown of the game."""
    if game.name == "holdem":
        ranks = handrank.rank_holdem(hands, board)
        return [
            _high(rank, handrank.best_five(hand + board)) for hand, rank in zip(hands, ranks, strict=True)
        ]
    if not game.board_cards:
        ranks = handrank.rank_five(hands, board)
        return [_high(rank, handrank.best_five(hand)) for hand, rank in zip(hands, ranks, strict=True)]
    ranks = handrank.rank_omaha(hands, board)
    fives = [handrank.best_omaha(hand, board) for hand in hands]
    if game.name != "omaha_hi_lo":
        return [_high(rank, five) for rank, five in zip(ranks, fives, strict=True)]
    lows = handrank.rank_omaha_low(hands, board)
    best_lows = [handrank.best_omaha_low(hand, board) or b"" for hand in hands]
    return [Evaluated(*each) for each in zip(ranks, fives, lows, best_lows, strict=True)]


def _high(rank: int, best_five: bytes) -> Evaluated:
    return Evaluated(rank, best_five, NO_LOW, b"")
