"""The tables that are played here, listed, and those of one player. Of other servers it knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from croupier.engine.game import Street
from croupier.engine.table_rules import TableRules
from croupier.engine.unseated import waiting_of
from croupier.room.actor import TableActor
from croupier.room.node_calls import Describe, Where
from croupier.room.sight import concerns

FIRST: tuple[int, str] = (0, "")
"""The place before all tables."""


class ListedTable(msgspec.Struct, frozen=True, array_like=True):
    """How a table stands, for a list. `street` is None between hands, `pot` all chips in the hand in play.

    `concerned`: whether it concerns the player who was asked for.
    """

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
    concerned: bool = False

    @property
    def order(self) -> tuple[int, str]:
        """By which tables are listed."""
        return self.created_time, self.table_id


class Wanted(msgspec.Struct, frozen=True):
    """Which tables to list: those of some houses (None: of all) that may be seen from a scene, empty for from any.

    With a player those open to the scene, empty for nowhere in particular, and those that concern the player.
    """

    houses: Sequence[str] | None = None
    scene: str = ""
    player_id: str = ""

    @property
    def some(self) -> bool:
        """Whether not every table of the houses is wanted."""
        return bool(self.scene or self.player_id)

    def shows(self, rules: TableRules, *, concerned: bool) -> bool:
        """Whether a table of one of the houses is wanted."""
        if self.player_id:
            return concerned or rules.open_to(self.scene)
        return rules.visible_from(self.scene)


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
            and wanted.shows(
                actor.table.rules,
                concerned=bool(wanted.player_id) and concerns(actor.table, wanted.player_id),
            )
        ]
        return await _listed(found[:count], wanted.player_id)

    async def described(self, asked: Describe) -> list[ListedTable]:
        """Those of the tables that are here."""
        wanted = frozenset(asked.table_ids)
        return await _listed([one for one in self._tables() if one.table_id in wanted], asked.player_id)

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
            if where.house_id in ("", actor.table.rules.house_id) and _counts(actor, where)
        ]


def _counts(actor: TableActor, where: Where) -> bool:
    if where.leaving:
        return concerns(actor.table, where.player_id)
    return has(actor, where.player_id) if where.waiting else bool(actor.table.seat_of(where.player_id))


def has(actor: TableActor, player_id: str) -> bool:
    """Whether a player is at a table or waits for it, and does not leave it already."""
    table = actor.table
    number = table.seat_of(player_id)
    if number:
        return not table.seats[number].acted_for
    return waiting_of(table.carried, player_id) is not None


async def _listed(actors: Sequence[TableActor], player_id: str) -> list[ListedTable]:
    """As they stand now, once that is durable."""
    listed = [_row(actor, player_id) for actor in actors]
    for actor in actors:
        await actor.barrier()
    return listed


def _row(actor: TableActor, player_id: str) -> ListedTable:
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
        concerned=bool(player_id) and concerns(table, player_id),
    )
    if hand is None:
        return row
    street = hand.rules.game.streets[hand.street].street
    pot = sum(hand.contribution) + sum(hand.dead_paid)
    return msgspec.structs.replace(row, street=street, pot=pot, playing=hand.folded.count(False))


def _order(actor: TableActor) -> tuple[int, str]:
    return actor.created_time, actor.table_id
