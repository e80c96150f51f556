"""A backend of some houses alone: all others, their tables, hands and currencies are unknown to it.

What it may not know of and what there is not are refused here alike, before anything else of a request is looked at and
before any other server is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from croupier.adapters.rpc import checks
from croupier.room.failures import Refusal
from croupier.room.hand_id import hand_of
from croupier.room.ports import EntryScope, Store
from croupier.room.principal import Principal

MOST_REMEMBERED: Final = 16_384


class HouseScope:
    """Looks at what a request names, whatever RPC it is for. `currencies` are those of the houses, by house."""

    def __init__(self, store: Store, currencies: Mapping[str, str]) -> None:
        self._store: Final = store
        self._currencies: Final = currencies
        self._houses: Final[dict[str, str]] = {}
        """By table; a table's house never changes."""

    async def check(self, principal: Principal, request: Any) -> None:
        """Raises Refusal where the request names what the caller, whose houses are limited, may not know of."""
        houses = principal.houses or frozenset()
        fields = request.DESCRIPTOR.fields_by_name
        if "house_id" in fields and request.house_id:
            house_id = checks.text("house_id", request.house_id)
            if house_id not in houses:
                raise Refusal("HOUSE_UNKNOWN", house_id=house_id)
        if "currency" in fields and request.currency:
            currency = checks.text("currency", request.currency)
            if currency not in self._currencies_of(houses):
                raise Refusal("CURRENCY_UNKNOWN", currency=currency)
        if "table_id" in fields:
            if request.table_id:
                table_id = checks.text("table_id", request.table_id)
                if not await self._may_know(houses, table_id):
                    raise Refusal("TABLE_UNKNOWN", table_id=table_id)
        elif "hand_id" in fields and request.hand_id:
            hand_id = checks.text("hand_id", request.hand_id, max_length=checks.MAX_HAND_ID_LENGTH)
            if not await self._may_know(houses, hand_of(hand_id)[0]):
                raise Refusal("HAND_UNKNOWN", hand_id=hand_id)

    async def known(self, principal: Principal, table_ids: Iterable[str]) -> frozenset[str]:
        """Those of the tables that the caller may know of."""
        asked = frozenset(table_ids)
        if principal.houses is None or not asked:
            return asked
        found = await self._store.houses_of(sorted(asked))
        return frozenset(one for one, house_id in found.items() if house_id in principal.houses)

    def entries(self, principal: Principal) -> EntryScope | None:
        """What the caller may know of the ledger; None for all of it."""
        if principal.houses is None:
            return None
        houses = sorted(principal.houses)
        return EntryScope(tuple(houses), tuple(sorted(self._currencies_of(houses))))

    def _currencies_of(self, houses: Iterable[str]) -> set[str]:
        return {self._currencies[one] for one in houses if one in self._currencies}

    async def _may_know(self, houses: frozenset[str], table_id: str) -> bool:
        """Another house's table is read each time, as one that there is not: an answer at once would tell of it."""
        if self._houses.get(table_id) in houses:
            return True
        house_id = (await self._store.houses_of([table_id])).get(table_id)
        if house_id is None or house_id not in houses:
            return False
        while len(self._houses) >= MOST_REMEMBERED:
            del self._houses[next(iter(self._houses))]
        self._houses[table_id] = house_id
        return True
