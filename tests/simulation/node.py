"""One life of a server among several: the room, and the parts of `Cluster` that tie it to the others."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from unittest.mock import patch

from prometheus_client import CollectorRegistry
from tests.simulation.broker import Broker, NodeBus
from tests.simulation.calls import AWAY, Receive, Reply, Request
from tests.simulation.checks import Checks
from tests.simulation.database import Database
from tests.simulation.life import Life
from tests.simulation.methods import Methods
from tests.simulation.node_store import NodeStore
from tests.simulation.server import Alarms
from tests.simulation.shadow import MASTER_KEY
from tests.simulation.stream import Stream
from tests.simulation.ways import Way
from tests.simulation.world import NS, World

from croupier.adapters import nats_opening
from croupier.adapters.games import GAMES
from croupier.adapters.nats.connection import CONNECT_S as BUS_CONNECT_S
from croupier.adapters.postgres.connecting import CONNECT_S
from croupier.adapters.rpc.refusals import refusal_of
from croupier.adapters.rpc.routed import Router, TableMethod
from croupier.cluster import Cluster
from croupier.room.acts import Acted
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.ports import Store
from croupier.room.principal import LOCAL, Principal
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.wallet_ports import Wallet, WalletAway

if TYPE_CHECKING:
    from google.protobuf.message import Message

PATIENCE_S: Final = 3.5
"""The deadline that a caller names."""
ANYWHERE: Final = ("CreateTable", "Deposit", "Withdraw", "GetHand")
"""Methods that no table's owner is needed for."""
AGAIN: Final = ("STORE_UNAVAILABLE", "TABLE_MOVING", "WALLET_UNAVAILABLE", "SERVER_DRAINING")
"""Refusals after which the same request is sent again."""


class Played(NamedTuple):
    """What is told of an action."""

    event: Any
    sequence: int


class Carried:
    """A request or an answer, as it goes from one node to another."""

    def __init__(self, content: Any) -> None:
        self.content = content

    @property
    def table_id(self) -> str:
        return self.content.table_id  # type: ignore[no-any-return]

    def SerializeToString(self) -> bytes:
        return pickle.dumps(self.content)

    @staticmethod
    def FromString(data: bytes) -> Carried:
        return Carried(pickle.loads(data))


class SimulatedGate:
    """What a `Router` and who answers for it know of a gate; every method of tables is one here."""

    def __init__(self, node: Node) -> None:
        self.router: Router | None = None
        self.draining = False
        self.method = TableMethod("simulation/Call", frozenset(), cast(Any, self._call), cast(Any, Carried))
        self.table_methods = {self.method.name: self.method}
        self._node = node

    @property
    def gate(self) -> SimulatedGate:
        """A server's, as which it stands here too."""
        return self

    async def serving(self, serving: bool) -> None:
        """Nobody asks."""

    async def carry_out(self, method: TableMethod, principal: Principal, request: Any) -> Message:
        if self.draining:
            raise Refusal("SERVER_DRAINING")
        return await method.call(principal, request)

    async def answer(
        self, method: TableMethod, principal: Principal, request: Any, _traceparent: str
    ) -> Message:
        return await self.carry_out(method, principal, request)

    def traceparent(self) -> str:
        return ""

    async def _call(self, _: Principal, request: Carried) -> Carried:
        node = self._node
        if node.room.has(request.table_id):
            node.database.owners.answers(node.node_id, request.table_id)
        try:
            answer = await node.methods.answer(request.content)
        except (Refusal, StoreAway, WalletAway, TableHalted):
            raise
        except Exception as failure:
            node.world.violated(f"{request.content.method} failed: {failure!r}")
            raise
        return Carried(Played(answer.event, answer.sequence) if isinstance(answer, Acted) else answer)


class Told:
    """What a node's log would tell of what may never happen."""

    def __init__(self, world: World) -> None:
        self._world = world

    def info(self, _event: str, **_facts: object) -> None: ...

    def warning(self, _event: str, **_facts: object) -> None: ...

    def error(self, event: str, **facts: object) -> None:
        if event == "table_not_taken_over":
            self._world.violated(f"a table was not taken over: {facts}")


class NodeAlarms(Alarms):
    """Tells of what cannot be followed too."""

    def follower_failed(self, table_id: str, failure: Exception) -> None:
        self._world.violated(f"table {table_id} cannot be followed: {failure!r}")


class Node:
    """`on_gone` is called once nothing is left of it."""

    def __init__(
        self,
        world: World,
        life: Life,
        database: Database,
        broker: Broker,
        checks: Checks,
        make_wallet: Callable[[Life, Store], Wallet],
        on_gone: Callable[[Node], None],
    ) -> None:
        self.node_id = f"host-{life.number % 3}/{life.number}"
        self.world = world
        self.life = life
        self.database = database
        self.checks = checks
        self.ready = False
        self.leaving = False
        chance = life.chance
        self.store_way = Way(world, chance.child("way to the store"), life, round(CONNECT_S * NS))
        self.bus_way = Way(world, chance.child("way to the bus"), life, round(BUS_CONNECT_S * NS))
        self.store = NodeStore(world, database, self.store_way, self.node_id, self._replaced)
        store = cast(Any, self.store)
        services = Services(life, store, Seal(MASTER_KEY), NodeAlarms(world))
        self.room = Room(services, make_wallet(life, store), GAMES)
        self.methods = Methods(self.room, life)
        self._gate = SimulatedGate(self)
        self._bus = NodeBus(world, broker, self.bus_way)
        self._on_gone = on_gone
        settings = SimpleNamespace(advertised=self.node_id, bus="", bus_credentials="", feed="")
        metrics = SimpleNamespace(bus_dropped=lambda: None, registry=CollectorRegistry())
        with patch.object(nats_opening, "bus", lambda *_: self._bus):
            self._cluster = Cluster(cast(Any, settings), store, services, self.room, cast(Any, metrics))
        life.spawn(self._start())

    async def _start(self) -> None:
        """As the application does."""
        play = SimpleNamespace(opened=lambda *_: None, missed=lambda: None)
        try:
            await self.store.open()
            await self._cluster.join(cast(Any, self._gate), cast(Any, play))
            await self.room.recover()
            await self._cluster.begin()
        except StoreAway:
            self._gone_soon()
        else:
            self.ready = True

    def stop(self) -> None:
        """It is told to stop."""
        if not self.leaving:
            self.leaving = True
            self.life.spawn(self._stop())

    async def _stop(self) -> None:
        """As the application does."""
        if not await self._cluster.leave():
            self.room.drain()
        self._gate.draining = True
        await self.room.settled()
        self.room.end_streams()
        await self.life.pause(NS // 10)
        await self._cluster.close()
        with contextlib.suppress(StoreAway):
            await self.store.close()
        self._gone_soon()

    def _replaced(self) -> None:
        """Another has its tables: it stops."""
        self.world.faults["replaced"] += 1
        self.stop()

    def _gone_soon(self) -> None:
        self.world.after(0, self._on_gone, self)

    def end(self) -> None:
        """The process is gone, between two steps."""
        self.ready = False
        self.store_way.close()
        self.bus_way.close()
        self.life.end()
        self.store.end()

    # calls

    def take(self, request: Request, receive: Receive) -> None:
        """A request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(self._serve(request, receive))
        else:
            receive(AWAY)

    async def _serve(self, request: Request, receive: Receive) -> None:
        arrived = self.checks.moment()
        try:
            reply = Reply("done", await self._answer(request))
        except (Refusal, StoreAway, WalletAway, TableHalted) as failure:
            reason = refusal_of(failure).reason
            if reason == "INTERNAL_FAULT":
                self.world.violated(f"{request.method} {request.request_id} found a fault")
            reply = AWAY if reason in AGAIN else Reply("refused", reason=reason)
        self.checks.replied(request, reply, arrived)
        receive(reply)

    async def _answer(self, request: Request) -> Any:
        if request.method in ANYWHERE:
            return await self.methods.answer(request)
        router = self._gate.router
        assert router is not None
        answer = await router.carry_out(self._gate.method, LOCAL, Carried(request), PATIENCE_S)
        if isinstance(answer, Carried):
            return answer.content
        return Carried.FromString(answer.SerializeToString()).content

    def watch(self, stream: Stream) -> None:
        """A watcher's request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(stream.serve(self.room, self.life))
        else:
            stream.broken()
