"""The console as a viewer of a world looks at it: every page of data, and a table's stream from its beginning on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from croupier.adapters.console import Visitors
from croupier.adapters.http import Scope
from croupier.adapters.rpc.callers import Caller

_SHOWN: Final = (b"holeCardsShown", b"cardsShown")


class Everybody(Visitors):
    """Lets everybody in, players too, by the call: credentials have tests of their own."""

    def __init__(self) -> None:
        self.known = True  # type: ignore[misc]

    def of(self, scope: Scope) -> Caller:
        caller: Caller = scope["caller"]
        return caller


class Looking:
    """Asks the pages for one viewer; `caller` is who that is."""

    def __init__(self, pages: Any, caller: Caller) -> None:
        self._pages = pages
        self._caller = caller

    async def read(
        self, page: str, table_id: str, hand_number: int, tell: Callable[[str, bytes], None]
    ) -> None:
        """All data that there is to ask for."""
        table = f"/console/data/tables/{table_id}/hands"
        hands = [f"{table}/{number}" for number in (hand_number, hand_number - 1) if number > 0]
        for name in (
            page,
            "/console/data/floor",
            "/console/data/series",
            "/console/data/about",
            table,
            *hands,
        ):
            sent: list[Any] = []
            await self._ask(name, _nothing, sent.append)
            body = b"".join([part["body"] for part in sent[1:]])
            tell(name, f"{sent[0]['status']} {sent[0]['headers']}".encode() + body)

    async def follow(self, table_id: str, through: bool, tell: Callable[[bytes], None]) -> None:
        """The table's stream, as far as it shows no cards that may be others in the other world."""
        over = False

        def take(part: Any) -> None:
            nonlocal over
            data = part.get("body", b"")
            over = over or (not through and any(one in data for one in _SHOWN))
            if not over:
                tell(data or str(part.get("headers", "")).encode())

        await self._ask(f"/console/data/tables/{table_id}/events", _never, take)

    async def _ask(self, path: str, receive: Any, take: Callable[[Any], None]) -> None:
        async def send(part: Any) -> None:
            take(part)

        scope = {
            "type": "http",
            "path": path,
            "method": "GET",
            "headers": [],
            "query_string": b"",
            "caller": self._caller,
        }
        await self._pages(scope, receive, send)


async def _nothing() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _never() -> dict[str, Any]:
    return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]
