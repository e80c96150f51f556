"""Who sees a local table (R-T6): by where a player's credential says that the player is, and by who is at the table.

A player's own word counts for nothing; of all others, who may see every table, the word is taken.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from croupier.engine.table import Table
from croupier.engine.table_rules import TableRules
from croupier.engine.unseated import waiting_of
from croupier.room.node_calls import Where
from croupier.room.principal import Principal
from croupier.room.records import HandRecord

Find = Callable[[Where], Awaitable[list[str]]]


def concerns(table: Table, player_id: str) -> bool:
    """Whether a player has a seat at a table, waits for one, or has chips on the way to it or from it."""
    carried = table.carried
    return (
        bool(table.seat_of(player_id))
        or waiting_of(carried, player_id) is not None
        or any(one.player_id == player_id for one in carried.transfers.values())
    )


def may_see(principal: Principal, rules: TableRules) -> bool:
    """Whether the caller may see a table of these rules, whoever is at it."""
    return principal.role != "player" or rules.open_to(principal.scene)


def may_look_at(principal: Principal, table: Table) -> bool:
    """Whether the caller may see the table as it stands."""
    return may_see(principal, table.rules) or concerns(table, principal.player_id)


class HandSight:
    """Which settled hands a caller may know. `find` tells at which tables a player is, asked where that matters."""

    def __init__(self, find: Find) -> None:
        self._find: Final = find

    async def seen(self, principal: Principal, records: Sequence[HandRecord]) -> list[HandRecord]:
        """Those of tables that the caller may see, and those that the caller was dealt into.

        Raises what `find` raises.
        """
        hidden = {record.place.table_id for record in records if not _known(principal, record)}
        if hidden:
            at = Where(principal.player_id, waiting=True, leaving=True)
            hidden.difference_update(await self._find(at))
        return [one for one in records if one.place.table_id not in hidden or _known(principal, one)]


def _known(principal: Principal, record: HandRecord) -> bool:
    return may_see(principal, record.rules) or principal.player_id in record.started.players
