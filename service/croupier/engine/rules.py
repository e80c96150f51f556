"""The resolved rules of a hand: structure, stakes, rake and the house's options over the game."""

from __future__ import annotations

from enum import IntEnum

import msgspec

from croupier.engine.game import Game
from croupier.engine.rake import NO_RAKE, RakeSchedule


class Structure(IntEnum):
    """The betting structure (R-B1 to R-B4)."""

    NO_LIMIT = 1
    POT_LIMIT = 2
    FIXED_LIMIT = 3
    SPREAD_LIMIT = 4


class AllInRule(IntEnum):
    """What players of a no-limit table may choose among (R-T19)."""

    NONE = 1
    ALL_IN_OR_FOLD = 2
    ALL_IN_OR_ALL_IN = 3


class HandRules(msgspec.Struct, frozen=True):
    """Everything a hand is played by; amounts in chips.

    `small_bet` is the minimum bet in no limit and pot limit, and the early streets' bet in fixed limit,
    where `big_bet` is the later streets'; in spread limit they are the least and the greatest bet or raise
    (R-B4). `bets_cap` is the most bets and raises a fixed-limit street
    takes, the big blind counting as one; `cap_lifts_heads_up` ends it while only two can still bet (R-B3).
    With `all_ins_shown_at_once` every hand still in is turned up when betting is over with cards to come
    (R-H6); with `losing_hands_mucked` a hand that cannot win is not turned up at showdown, unless somebody
    still in is all in (R-H9). Without `opening_checks` whoever faces no bet bets or folds (R-B10). A draw
    takes up to `most_drawn` cards, and the player at position `last_round_opener` opens the betting after it,
    or the next one clockwise still in (R-H7). `all_in_rule` holds in no limit alone (R-T19).
    """

    game: Game
    structure: Structure
    small_bet: int
    big_bet: int
    bets_cap: int = 4
    cap_lifts_heads_up: bool = True
    rake: RakeSchedule = NO_RAKE
    all_ins_shown_at_once: bool = True
    losing_hands_mucked: bool = False
    opening_checks: bool = True
    most_drawn: int = 0
    last_round_opener: int = 0
    all_in_rule: AllInRule = AllInRule.NONE
