"""Every game that is played here, each with the evaluator that ranks its hands; rules are the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier import handrank
from croupier.engine.game import Game, five_card_draw, holdem, omaha, omaha_hi_lo

GAMES: Final[Mapping[str, Game]] = {
    game.name: game
    for game in (
        holdem(handrank.rank_holdem),
        omaha(handrank.rank_omaha),
        omaha(handrank.rank_omaha, 5),
        omaha(handrank.rank_omaha, 6),
        omaha_hi_lo(handrank.rank_omaha, handrank.rank_omaha_low),
        five_card_draw(handrank.rank_five),
    )
}
"""By the name that house files and journals call them."""
