"""Which row of a house's rake holds at a table, and whether a row takes more than the house allows itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.engine.rake import BASIS, RakeSchedule, rake_of
from croupier.engine.rules import Structure
from croupier.houses.schema import RakeRow

_PERIOD: Final = 2 * BASIS
"""A pot larger by this pays just so much more, whatever the rounding."""


def rows_of(rows: Sequence[RakeRow], structure: Structure) -> list[RakeRow]:
    """The rows of a structure, lowest stakes first."""
    name = structure.name.lower()
    return sorted((row for row in rows if name in row.structures), key=lambda row: row.from_min_bet)


def schedule(row: RakeRow) -> RakeSchedule:
    """A row as the engine takes it."""
    return RakeSchedule(
        basis_points=row.basis_points,
        rounding=row.rounding,
        no_flop_no_drop=row.no_flop_no_drop,
        step=row.step,
        step_of=row.step_of,
        caps_by_players=tuple((cap.players, cap.cap) for cap in row.caps),
    )


def takes_more_than(row: RakeRow, most_basis_points: int) -> int:
    """The smallest pot of which a row takes a greater share, its caps left aside; 0 where there is none."""
    if row.step_of:
        return row.step_of if row.step * BASIS > most_basis_points * row.step_of else 0
    if row.rounding == "down" and row.basis_points <= most_basis_points:
        return 0
    uncapped = RakeSchedule(basis_points=row.basis_points, rounding=row.rounding)
    for pot in range(1, _PERIOD + 1):
        if rake_of(uncapped, pot, flop_dealt=True, players=2) * BASIS > most_basis_points * pot:
            return pot
    return 0
