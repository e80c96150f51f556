"""The games whose equities are calculated, by the names that house files call them; it calculates none."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class EquityGame(NamedTuple):
    """`number` is the game's in the native code. `ranking_ns` is about how long a hand of it takes with one board."""

    name: str
    number: int
    hole_cards: int
    board_cards: int
    ranking_ns: int

    @property
    def most_hands(self) -> int:
        """Hands that a deck holds beside the board, 10 at most."""
        return min(10, (52 - self.board_cards) // self.hole_cards)


EQUITY_GAMES: Final[Mapping[str, EquityGame]] = {
    game.name: game
    for game in (
        EquityGame("holdem", 0, 2, 5, 50),
        EquityGame("omaha", 1, 4, 5, 250),
        EquityGame("five_card_omaha", 1, 5, 5, 400),
        EquityGame("six_card_omaha", 1, 6, 5, 600),
        EquityGame("omaha_hi_lo", 2, 4, 5, 300),
        EquityGame("five_card_draw", 3, 5, 0, 50),
    )
}
