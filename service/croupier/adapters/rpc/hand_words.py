"""Hands in the words of the caller's language (R-C8), once the whole board is there."""

from __future__ import annotations

from typing import Final

from croupier.adapters.rpc import checks
from croupier.engine.game import Game
from croupier.handrank import words
from croupier.room.failures import Refusal

DEFAULT_LANGUAGE: Final = "en"


def chosen(language: str) -> str:
    """The language asked for, English by default. Raises Refusal LANGUAGE_UNKNOWN."""
    checks.optional_text("language", language)
    if language and language not in words.languages():
        raise Refusal("LANGUAGE_UNKNOWN", language=language, offered=",".join(words.languages()))
    return language or DEFAULT_LANGUAGE


class HandWords:
    """Describes the hands of one game in one language."""

    __slots__ = ("_board_cards", "_game", "_language")

    def __init__(self, game: Game, language: str) -> None:
        self._game = game
        self._language = language
        self._board_cards = sum(plan.board_cards for plan in game.streets)

    def of(self, hole_cards: bytes, board: bytes) -> tuple[str, str]:
        """The high hand and the low; each empty where there is none, or cards are missing."""
        game = self._game
        if len(hole_cards) != game.hole_cards or len(board) != self._board_cards:
            return "", ""
        high = words.describe(game.rank_hands([hole_cards], board)[0], self._language)
        low = game.rank_lows([hole_cards], board)[0] if game.rank_lows is not None else 0
        return high, words.describe_low(low, self._language) if low else ""
