"""Which tables a run opens: kinds of them, and how many of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TableKind(NamedTuple):
    """What is empty or 0 is the first that the house offers; `weight` is the kind's share of the tables."""

    house_id: str = "puzzle_pirates"
    game: str = ""
    structure: str = ""
    min_bet: int = 0
    weight: int = 1

    def __str__(self) -> str:
        told = [self.house_id, self.game, self.structure, str(self.min_bet or "")]
        while not told[-1]:
            told.pop()
        return ":".join(told) + (f"={self.weight}" if self.weight != 1 else "")


def kind_of(text: str) -> TableKind:
    """A kind as HOUSE[:GAME[:STRUCTURE[:MIN_BET]]][=WEIGHT] has it; raises ValueError."""
    named, weighted, weight = text.partition("=")
    parts = named.split(":")
    numbers = [weight if weighted else "1", *(number for number in parts[3:] if number)]
    if not parts[0] or len(parts) > 4 or not all(_positive(number) for number in numbers):
        raise ValueError(f"{text!r} is not HOUSE[:GAME[:STRUCTURE[:MIN_BET]]][=WEIGHT]")
    house_id, game, structure, min_bet = (*parts, "", "", "")[:4]
    return TableKind(house_id, game, structure, int(min_bet or 0), int(numbers[0]))


def _positive(number: str) -> bool:
    return number.isascii() and number.isdigit() and 0 < int(number) < 1 << 40


def spread(mix: Sequence[TableKind], tables: int) -> list[TableKind]:
    """The kind of each table: as near to the weights as can be after every one of them, heavier kinds first."""
    total = sum(kind.weight for kind in mix)
    due = [0] * len(mix)
    kinds = []
    for _ in range(tables):
        due = [owed + kind.weight for owed, kind in zip(due, mix, strict=True)]
        most = max(range(len(mix)), key=lambda place: (due[place], -place))
        due[most] -= total
        kinds.append(mix[most])
    return kinds
