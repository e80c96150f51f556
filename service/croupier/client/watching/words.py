"""Amounts, cards and the contract's values in words, and how texts from elsewhere are made harmless.

Every text of the server's or of a player's passes through `plain`: no control character, no colour, no line
break, no change of direction reaches a terminal from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from croupier.v1.house_pb2 import AllInRule, BetStructure, Game
from croupier.v1.table_pb2 import TableOptions

LONGEST: Final = 300
_HELD_TO: Final = {
    AllInRule.ALL_IN_RULE_ALL_IN_OR_FOLD: ", all in or fold",
    AllInRule.ALL_IN_RULE_ALL_IN_OR_ALL_IN: ", all in or all in (by custom until five times the buy-in)",
}
"""What players hold to by a rule of the table's, and by custom alone (R-T19)."""


def plain(text: str, longest: int = LONGEST) -> str:
    """The text with nothing in it but printable characters, others told as such; cut where it is too long."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:longest])
    return shown if len(text) <= longest else f"{shown}…"


def percent(bps: int) -> str:
    """Basis points as per cent with one digit."""
    tenths = (bps + 5) // 10
    return f"{tenths // 10}.{tenths % 10} %"


def chips(amount: int) -> str:
    """An amount with its thousands apart."""
    return f"{amount:,}"


def value(enum: Any, number: int) -> str:
    """An enum's value in words; its number where this version has no name for it."""
    if number not in enum.values():
        return str(number)
    prefix = enum.Name(0).removesuffix("UNSPECIFIED")
    return str(enum.Name(number)).removeprefix(prefix).lower().replace("_", " ")


def game(options: TableOptions) -> str:
    """What is dealt and at what stakes: "holdem, no limit 1/2"; and what players hold to beside."""
    stakes = options.stakes
    dealt = f"{value(Game, options.game)}, {value(BetStructure, options.structure)}"
    blinds = f" {chips(stakes.small_blind)}/{chips(stakes.big_blind)}" if stakes.big_blind else ""
    return dealt + blinds + _HELD_TO.get(options.all_in_rule, "")


def cards(texts: Iterable[str]) -> str:
    """Cards with blanks between."""
    return " ".join(texts)


def hand_number(hand_id: str) -> str:
    """The part of a hand's id that people count by."""
    return hand_id.rpartition("/")[2]
