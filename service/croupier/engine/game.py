"""A game's description: its streets, its cards, and how hands are compared; nothing of limits or money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

import msgspec

DECK_SIZE: Final = 52

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

    @property
    def draws(self) -> bool:
        """Whether cards are exchanged in it (R-H7)."""
        return any(plan.draw for plan in self.streets)

    def cards_needed(self, players: int, most_drawn: int = 0) -> int:
        """Most cards a hand with so many players can use, burns included (R-T1); more than 52 cannot play.

        In a draw game what one player may draw must be left once all are dealt to (R-H8).
        """
        board = sum(plan.board_cards + 1 for plan in self.streets if plan.board_cards)
        return players * self.hole_cards + board + (most_drawn if self.draws else 0)

    def decks_needed(self, players: int, most_drawn: int) -> int:
        """How many orders of the deck a hand's deal order holds, one after the other.

        The first is dealt from. Each time the stub falls short of a draw, the next tells in which order the
        cards out of play come (R-H8); no stub is shorter than the first, so that each serves as many draws.
        """
        if not self.draws or not most_drawn:
            return 1
        draws_served = (DECK_SIZE - players * self.hole_cards) // most_drawn
        return -(-players // draws_served)

    def can_be_dealt(self, deal_order: bytes, players: int, most_drawn: int) -> bool:
        """Whether the order has cards enough for a hand, none of them twice in a deck."""
        needed = self.cards_needed(players, most_drawn)
        if not self.draws:
            return len(deal_order) >= needed and len(set(deal_order)) == len(deal_order)
        if needed > DECK_SIZE or len(deal_order) < DECK_SIZE * self.decks_needed(players, most_drawn):
            return False
        decks = [deal_order[at : at + DECK_SIZE] for at in range(0, len(deal_order), DECK_SIZE)]
        return all(len(set(deck)) == DECK_SIZE for deck in decks)


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


def five_card_draw(rank_hands: RankHands) -> Game:
    """Five-card draw (R-C7, R-H7): five cards held, small bets before the draw, big ones after it (R-B3)."""
    streets = (
        StreetPlan(Street.PREDRAW, 0, False),
        StreetPlan(Street.DRAW, 0, False, draw=True),
        StreetPlan(Street.POSTDRAW, 0, True),
    )
    return Game("five_card_draw", 5, streets, rank_hands)
