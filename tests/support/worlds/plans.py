"""What a pair of worlds is about, by its number: who looks, at which table, how far, and what differs beside cards."""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from tests.support.worlds.viewers import KINDS, Viewer, viewer

from croupier.v1 import house_pb2

_TABLES: Final[tuple[tuple[str, str, str, int, int, dict[str, Any]], ...]] = (
    ("puzzle_pirates", "HOLDEM", "NO_LIMIT", 2, 4, {}),
    ("poker_ocean", "OMAHA_HI_LO", "POT_LIMIT", 10, 4, {}),
    ("five_aces", "FIVE_CARD_DRAW", "SPREAD_LIMIT", 1, 4, {}),
    ("back_room", "SIX_CARD_OMAHA", "POT_LIMIT", 10, 3, {}),
    ("vault", "HOLDEM", "NO_LIMIT", 2, 4, {}),
    ("poker_ocean", "HOLDEM", "NO_LIMIT", 10, 3, {}),
    ("puzzle_pirates", "HOLDEM", "FIXED_LIMIT", 2, 4, {}),
    ("back_room", "FIVE_CARD_DRAW", "SPREAD_LIMIT", 2, 7, {}),
    ("poker_ocean", "OMAHA", "POT_LIMIT", 10, 4, {}),
    ("back_room", "FIVE_CARD_OMAHA", "NO_LIMIT", 2, 3, {}),
    ("puzzle_pirates", "HOLDEM", "NO_LIMIT", 2, 3, {"all_in_rule": house_pb2.ALL_IN_RULE_ALL_IN_OR_FOLD}),
    ("poker_ocean", "HOLDEM", "FIXED_LIMIT", 10, 4, {}),
    ("vault", "FIVE_CARD_DRAW", "FIXED_LIMIT", 10, 6, {}),
    ("puzzle_pirates", "HOLDEM", "POT_LIMIT", 2, 2, {}),
    ("poker_ocean", "OMAHA_HI_LO", "FIXED_LIMIT", 10, 3, {}),
    ("vault", "FIVE_CARD_OMAHA", "POT_LIMIT", 10, 3, {}),
    ("poker_ocean", "OMAHA", "NO_LIMIT", 10, 3, {}),
)
"""House, game, structure, minimum bet, players, and what else is picked: every game, structure and way to show."""


class TablePlan(NamedTuple):
    """What the table is created with, and how many sit down."""

    house_id: str
    game: str
    structure: str
    min_bet: int
    seated: int
    more: dict[str, Any]
    pause_ms: int


class Plan(NamedTuple):
    """`through` plays beyond showdowns, with the same hands shown; else the worlds part at the first cards shown.

    `quiet`: in one world the others say nothing in advance; else they say something else. `faults`: the store fails
    now and then. `ends_halted`: entropy fails in the end. `traced`: commands are.
    """

    number: int
    viewer: Viewer
    table: TablePlan
    through: bool
    quiet: bool
    faults: bool
    ends_halted: bool
    traced: bool

    def __str__(self) -> str:
        table = self.table
        how = "through showdowns" if self.through else "up to a showdown"
        return f"pair {self.number}: {self.viewer.kind} at {table.house_id} {table.structure} {table.game}, {how}"


def plan(number: int) -> Plan:
    """Any 170 in a row have every viewer at every table."""
    random = Random(f"plan {number}")
    house_id, game, structure, min_bet, seated, more = _TABLES[number % len(_TABLES)]
    kind = KINDS[number % len(KINDS)]
    if kind == "player beside":
        seated = max(seated, 3)
    pause_ms = random.choice((0, 3000))
    table = TablePlan(house_id, game, structure, min_bet, seated, more, pause_ms)
    through = random.random() < 0.5
    return Plan(
        number,
        viewer(kind, random, seated),
        table,
        through,
        random.random() < 0.4,
        random.random() < 0.2,
        random.random() < 0.2,
        random.random() < 0.5,
    )
