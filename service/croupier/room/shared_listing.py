"""The open tables of a room that several servers play: the store says which there are, their owners how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.room.clock import pause
from croupier.room.cluster_ports import NO_NODE, Fleet, Place
from croupier.room.everyone import AGAIN_NS, PATIENCE_NS, Everyone, together
from croupier.room.failures import ServerSilent, StoreAway, moving
from croupier.room.listing import FIRST, ListedTable, Listing, Wanted
from croupier.room.node_calls import MOST_DESCRIBED, Describe, NodeCall, Where
from croupier.room.ports import Runtime

LEAST_LISTED: Final = 100
"""Tables looked at together where few of them may be seen."""
_PAGE: Final = 10_000


class SharedListing:
    """All open tables. `local` are this server's."""

    def __init__(self, runtime: Runtime, fleet: Fleet, everyone: Everyone, local: Listing) -> None:
        self._runtime = runtime
        self._fleet = fleet
        self._everyone = everyone
        self._local = local

    async def page(self, wanted: Wanted, after: tuple[int, str], count: int) -> list[ListedTable]:
        """As Tables has it; a table that nobody tells of in time makes it fail, and is not left out."""
        found: list[ListedTable] = []
        limit = max(count, LEAST_LISTED) if wanted.some else count
        while len(found) < count:
            listed, after = await self._next(wanted, after, limit)
            found += [one for one in listed if wanted.shows(one.rules, concerned=one.concerned)]
            if after == FIRST:
                break
        return found[:count]

    async def _next(
        self, wanted: Wanted, after: tuple[int, str], limit: int
    ) -> tuple[list[ListedTable], tuple[int, str]]:
        """Tables after a place, and the place after them; FIRST where there are no more."""
        told: dict[str, ListedTable] = {}
        until = self._runtime.now() + PATIENCE_NS
        while True:
            places = await self._fleet.listed(after, limit, wanted.houses)
            missing = [place for place in places if place.table_id not in told]
            told |= await self._told(missing, wanted.player_id)
            missing = [place for place in missing if place.table_id not in told]
            if not missing:
                ends = places[-1].order if len(places) == limit else FIRST
                return [told[place.table_id] for place in places], ends
            if self._runtime.now() >= until:
                raise moving(missing[0].table_id)
            await pause(self._runtime, AGAIN_NS)

    async def _told(self, places: Sequence[Place], player_id: str) -> dict[str, ListedTable]:
        """How those stand whose owner answers, and whether they concern the player."""
        of_node: dict[str, list[str]] = {}
        for place in places:
            of_node.setdefault(place.owner, []).append(place.table_id)
        of_node.pop(NO_NODE, None)
        own = of_node.pop(self._fleet.node_id, [])
        listed = await self._local.described(Describe(own, player_id))
        rounds = [
            {
                node_id: Describe(table_ids[begin : begin + MOST_DESCRIBED], player_id)
                for node_id, table_ids in of_node.items()
                if begin < len(table_ids)
            }
            for begin in range(0, max(map(len, of_node.values()), default=0), MOST_DESCRIBED)
        ]
        for answers in await together(self._runtime, [self._ask(calls) for calls in rounds]):
            listed += answers
        return {one.table_id: one for one in listed}

    async def _ask(self, calls: dict[str, Describe]) -> list[ListedTable]:
        asked: dict[str, NodeCall] = {**calls}
        answers = await self._everyone.heard(asked, list[ListedTable])
        return [one for answer in answers.values() for one in answer]

    async def has_house(self, house_id: str) -> bool:
        return bool(await self._fleet.listed(FIRST, 1, [house_id]))

    async def ids(self, houses: Sequence[str] | None = None) -> list[str]:
        found: list[Place] = []
        while page := await self._fleet.listed(found[-1].order if found else FIRST, _PAGE, houses):
            found += page
            if len(page) < _PAGE:
                break
        return [place.table_id for place in found]

    async def where(self, where: Where) -> list[str]:
        """As Tables has it.

        The ledger tells of those too that are on their way from one server to another; and, where tables are wanted at
        which the player waits, of those of servers that cannot be asked: else StoreAway is raised, or ServerSilent.
        """
        here = await self._local.where(where)
        found = set(await self._fleet.chips_at(where.player_id, where.house_id))
        try:
            if not self._everyone.reachable:
                raise ServerSilent("all others: the bus is away")
            found.update(*await self._everyone.answers(self._others, where, list[str]))
        except (ServerSilent, StoreAway):
            if not where.waiting:
                raise
        return [*here, *sorted(found.difference(here))]

    async def _others(self) -> list[str]:
        own = self._fleet.node_id
        return [node.node_id for node in await self._fleet.nodes() if node.node_id != own]
