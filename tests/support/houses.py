"""Rules of tables as the bundled houses offer them, open to everybody on every day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from croupier.adapters.games import GAMES
from croupier.engine.rejection import Rejected
from croupier.engine.rules import Structure
from croupier.engine.table_rules import TableRules
from croupier.houses import loader
from croupier.houses.house import Choice, House

HOUSES: Final[Mapping[str, House]] = loader.load(GAMES)


def table_rules(
    structure: Structure = Structure.NO_LIMIT,
    min_bet: int = 2,
    seat_count: int = 0,
    *,
    house: str = "puzzle_pirates",
    choice: Mapping[str, Any] | None = None,
    **changed: Any,
) -> TableRules:
    """A table's rules. `choice` picks more of what the house offers; `changed` replaces rules.

    Unless replaced, no experience and no pass is asked of players (R-T5, R-T7).
    """
    picked = Choice(structure=structure, min_bet=min_bet, seat_count=seat_count, **choice or {})
    rules = HOUSES[house].resolve(picked)
    assert not isinstance(rules, Rejected), rules
    return msgspec.structs.replace(rules, **{"min_experience": 0, "free_days": (), **changed})
