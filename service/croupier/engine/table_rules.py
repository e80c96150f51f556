"""The resolved rules of one table: what the house lays down and what its creator picked, as plain data."""

from __future__ import annotations

import msgspec

from croupier.engine.game import Game
from croupier.engine.rake import RakeSchedule
from croupier.engine.rules import AllInRule, HandRules, Structure


class TableRules(msgspec.Struct, frozen=True):
    """Everything a table is played by, embedded in its first record; editing a house never changes it.

    Amounts in chips, spans in milliseconds. `wait_near_button` keeps newcomers one or two places
    clockwise of the button out until the button has passed (R-T9); `bring_in` makes newcomers post a live
    big blind, or with `newcomers_may_wait` wait for theirs (R-T10). Without blinds both are 0.
    `min_experience` is the place on `experience_levels` that it takes to join (R-T5). `free_days` counts from
    1, Monday, in `time_zone`; empty: every day is free (R-T7). `banking_window_ms` is 0 where banking is not
    forbidden (R-T20), `show_window_ms` where cards are not shown after a hand (R-H9).
    `hand_keys` says what becomes of a settled hand's key: keep, destroy or escrow, to the X25519 key `auditor_key`.
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
    all_ins_shown_at_once: bool = True
    losing_hands_mucked: bool = False
    opening_checks: bool = True
    most_drawn: int = 0
    last_round_opener: int = 0
    all_in_rule: AllInRule = AllInRule.NONE
    newcomers_may_wait: bool = False
    local_scene: str = ""
    min_experience: int = 0
    experience_levels: tuple[str, ...] = ()
    free_days: tuple[int, ...] = ()
    time_zone: str = ""
    banking_window_ms: int = 0
    show_window_ms: int = 0
    offer_ms: int = 30_000
    hand_keys: str = "keep"
    auditor_key: str = ""

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
            all_ins_shown_at_once=self.all_ins_shown_at_once,
            losing_hands_mucked=self.losing_hands_mucked,
            opening_checks=self.opening_checks,
            most_drawn=self.most_drawn,
            last_round_opener=self.last_round_opener,
            all_in_rule=self.all_in_rule,
        )

    def visible_from(self, scene: str) -> bool:
        """Whether the table may be seen from a scene; an empty scene sees all (R-T6)."""
        return not scene or self.open_to(scene)

    def open_to(self, scene: str) -> bool:
        """Whether whoever is in a scene, or with an empty one nowhere in particular, may see the table (R-T6)."""
        return self.local_scene in ("", scene)
