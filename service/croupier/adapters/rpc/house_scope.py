"""A backend of some houses alone: all others, their tables and their hands are unknown to it."""

from __future__ import annotations

from typing import Any, Final

from croupier.adapters.rpc import checks
from croupier.room.failures import Refusal
from croupier.room.principal import Principal
from croupier.room.room import Room


class HouseScope:
    """Looks at the houses, tables and hands that a request names, whatever RPC it is for."""

    def __init__(self, room: Room) -> None:
        self._room: Final = room

    async def check(self, principal: Principal, request: Any) -> None:
        """Raises Refusal where the request names what the caller, whose houses are limited, may not know of."""
        houses = principal.houses or frozenset()
        fields = request.DESCRIPTOR.fields_by_name
        if "house_id" in fields and request.house_id:
            house_id = checks.text("house_id", request.house_id)
            if house_id not in houses:
                raise Refusal("HOUSE_UNKNOWN", house_id=house_id)
        if "table_id" in fields:
            await self._must_be_of(
                houses, request.table_id, Refusal("TABLE_UNKNOWN", table_id=request.table_id)
            )
        elif "hand_id" in fields:
            table_id, _ = checks.hand_name(request.hand_id)
            await self._must_be_of(houses, table_id, Refusal("HAND_UNKNOWN", hand_id=request.hand_id))

    async def _must_be_of(self, houses: frozenset[str], table_id: str, refusal: Refusal) -> None:
        """A table that there is not is left to whoever looks for it."""
        try:
            actor = await self._room.watched(table_id)
        except Refusal:
            return
        if actor.table.rules.house_id not in houses:
            raise refusal
