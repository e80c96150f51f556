"""Poker Ocean's rake, row by row as the rules state it (R-K3), restated here by hand; amounts in cents."""

from __future__ import annotations

from importlib import resources
from itertools import pairwise
from typing import Final, NamedTuple

import pytest
from tests.support.houses import HOUSES, table_rules

from croupier.adapters.games import GAMES
from croupier.engine.rake import rake_of
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure
from croupier.houses import loader
from croupier.houses.house import Choice

NO_LIMIT, POT_LIMIT, LIMIT = Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.FIXED_LIMIT
LAST: Final = 10**9
"""Stands for "and above"."""


class Row(NamedTuple):
    """Stakes by minimum bet, from and to; chips for each whole so many; caps for 2, 3, … 10 players."""

    structures: tuple[Structure, ...]
    lowest: int
    highest: int
    step: int
    each: int
    caps: tuple[int, ...]


BIG: Final = (NO_LIMIT, POT_LIMIT)
ALL_ONE: Final = (100,) * 9
BY_PLAYERS: Final = (100, 200, 200, 300, 300, 300, 300, 300, 300)
LARGE: Final = (200, 200, 500, 500, 500, 500, 500, 500, 500)
ROWS: Final = (
    Row((LIMIT,), 2, 25, 1, 20, ALL_ONE),
    Row((LIMIT,), 50, 100, 5, 100, ALL_ONE),
    Row((LIMIT,), 200, 3000, 5, 100, BY_PLAYERS),
    Row((LIMIT,), 5000, LAST, 100, 5000, LARGE),
    Row(BIG, 2, 20, 1, 20, ALL_ONE),
    Row(BIG, 50, 50, 1, 20, BY_PLAYERS),
    Row(BIG, 100, 2000, 5, 100, BY_PLAYERS),
    Row(BIG, 5000, LAST, 100, 5000, LARGE),
)
BY_STRUCTURE: Final = [(structure, row) for row in ROWS for structure in row.structures]
POTS: Final = (0, 1, 19, 20, 21, 39, 40, 99, 100, 101, 1999, 2000, 4999, 5000, 5001, 9999, 10_000, 10**6)


def must_be_raked_by(row: Row, structure: Structure, min_bet: int, game: str = "holdem") -> None:
    schedule = table_rules(structure, min_bet, house="poker_ocean", choice={"game": game}).rake
    for players, cap in enumerate(row.caps, start=2):
        for pot in POTS:
            due = min(pot // row.each * row.step, cap)
            assert rake_of(schedule, pot, flop_dealt=True, players=players) == due, (min_bet, players, pot)
            assert rake_of(schedule, pot, flop_dealt=False, players=players) == 0, "no flop, no drop"


@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha_hi_lo"])
@pytest.mark.parametrize(("structure", "row"), BY_STRUCTURE)
def test_both_ends_of_every_row_pay_by_it(structure: Structure, row: Row, game: str) -> None:
    """R-K3."""
    must_be_raked_by(row, structure, row.lowest, game)
    must_be_raked_by(row, structure, row.highest, game)


@pytest.mark.parametrize("structure", [NO_LIMIT, POT_LIMIT, LIMIT])
def test_stakes_between_two_rows_pay_by_the_row_below(structure: Structure) -> None:
    """R-K3."""
    rows = [row for one, row in BY_STRUCTURE if one is structure]
    between = 0
    for below, above in pairwise(rows):
        for min_bet in {below.highest + 1, (below.highest + above.lowest) // 2, above.lowest - 1}:
            if below.highest < min_bet < above.lowest:
                must_be_raked_by(below, structure, min_bet)
                between += 1
    assert between >= 7


@pytest.mark.parametrize("structure", [NO_LIMIT, POT_LIMIT, LIMIT])
def test_stakes_below_the_lowest_row_are_refused(structure: Structure) -> None:
    """R-K3."""
    refused = HOUSES["poker_ocean"].resolve(Choice(structure=structure, min_bet=1, game="holdem"))
    assert isinstance(refused, Rejected)
    assert refused.reason == "OPTION_NOT_OFFERED"
    assert refused.facts["field"] == "min_bet"
    assert str(refused.facts["offered"]).startswith("2 to ")


@pytest.mark.parametrize(
    ("changed", "key", "pot"),
    [
        ("step = 1\nstep_of = 19", "step", 19),
        ("step = 2\nstep_of = 20", "step", 20),
        ("basis_points = 501", "basis_points", 519),
        ('basis_points = 500\nrounding = "half_even"', "basis_points", 11),
    ],
)
def test_a_row_that_takes_more_than_five_per_cent_is_refused(changed: str, key: str, pot: int) -> None:
    """R-K3: "0 % to 5 %", of any pot, by step, by share, and by a share rounded up."""
    text = (resources.files("croupier.houses") / "poker_ocean.toml").read_text()
    spoiled = text.replace("step = 1\nstep_of = 20", changed, 1)
    assert spoiled != text
    with pytest.raises(loader.HouseError) as refused:
        loader.read("poker_ocean.toml", spoiled.encode(), GAMES)
    assert str(refused.value) == (
        f"poker_ocean.toml: rake.rows#1.{key} must be at most rake.most_basis_points, 500, of any pot; "
        f"it takes more of {pot}"
    )


@pytest.mark.parametrize("changed", ["step = 1\nstep_of = 21", "basis_points = 500", "basis_points = 0"])
def test_a_row_of_five_per_cent_or_less_is_taken(changed: str) -> None:
    """R-K3."""
    text = (resources.files("croupier.houses") / "poker_ocean.toml").read_text()
    other = text.replace("step = 1\nstep_of = 20", changed, 1)
    assert other != text
    house = loader.read("poker_ocean.toml", other.encode(), GAMES)
    key, _, value = changed.splitlines()[-1].partition(" = ")
    assert getattr(house.file.rake.rows[0], key) == int(value)
