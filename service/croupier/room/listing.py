"""The tables that are played here, listed, and those of one player. Of other servers it knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from croupier.engine.game import Street
from croupier.engine.table_rules import TableRules
from croupier.engine.unseated import waiting_of
from croupier.room.actor import TableActor
from croupier.room.node_calls import Where

FIRST: tuple[int, str] = (0, "")
"""The place before all tables."""


class ListedTable(msgspec.Struct, frozen=True, array_like=True):
    """How a table stands, for a list. `street` is None between hands, `pot` all chips in the hand in play."""

    table_id: str
    created_time: int
    sequence: int
    name: str
    rules: TableRules
    state: str
    taken_seat_count: int
    hand_number: int
    street: Street | None = None
    pot: int = 0
    playing: int = 0

    @property
    def order(self) -> tuple[int, str]:
        """By which tables are listed."""
        return self.created_time, self.table_id


class Wanted(msgspec.Struct, frozen=True):
    """Which tables to list: those of some houses (None: of all) that may be seen from a scene."""

    houses: Sequence[str] | None = None
    scene: str = ""


class Tables(Protocol):
    """Which open tables there are in the room, whichever server plays them."""

    async def page(self, wanted: Wanted, after: tuple[int, str], count: int) -> list[ListedTable]:
        """So many after a place, in the order of creation. Raises Refusal TABLE_MOVING, StoreAway."""
        ...

    async def has_house(self, house_id: str) -> bool:
        """Whether there is a table of the house. Raises StoreAway."""
        ...

    async def ids(self, houses: Sequence[str] | None = None) -> list[str]:
        """All of some houses, in the order of creation. Raises StoreAway."""
        ...

    async def where(self, where: Where) -> list[str]:
        """The tables of a player, in the order of creation here, then those of others.

        Raises StoreAway, ServerSilent.
        """
        ...


class Listing:
    """The open tables that are played here."""

    def __init__(self, tables: Callable[[], Iterable[TableActor]]) -> None:
        self._tables = tables

    async def page(self, wanted: Wanted, after: tuple[int, str], count: int) -> list[ListedTable]:
        """As Tables has it."""
        houses = None if wanted.houses is None else frozenset(wanted.houses)
        found = [
            actor
            for actor in sorted(self._tables(), key=_order)
            if _order(actor) > after
            and (houses is None or actor.table.rules.house_id in houses)
            and actor.table.rules.visible_from(wanted.scene)
        ]
        return await _listed(found[:count])

    async def described(self, table_ids: Sequence[str]) -> list[ListedTable]:
        """Those of the tables that are here."""
        wanted = frozenset(table_ids)
        return await _listed([actor for actor in self._tables() if actor.table_id in wanted])

    async def has_house(self, house_id: str) -> bool:
        return any(actor.table.rules.house_id == house_id for actor in self._tables())

    async def ids(self, houses: Sequence[str] | None = None) -> list[str]:
        return [
            actor.table_id
            for actor in sorted(self._tables(), key=_order)
            if houses is None or actor.table.rules.house_id in houses
        ]

    async def where(self, where: Where) -> list[str]:
        return [
            actor.table_id
            for actor in self._tables()
            if where.house_id in ("", actor.table.rules.house_id)
            and (has(actor, where.player_id) if where.waiting else bool(actor.table.seat_of(where.player_id)))
        ]


def has(actor: TableActor, player_id: str) -> bool:
    """Whether a player is at a table or waits for it, and does not leave it already."""
    table = actor.table
    number = table.seat_of(player_id)
    if number:
        return not table.seats[number].acted_for
    return waiting_of(table.carried, player_id) is not None


async def _listed(actors: Sequence[TableActor]) -> list[ListedTable]:
    """As they stand now, once that is durable."""
    listed = [_row(actor) for actor in actors]
    for actor in actors:
        await actor.barrier()
    return listed


def _row(actor: TableActor) -> ListedTable:
    table, hand = actor.table, actor.table.hand
    row = ListedTable(
        actor.table_id,
        actor.created_time,
        actor.sequence,
        table.name,
        table.rules,
        "HALTED" if actor.halted else table.carried.state.name,
        len(table.seats),
        table.carried.hand_number,
    )
    if hand is None:
        return row
    street = hand.rules.game.streets[hand.street].street
    pot = sum(hand.contribution) + sum(hand.dead_paid)
    return msgspec.structs.replace(row, street=street, pot=pot, playing=hand.folded.count(False))


def _order(actor: TableActor) -> tuple[int, str]:
    return actor.created_time, actor.table_id
