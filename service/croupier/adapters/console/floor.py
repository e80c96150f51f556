"""The floor: every table in a line, as a watcher may know it, and how fast hands are dealt there."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from croupier.adapters.console.answers import fields
from croupier.adapters.console.search import Search
from croupier.adapters.console.series import SLICE
from croupier.adapters.rpc import checks, messages
from croupier.adapters.rpc.table_servicer import TableServicer, summary
from croupier.numbers import NS_PER_MS
from croupier.room.listing import ListedTable
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.room import Room
from croupier.v1 import hand_pb2
from croupier.v1 import table_service_pb2 as pb

PAGE: Final = 100
FRESH_NS: Final = 1_000 * NS_PER_MS
"""A page so young is given again, so that many who look cost as much as one."""
MOST_PAGES: Final = 64
_AT_ONCE: Final = 8
"""Tables put into words before others have their turn."""
_SAMPLES: Final = 21
_PERIOD_NS: Final = 15_000 * NS_PER_MS
_NS_PER_HOUR: Final = 3_600_000 * NS_PER_MS


class Paces:
    """Hands per hour by table, over the last five minutes."""

    def __init__(self) -> None:
        self._seen: dict[str, deque[tuple[int, int]]] = {}
        self._next = 0

    async def note(self, now: int, room: Room) -> None:
        """Look at every table, slice by slice, where the last look is long enough ago."""
        if now < self._next:
            return
        self._next = now + _PERIOD_NS
        seen = {}
        for number, actor in enumerate(room.tables(), start=1):
            known = self._seen.get(actor.table_id) or deque(maxlen=_SAMPLES)
            known.append((now, actor.table.carried.hand_number))
            seen[actor.table_id] = known
            if number % SLICE == 0:
                await asyncio.sleep(0)
        self._seen = seen

    def of(self, table_id: str, now: int, hand_number: int) -> float | None:
        """Hands per hour up to now; None while nothing is known."""
        known = self._seen.get(table_id)
        if not known or now - known[0][0] < FRESH_NS:
            return None
        return (hand_number - known[0][1]) * _NS_PER_HOUR / (now - known[0][0])


class Floor:
    """Pages of tables."""

    def __init__(self, runtime: Runtime, tables: TableServicer) -> None:
        self._now = runtime.now
        self._tables = tables
        self._options: dict[str, dict[str, Any]] = {}
        self._pages: dict[tuple[frozenset[str] | None, str], tuple[int, dict[str, Any]]] = {}
        self._search = Search(runtime, tables)
        self.paces = Paces()

    async def page(self, principal: Principal, token: str) -> dict[str, Any]:
        """A page of the tables that the caller may know. Raises Refusal."""
        key = (principal.houses, token)
        made = self._pages.get(key)
        if made is None or not 0 <= self._now() - made[0] < FRESH_NS:
            page = await self._made(principal, token)
            while len(self._pages) >= MOST_PAGES:
                del self._pages[next(iter(self._pages))]
            self._pages[key] = made = (self._now(), page)
        return made[1]

    async def found(self, principal: Principal, wanted: str) -> dict[str, Any]:
        """The first tables that are called so, and how many are: of all, whatever page is looked at. Raises Refusal."""
        tables = await self._search.found(principal, checks.text("find", wanted))
        return {"tables": await self._rows(tables[:PAGE]), "found": len(tables)}

    async def _made(self, principal: Principal, token: str) -> dict[str, Any]:
        request = pb.ListTablesRequest(page_size=PAGE, page_token=token)
        tables, next_token = await self._tables.listed(principal, request)
        return {"tables": await self._rows(tables), "nextPageToken": next_token}

    async def _rows(self, tables: list[ListedTable]) -> list[dict[str, Any]]:
        rows = []
        for number, table in enumerate(tables, start=1):
            rows.append(self._row(table))
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
        if len(self._options) > 4 * PAGE * MOST_PAGES:
            self._options.clear()
        return rows

    def _row(self, table: ListedTable) -> dict[str, Any]:
        """`pot` are all chips in the hand in play; the pace is not known of tables that another server plays."""
        table_id, number = table.table_id, table.hand_number
        told = summary(table)
        options = self._options.get(table_id)
        if options is None:
            options = self._options[table_id] = fields(told.options)
        told.ClearField("options")
        row = {**fields(told), "options": options, "handNumber": number}
        row["handsPerHour"] = self.paces.of(table_id, self._now(), number)
        if table.street is not None:
            row["street"] = hand_pb2.Street.Name(messages.STREETS[table.street])
            row["pot"], row["playing"] = table.pot, table.playing
        return row
