"""Tables found by what they are called, among all there are and not only those of a page."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.numbers import NS_PER_MS
from croupier.room.listing import ListedTable
from croupier.room.ports import Runtime
from croupier.room.principal import SERVICE, Principal
from croupier.v1 import table_service_pb2 as pb

FRESH_NS: Final = 5_000 * NS_PER_MS
"""All tables are looked through once so often at most, however many search, and for whatever."""
_AT_ONCE: Final = 1000
_PLAIN: Final = str.maketrans({"_": " ", "-": " ", "'": "", "\u2019": ""})


class Search:
    """Tables as they stood when all were looked through last."""

    def __init__(self, runtime: Runtime, tables: TableServicer) -> None:
        self._now = runtime.now
        self._tables = tables
        self._seen: list[tuple[str, ListedTable]] = []
        self._time: int | None = None
        self._looking = asyncio.Lock()

    async def found(self, principal: Principal, wanted: str) -> list[ListedTable]:
        """Those that the caller may know and that have every word of `wanted`, oldest first. Raises Refusal."""
        async with self._looking:
            if self._time is None or not 0 <= self._now() - self._time < FRESH_NS:
                self._seen = await self._all()
                self._time = self._now()
        parts = plain(wanted).split()
        return [
            table
            for text, table in self._seen
            if principal.may_know_house(table.rules.house_id) and all(part in text for part in parts)
        ]

    async def _all(self) -> list[tuple[str, ListedTable]]:
        seen: list[tuple[str, ListedTable]] = []
        token = ""
        while True:
            request = pb.ListTablesRequest(page_size=_AT_ONCE, page_token=token)
            tables, token = await self._tables.listed(SERVICE, request)
            seen += [(_text(table), table) for table in tables]
            if not token:
                return seen
            await asyncio.sleep(0)


def plain(text: str) -> str:
    """Text as it is compared: "Hold'em" is holdem, "five_card_draw" five card draw."""
    return text.casefold().translate(_PLAIN)


def _text(table: ListedTable) -> str:
    rules = table.rules
    return plain(
        " ".join((table.name, table.table_id, rules.house_id, rules.game, rules.structure.name, table.state))
    )
