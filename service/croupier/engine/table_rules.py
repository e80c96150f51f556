"""The resolved rules of one table: what the house lays down and what its creator picked, as plain data."""

from __future__ import annotations

import msgspec

from croupier.engine.game import Game
from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import HandRules, Structure


class TableRules(msgspec.Struct, frozen=True):
    """Everything a table is played by, embedded in its first record; editing a house never changes it.

    Amounts in chips, spans in milliseconds. `wait_near_button` keeps newcomers one or two places
    clockwise of the dealer out until the button has passed (R-T9); `bring_in` makes newcomers post a live
    big blind (R-T10).
    """

    house_id: str
    rules_version: int
    game: str
    currency: str
    structure: Structure
    small_bet: int
    big_bet: int
    small_blind: int
    big_blind: int
    min_buy_in: int
    max_buy_in: int
    seat_count: int
    action_time_ms: int
    shortest_action_time_ms: int
    hand_pause_ms: int
    reservation_ms: int
    seat_kept_ms: int
    time_outs_to_sit_out: int
    bets_cap: int
    cap_lifts_heads_up: bool
    wait_near_button: bool
    bring_in: bool
    rake: RakeSchedule

    def hand_rules(self, game: Game) -> HandRules:
        """The rules of each hand at this table; `game` carries the ranking."""
        return HandRules(
            game=game,
            structure=self.structure,
            small_bet=self.small_bet,
            big_bet=self.big_bet,
            bets_cap=self.bets_cap,
            cap_lifts_heads_up=self.cap_lifts_heads_up,
            rake=self.rake,
        )
