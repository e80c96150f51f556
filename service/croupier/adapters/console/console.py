"""The console's pages and data under /console: who may have them, and where each is made."""

from __future__ import annotations

import asyncio
import urllib.parse
from typing import Final, NamedTuple

from google.protobuf.message import Message
from prometheus_client import CollectorRegistry

from croupier.adapters.console.answers import (
    Answer,
    fields,
    give,
    of_data,
    of_refusal,
    of_refused_stream,
    see_other,
)
from croupier.adapters.console.assets import NOT_FOUND, Assets
from croupier.adapters.console.floor import Floor
from croupier.adapters.console.live import Live
from croupier.adapters.console.series import PERIOD_NS, Series
from croupier.adapters.console.visitors import LOGIN, Visitors, own_form
from croupier.adapters.http import Receive, Scope, Send
from croupier.adapters.rpc.callers import Caller
from croupier.adapters.rpc.gate import told
from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.adapters.rpc.house_scope import HouseScope
from croupier.adapters.rpc.table_servicer import TableServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.room.failures import Refusal
from croupier.room.ports import Runtime
from croupier.room.room import Room
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as pb

_DATA: Final = "/console/data/"
_HANDS_OF_A_PAGE: Final = 20
_MOST_DIGITS: Final = 18
_METHODS: Final = ("GET", "HEAD")
_WRONG_METHOD: Final = Answer(405, body=b"only GET\n", headers=((b"allow", b"GET, HEAD"),))
_FOREIGN: Final = Answer(403, body=b"this form was sent by another site, or a proxy changes Host or Origin\n")
_IN_WORDS: Final = {
    "CREDENTIALS_EXPIRED": "That token has expired. Ask for a new one.",
    "CALLER_NOT_ALLOWED": "That token is a player&rsquo;s. Any other is taken.",
}


class Parts(NamedTuple):
    """What the console is made from: what the contract's reads are served by, and nothing that changes anything."""

    room: Room
    runtime: Runtime
    registry: CollectorRegistry
    scope: HouseScope
    tables: TableServicer
    hands: HandServicer
    watch: WatchStream


class Console:
    """The ASGI application under /console."""

    def __init__(self, parts: Parts, visitors: Visitors) -> None:
        self._runtime = parts.runtime
        self._room = parts.room
        self._tables = parts.tables
        self._hands = parts.hands
        self._visitors = visitors
        self._houses = parts.scope
        self._assets = Assets()
        self._floor = Floor(parts.runtime, parts.tables)
        self._series = Series(parts.room, parts.registry)
        self._live = Live(parts.runtime, parts.tables, parts.watch)

    async def run(self) -> None:
        """Take samples until cancelled."""
        while True:
            await self.sample()
            await asyncio.sleep(PERIOD_NS / 1e9)

    async def sample(self) -> None:
        """Note how the service stands now, some tables at a time: between them others have their turn."""
        now = self._runtime.now()
        await self._series.take(now)
        await self._floor.paces.note(now, self._room)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: Answer | None
        try:
            answer = await self._answer(scope, receive, send)
        except Exception as failure:
            answer = of_refusal(told("console", failure))
        if answer is not None:
            await give(answer, scope, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        """None where it has been given."""
        path: str = scope["path"]
        if path in ("/console/login", "/console/logout") and scope["method"] == "POST":
            return await self._credentials(path, scope, receive)
        if scope["method"] not in _METHODS:
            return _WRONG_METHOD
        if path.startswith("/console/static/"):
            return self._assets.file(path.removeprefix("/console/static/"), scope)
        if path == "/console/login" and self._visitors.known:
            return self._assets.page("login.html")
        if path.startswith(_DATA):
            return await self._data(path.removeprefix(_DATA), scope, receive, send)
        return self._page(scope) if path in ("/console", "/console/") else NOT_FOUND

    def _page(self, scope: Scope) -> Answer:
        try:
            self._visitors.of(scope)
        except Refusal as refusal:
            return see_other(LOGIN) if self._visitors.known else of_refusal(refusal)
        return self._assets.page("index.html")

    async def _credentials(self, path: str, scope: Scope, receive: Receive) -> Answer:
        if not self._visitors.known:
            return NOT_FOUND
        if not own_form(scope):
            return _FOREIGN
        if path == "/console/logout":
            return self._visitors.log_out(scope)
        try:
            return await self._visitors.log_in(scope, receive)
        except Refusal as refusal:
            words = _IN_WORDS.get(refusal.reason, "That token is not valid here.")
            return self._assets.page("login.html", f'<p class="wrong" role="alert">{words}</p>', 403)

    async def _data(self, name: str, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        caller = self._visitors.of(scope)
        match name.split("/"):
            case ["tables", table_id, "events"]:
                try:
                    await self._check(caller, pb.WatchTableRequest(table_id=table_id))
                    await self._live.stream(caller, table_id, receive, send, scope)
                except Refusal as refusal:
                    return of_refused_stream(refusal)
                return None
        caller.usage.begin_call()
        try:
            return await self._read(caller, name, _query(scope))
        finally:
            caller.usage.calls -= 1

    async def _read(self, caller: Caller, name: str, query: dict[str, str]) -> Answer:
        principal = caller.principal
        match name.split("/"):
            case ["about"]:
                info = await self._tables.get_server_info(principal, pb.GetServerInfoRequest())
                who = {"id": principal.id, "role": principal.role, "known": self._visitors.known}
                return of_data({"server": fields(info), "caller": who})
            case ["floor"]:
                if "find" in query:
                    page = await self._floor.found(principal, query["find"])
                else:
                    page = await self._floor.page(principal, query.get("token", ""))
                return of_data({**page, "shared": self._room.followers is not None})
            case ["series"]:
                if principal.houses is not None:
                    raise Refusal("CALLER_NOT_ALLOWED", role=principal.role, player_id="")
                after = query.get("after", "0")
                return of_data(await self._series.told(int(after) if _tells_time(after) else 0))
            case ["tables", table_id, "hands"]:
                token = query.get("token", "")
                request = settlement.ListHandsRequest(
                    table_id=table_id, page_size=_HANDS_OF_A_PAGE, page_token=token
                )
                await self._check(caller, request)
                return of_data(fields(await self._hands.list_hands(principal, request)))
            case ["tables", table_id, "hands", number]:
                one = settlement.GetHandRequest(hand_id=f"{table_id}/{number}")
                await self._check(caller, one)
                return of_data(fields(await self._hands.get_hand(principal, one)))
        return NOT_FOUND

    async def _check(self, caller: Caller, request: Message) -> None:
        if caller.principal.houses is not None:
            await self._houses.check(caller.principal, request)


def _tells_time(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS


def _query(scope: Scope) -> dict[str, str]:
    try:
        query = urllib.parse.parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8)
    except ValueError:
        raise Refusal("MESSAGE_MALFORMED") from None
    return {key: values[0] for key, values in query.items()}
