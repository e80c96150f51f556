"""One world: a table played hand after hand as a plan's number has it, and everything that its viewer is told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.support.worlds import (
    asks_play,  # noqa: F401  (registers what it asks)
    told,
)
from tests.support.worlds.asking import Moment, requests
from tests.support.worlds.asks import probe
from tests.support.worlds.cards import SAME, Seen
from tests.support.worlds.console import Looking
from tests.support.worlds.contract import METHODS
from tests.support.worlds.plans import Plan
from tests.support.worlds.served import Served
from tests.support.worlds.spans import SpanLog
from tests.support.worlds.told import Item
from tests.support.worlds.viewers import PLAYERS
from tests.support.worlds.wire import Contexts, Wire

from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room import codec
from croupier.room.actor import TableActor
from croupier.room.deck import shuffled
from croupier.room.principal import Principal
from croupier.room.subscriptions import Subscription, public

PAGES: Final = ("/metrics", "/healthz", "/readyz", "/elsewhere")
_MOST_PROBED: Final = 4096


class World:
    """Set up by `open`; `other` is the second of a pair, whose cards are `mixed` hand by hand."""

    def __init__(
        self, plan: Plan, mixed: Mapping[int, bytes] | None, log: Any, runtime: SimulatedRuntime
    ) -> None:
        self.plan = plan
        self.viewer = plan.viewer
        self.other = mixed is not None
        self.mixed = mixed or {}
        self.players = PLAYERS[: plan.table.seated]
        self.runtime = runtime
        self.random = Random(f"play {plan.number}")
        self.told: list[Item] = []
        self.seen: dict[int, Seen] = {}
        self.codes: Counter[tuple[str, int]] = Counter()
        """How many of the viewer's calls ended how, by RPC and code."""
        self.table_id = ""
        self.actor: TableActor
        self._log = log
        self._logged = 0
        self._apart = False
        """Whether cards were shown that the other world does not have."""
        self._ended_streams: set[str] = set()
        self._unique = 0
        self._number = 0
        self._news: Subscription | None = None
        self._learned: dict[int, Mapping[str, bytes]] = {}
        self._read = 0
        self.shown = 0
        """Hands turned up."""
        contexts = Contexts()
        self.spans = SpanLog()
        self.served = Served(runtime, contexts, self.spans.spans if plan.traced else None)
        self.room = self.served.room
        self.wire = Wire(self.served.handlers, contexts)
        self.currency = ""
        self.looking = Looking(self.served.pages, contexts.caller(self.viewer.principal))

    def count(self) -> int:
        """A number that no other request has."""
        self._unique += 1
        return self._unique

    # telling

    @property
    def over(self) -> bool:
        """Whether nothing is compared any more."""
        return self._apart

    def tell(self, where: str, data: bytes) -> None:
        if not self._apart:
            self.told.append(Item(where, self.runtime.now(), data))

    def _tells(self, where: str) -> Callable[[bytes], None]:
        return lambda data: self.tell(where, data)

    def of_stream(self, where: str, data: bytes) -> None:
        """A stream ends for the comparison where it shows cards that the other world does not have."""
        if where in self._ended_streams:
            return
        if not self.plan.through:
            data, shown = told.up_to_cards_shown(data)
            if shown:
                self._ended_streams.add(where)
        self.tell(where, data)

    # calling

    async def call(self, rpc: str, principal: Principal, message: Message) -> int:
        """A call of anybody's; the viewer's are told, as far as nothing came apart meanwhile."""
        kept: list[bytes] = []
        code = await self.wire.call(rpc, principal, message, kept.append)
        self.notice()
        if principal == self.viewer.principal:
            self.codes[rpc, code] += 1
            for data in kept:
                self.tell(rpc, data)
        return code

    async def look_by_stream(self, rpc: str, message: Message) -> None:
        """Open a stream, take what comes at once, and leave."""
        tell = self._tells(f"{rpc}, left at once")
        watching = asyncio.ensure_future(self.wire.stream(rpc, self.viewer.principal, message, tell))
        await self.runtime.idle()
        self.codes[rpc, watching.result() if watching.done() else 0] += 1
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    async def ask(self, rpc: str) -> None:
        """Everything there is to ask by an RPC."""
        if not self.wire.serves(rpc):
            return
        for message in requests(rpc, self.moment()):
            if METHODS[rpc].server_streaming:
                await self.look_by_stream(rpc, message)
            else:
                await self.call(rpc, self.viewer.principal, message)

    def moment(self) -> Moment:
        unique = self.count()
        decision = self.actor.decision()
        table = self.actor.table
        return Moment(
            self.viewer,
            self.table_id,
            self.plan.table.house_id,
            self.currency,
            max(1, table.carried.hand_number),
            decision.action_sequence if decision is not None else 1,
            decision.player_id if decision is not None else "",
            self.actor.sequence,
            Random(f"{self.plan.number} {unique}"),
            unique,
        )

    async def probe_private_sequences(self) -> None:
        """Halve in on the least private_sequence that is refused, which must tell nothing."""
        low, high = 0, _MOST_PROBED
        moment = self.moment()
        while low < high:
            middle = (low + high) // 2
            message = probe(moment, middle)
            watching = asyncio.ensure_future(
                self.wire.stream("TableService.WatchTable", self.viewer.principal, message, lambda _: None)
            )
            await self.runtime.idle()
            refused = watching.done()
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            low, high = (low, middle) if refused else (middle + 1, high)
        self.tell("TableService.WatchTable, least private_sequence refused", str(low).encode())

    # pages and log

    async def read_pages(self) -> None:
        await self.served.check_ledger()
        for page in PAGES:
            sent: list[Any] = []
            scope: dict[str, Any] = {
                "type": "http",
                "path": page,
                "method": "GET",
                "headers": [],
                "query_string": b"",
            }

            async def send(part: Any, sent: list[Any] = sent) -> None:
                sent.append(part)

            await self.served.pages(scope, _nothing_received, send)
            head = f"{sent[0]['status']} {sent[0]['headers']}".encode()
            body = b"".join([part["body"] for part in sent[1:]])
            if page == "/metrics":
                body = told.metrics_text(body, quiet=self.plan.quiet)
                head = head if not self.plan.quiet else b""
            self.tell(page, head + body)
        await self.served.console.sample()
        number = self.actor.table.carried.hand_number
        await self.looking.read("/console", self.table_id, number, self.tell)

    async def check_health(self) -> None:
        """What is open to all; reflection tells the contract alone, and is left out."""
        await self.call("grpc.health.v1.Health.Check", self.viewer.principal, health_pb2.HealthCheckRequest())

    def read_log(self) -> None:
        """And the traces."""
        raw = self._log.getvalue()
        news, self._logged = raw[self._logged :], len(raw)
        if news:
            self.tell("log", told.log_text(news))
        for span in self.spans.news(quiet=self.plan.quiet):
            self.tell("traces", span)

    # what is known of the hands

    def deal(self, seed: bytes) -> bytes:
        """In place of the shuffle: the same in both worlds, but that in the other cards are mixed up."""
        number = self.actor.table.carried.hand_number + 1
        return shuffled(seed).translate(self.mixed.get(number, SAME))

    def follow(self, actor: TableActor) -> None:
        """Hear of everything that happens at the table, from its beginning."""
        self.actor, self.table_id = actor, actor.table_id
        self._news = actor.subscribe("")

    def notice(self) -> None:
        """Note who learned of which cards, and whether any were shown: by the journal, for streams may have ended."""
        if self._news is None:
            return
        for publication in self._news.take():
            self._learned[publication.record] = publication.hole_cards
        records = self.served.journal(self.table_id)
        for record in records[self._read :]:
            for event in public(codec.decode(record.body, record.format).events):
                self._take(event, self._learned.get(record.journal_sequence, {}))
        self._read = len(records)

    def _take(self, event: ev.Event, cards: Mapping[str, bytes]) -> None:
        if isinstance(event, ev.HandStarted):
            self._number = event.hand_number
        number = event.hand_number if isinstance(event, tev.CardsShown) else self._number
        seen = self.seen.setdefault(number, Seen(self.actor.table.hand_rules.game))
        seen.heard(event, cards)
        if isinstance(event, ev.HoleCardsShown | tev.CardsShown) and not self.plan.through:
            self._apart = True
        self.shown += isinstance(event, ev.HoleCardsShown)

    def sealed_lengths(self) -> list[int]:
        """Of each record that has cards sealed in it, as far as the worlds are alike."""
        records = self.served.journal(self.table_id)
        return [len(record.sealed) for record in records if record.sealed is not None and not self._apart]


async def _nothing_received() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}
