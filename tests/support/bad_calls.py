"""A scene for bad requests: tables in every state, and one request of every RPC that is good but for the state."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Final, Self, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from tests.support.documented import Failure, failure_of, undocumented
from tests.support.live import CURRENCY, HOUSE, Backend
from tests.support.untimely import EXCLUDED, IDLER, REQUESTS

from croupier.client.caller import new_request_id
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import evaluation_service_pb2 as evaluation
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1 import operator_service_pb2 as operating
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.hand_pb2 import Decision

PLAYERS: Final = ("anna", "bert", "cleo")

METHODS: Final = {
    f"/{service.full_name}/{method.name}": method
    for module in (tables, seats, betting, settlement, evaluation, operating)
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
"""Every RPC of the contract that takes one request."""

_BAD_IN_ITSELF: Final = {
    "Act": {"amount", "hand_id"},
    "CreateTable": {"min_bet"},
    "CalculateEquity": {"board", "dead_cards", "hands", "hands.cards"},
    "EvaluateHands": {"board", "hands", "hands.cards"},
    "SetAdvanceAction": {"call_amount", "hand_id"},
    "ShowCards": {"hand_id"},
    "ResolveTable": {"token"},
    "RevealEntropy": {"hand_id"},
}
"""Fields that the request may be refused for although they were left alone."""


class Scene:
    """Made by `at`. A table where a hand is played, one that is paused and one that is closed."""

    def __init__(self, backend: Backend, channel: aio.Channel) -> None:
        self.backend = backend
        self.channel = channel
        self.busy: str = ""
        self.paused: str = ""
        self.closed: str = ""
        self.decision: Decision = Decision()

    @classmethod
    @asynccontextmanager
    async def at(cls, target: str) -> AsyncIterator[Self]:
        """The scene, set on the server at `target`."""
        async with Backend(target) as backend, aio.insecure_channel(target) as channel:
            scene = cls(backend, channel)
            await scene._set()
            yield scene

    async def _set(self) -> None:
        self.busy = await self._table("busy")
        self.paused = await self._table("paused")
        await self.backend.pause_table(self.paused)
        self.closed = await self._table("closed")
        await self.backend.close_table(self.closed)
        await self.backend.sit(self.busy, IDLER, 6)
        await self.backend.sit_out(self.busy, IDLER)
        await self.backend.block_player(EXCLUDED, operating.BLOCK_KIND_SELF_EXCLUSION, "asked for it")
        await self.go_on()

    async def _table(self, name: str) -> str:
        table = await self.backend.create_table(
            HOUSE,
            house_pb2.BET_STRUCTURE_NO_LIMIT,
            2,
            6,
            name=name,
            hand_pause=timedelta(),
            action_time=timedelta(seconds=30),
        )
        return table.table_id

    async def go_on(self) -> None:
        """A good request: whoever must act does, and the same request again gets the same answer."""
        if not (decision := await self.backend.decision(self.busy)).player_id:
            await self._seat_those_who_left()
            decision = await self.backend.decision(self.busy)
        call = decision.legal_actions.call_amount
        kind = hand_pb2.ACTION_KIND_CALL if call else hand_pb2.ACTION_KIND_CHECK
        act = partial(self.backend.act, self.busy, decision, kind, request_id=new_request_id())
        first, again = await act(), await act()
        for answer in (first, again):
            answer.next_decision.ClearField("time_remaining")
        assert first == again
        self.decision = first.next_decision
        if not self.decision.player_id:
            await self.go_on()

    async def _seat_those_who_left(self) -> None:
        seated = {seat.player_id for seat in (await self.backend.get_table(self.busy)).seats}
        for number, player in enumerate(PLAYERS, start=1):
            if player not in seated:
                await self.backend.sit(self.busy, player, number)

    async def state(self) -> list[Message]:
        """All that a bad request could have changed, as callers see it."""
        told: list[Message] = [await self.backend.list_tables(page_size=1000)]
        for table_id in (self.busy, self.paused, self.closed):
            for viewer in ("", *PLAYERS):
                table = await self.backend.get_table(table_id, viewer)
                table.next_decision.ClearField("time_remaining")
                told.append(table)
        told += [await self.backend.get_balance(player, CURRENCY) for player in (*PLAYERS, IDLER)]
        told += [entry async for entry in self.backend.list_entries()]
        told += [operation async for operation in self.backend.list_operations()]
        return told

    async def send(self, method: str, request: Message | bytes) -> Failure | None:
        """How the service refuses the request; None where it does not."""
        data = request if isinstance(request, bytes) else request.SerializeToString()
        streams = method in METHODS and METHODS[method].server_streaming
        try:
            if streams:
                stream = cast(Any, self.channel.unary_stream(method))(data, timeout=30)
                await stream.read()
                stream.cancel()
            else:
                await cast(Any, self.channel.unary_unary(method))(data, timeout=30)
        except aio.AioRpcError as failure:
            return failure_of(failure)
        return None

    async def must_refuse(self, method: str, request: Message, reason: str, **metadata: int | str) -> None:
        """Fails unless the request is refused for the reason, the metadata named is so, and nothing changed."""
        before = await self.state()
        failure = await self.send(method, request)
        assert failure is not None, f"{method} {request} was taken"
        assert not undocumented(method, failure), (method, request, failure)
        assert failure.reason == reason, failure
        for key, value in metadata.items():
            assert failure.metadata[key] == str(value), failure
        assert await self.state() == before

    def may_name(self, method: str, spoilt: list[str]) -> set[str]:
        """The fields that a refusal of a request may name, some of which were spoilt."""
        return {*spoilt, *_BAD_IN_ITSELF.get(METHODS[method].name, ())}

    def request(self, method: str) -> Message:
        """A request with every field as it should be, which the state refuses or which changes nothing."""
        made = REQUESTS[METHODS[method].name](self)
        if "request_id" in made.DESCRIPTOR.fields_by_name:
            made.request_id = new_request_id()  # type: ignore[attr-defined]
        return made

    def act(self, kind: hand_pb2.ActionKind.ValueType, amount: int = 0, **changed: Any) -> betting.ActRequest:
        """An answer to the decision that stands, but for what is changed."""
        decision = self.decision
        request = betting.ActRequest(
            request_id=new_request_id(),
            table_id=self.busy,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=kind,
            amount=amount,
        )
        request.MergeFrom(betting.ActRequest(**changed))
        return request


def request_type(method: str) -> type[Message]:
    """The class of a method's requests."""
    return GetMessageClass(METHODS[method].input_type)


def spoilt_method(random: Random) -> str:
    """An RPC whose request has fields to spoil."""
    return random.choice([name for name, method in METHODS.items() if method.input_type.fields])
