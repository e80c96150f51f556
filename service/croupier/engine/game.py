"""A game's description: its streets, its cards, and how hands are compared; nothing of limits or money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

import msgspec

RankHands = Callable[[Sequence[bytes], bytes], list[int]]
"""Strength of each hand from its hole cards and the board, in the order given; larger is stronger."""


class Street(IntEnum):
    """Where the betting stands; showdown is a phase, no street."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3
    PREDRAW = 4
    DRAW = 5
    POSTDRAW = 6


class StreetPlan(msgspec.Struct, frozen=True):
    """One round: board cards dealt before it (one burned first), and which fixed bet it plays.

    With `draw` nobody bets in it: everyone still in exchanges cards in turn (R-H7).
    """

    street: Street
    board_cards: int
    big_bet: bool
    draw: bool = False


class Game(msgspec.Struct, frozen=True):
    """A game is data: adding one adds a description, not a branch.

    With `rank_lows` each pot is split between the best high and the best low; a strength of 0 does not
    qualify (R-C6).
    """

    name: str
    hole_cards: int
    streets: tuple[StreetPlan, ...]
    rank_hands: RankHands
    rank_lows: RankHands | None = None

    def deal(self, deal_order: bytes, players: int) -> list[bytes]:
        """Each player's hole cards, dealt one at a time round the table from the left of the button (R-H1)."""
        return [deal_order[place : players * self.hole_cards : players] for place in range(players)]

    def cards_needed(self, players: int) -> int:
        """Most cards a hand with so many players can use, burns included (R-T1)."""
        board = sum(plan.board_cards + 1 for plan in self.streets if plan.board_cards)
        return players * self.hole_cards + board


_FLOP_STREETS: Final = (
    StreetPlan(Street.PREFLOP, 0, False),
    StreetPlan(Street.FLOP, 3, False),
    StreetPlan(Street.TURN, 1, True),
    StreetPlan(Street.RIVER, 1, True),
)
"""A board of five, fixed bets small, small, big, big (R-H1, R-B3)."""

_OMAHA_NAMES: Final = {4: "omaha", 5: "five_card_omaha", 6: "six_card_omaha"}


def holdem(rank_hands: RankHands) -> Game:
    """Hold'em: two hole cards (R-C4)."""
    return Game("holdem", 2, _FLOP_STREETS, rank_hands)


def omaha(rank_hands: RankHands, hole_cards: int = 4) -> Game:
    """Omaha with four, five or six hole cards, of which exactly two play (R-C5)."""
    return Game(_OMAHA_NAMES[hole_cards], hole_cards, _FLOP_STREETS, rank_hands)


def omaha_hi_lo(rank_hands: RankHands, rank_lows: RankHands) -> Game:
    """Omaha whose pots are split with the best low that qualifies (R-C6, R-P5)."""
    return Game("omaha_hi_lo", 4, _FLOP_STREETS, rank_hands, rank_lows)
