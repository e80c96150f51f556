"""Any bytes to any handler of the whole service, without a network between: what it answers, and what it wrote."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from google.protobuf.message import Message
from tests.fakes.simulated_runtime import SimulatedRuntime
from tests.support import evil
from tests.support.bad_calls import METHODS, PLAYERS, Scene, request_type
from tests.support.documented import Failure, failure_of
from tests.support.live import CURRENCY, HOUSE
from tests.support.worlds.served import Served
from tests.support.worlds.viewers import player
from tests.support.worlds.wire import Aborted, Call, Contexts

from croupier.room.operations import OperationQuery
from croupier.room.principal import LOCAL, Principal
from croupier.v1 import house_pb2, seat_service_pb2
from croupier.v1 import table_service_pb2 as tables

CALLERS: Final = (
    *(LOCAL,) * 4,
    LOCAL,
    player("anna"),
    Principal("operator/otto", "operator"),
    Principal("auditor/ada", "auditor"),
    Principal("observer/olga", "observer"),
    Principal("backend/one", "backend", players=("an",), houses=frozenset({HOUSE})),
)


class _Put(Call):
    """Keeps the status that the call ended with."""

    failure: Failure | None = None

    async def abort_with_status(self, status: Any) -> None:
        ended = SimpleNamespace(code=lambda: status.code, trailing_metadata=lambda: status.trailing_metadata)
        self.failure = failure_of(cast(Any, ended))
        raise Aborted


class Service:
    """Three players at a table in the middle of a hand; begun anew, it is the same to the last id."""

    def __init__(self, runtime: SimulatedRuntime) -> None:
        self._runtime = runtime
        self._contexts = Contexts()
        self._served = Served(runtime, self._contexts)
        self._count = 0
        self.table_id = ""

    async def begin(self) -> None:
        created = await self.good("TableService.CreateTable", self.creation())
        self.table_id = created.table.table_id
        for seat, name in enumerate(PLAYERS, start=1):
            await self.good("SettlementService.Deposit", player_id=name, currency=CURRENCY, amount=10_000)
            at: dict[str, Any] = {"table_id": self.table_id, "player_id": name}
            vouched = seat_service_pb2.Vouched(has_pass=True)
            await self.good("SeatService.ReserveSeat", **at, seat_number=seat, vouched=vouched)
            await self.good("SeatService.BuyIn", **at, amount=100)
        await self._runtime.idle()

    def creation(self) -> Message:
        return tables.CreateTableRequest(
            house_id=HOUSE, structure=house_pb2.BET_STRUCTURE_NO_LIMIT, min_bet=2, seat_count=6
        )

    async def good(self, rpc: str, request: Message | None = None, **fields: Any) -> Any:
        """Make a call that must be answered."""
        method = f"/croupier.v1.{rpc.replace('.', '/')}"
        message = request or request_type(method)(**fields)
        if "request_id" in message.DESCRIPTOR.fields_by_name:
            self._count += 1
            message.request_id = f"good-{self._count}"  # type: ignore[attr-defined]
        failure, answer = await self.put(method, message.SerializeToString(), LOCAL)
        assert failure is None, (rpc, message, failure)
        return answer

    async def put(self, method: str, data: bytes, caller: Principal) -> tuple[Failure | None, Any]:
        """What a call ended with, streams left as soon as nothing comes any more."""
        handler = self._served.handlers.of(method)
        call = _Put(self._contexts.caller(caller), lambda _: None)
        read = handler.request_deserializer(data)
        if METHODS[method].server_streaming:
            watching = asyncio.ensure_future(handler.unary_stream(read, call))
            await self._runtime.idle()
            watching.cancel()
            with suppress(Aborted, asyncio.CancelledError):
                await watching
            return call.failure, None
        try:
            return None, await handler.unary_unary(read, call)
        except Aborted:
            return call.failure, None

    async def state(self) -> object:
        """Everything that is written, once what was answered has come to its end."""
        await self._runtime.idle()
        memory = self._served.memory
        journals = [memory.kept(table.table_id) for table in self._served.room.tables()]
        operations = await memory.operations(OperationQuery(10**9))
        return journals, await memory.entries(limit=10**9), operations

    async def go_on(self) -> None:
        """Good requests are answered as ever."""
        await self.good("TableService.CreateTable", self.creation())
        await self.good("SettlementService.GetBalance", player_id="anna", currency=CURRENCY)
        table = await self.good("TableService.GetTable", table_id=self.table_id)
        decision = table.table.next_decision
        if decision.player_id and not table.table.paused:
            legal = await self.good(
                "BettingService.GetLegalActions", table_id=self.table_id, player_id=decision.player_id
            )
            assert legal.decision.player_id == decision.player_id


class Seeds(NamedTuple):
    """Requests as they should be, by method, and one made of each by chance."""

    by_method: dict[str, bytes]

    def spoilt(self, method: str, number: int) -> bytes:
        """With a few fields that are not as they should be."""
        random = Random(number)
        message = request_type(method).FromString(self.by_method[method])
        evil.spoil(message, random, fields=random.choice((1, 1, 2, 3)))
        return message.SerializeToString()


async def seeds_of(service: Service) -> Seeds:
    """For the service as it begins."""
    scene = Scene(cast(Any, None), cast(Any, None))
    scene.busy = scene.paused = scene.closed = service.table_id
    table = (await service.good("TableService.GetTable", table_id=service.table_id)).table
    scene.decision = table.next_decision
    return Seeds({method: scene.request(method).SerializeToString() for method in METHODS})
