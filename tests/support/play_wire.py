"""A Play stream message by message, and a server to open it at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc.aio import EOF, AioRpcError
from tests.support.live import Backend, running

from croupier.v1 import hand_pb2
from croupier.v1 import play_service_pb2 as pb
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.hand_pb2 import Decision
from croupier.v1.play_service_pb2_grpc import PlayServiceStub


@asynccontextmanager
async def served(directory: Path, **settings: Any) -> AsyncIterator[Backend]:
    async with running(directory, **settings) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        yield backend


def cheapest(decision: Decision) -> hand_pb2.ActionKind.ValueType:
    legal = decision.legal_actions
    if legal.can_check:
        return hand_pb2.ACTION_KIND_CHECK
    return hand_pb2.ACTION_KIND_CALL if legal.call_amount else hand_pb2.ACTION_KIND_ALL_IN


class Raw:
    """A stream message by message, as it goes over the wire."""

    def __init__(self, backend: Backend) -> None:
        self.call = PlayServiceStub(backend.channel).Play()
        self._news: list[pb.PlayNews] = []

    async def say(self, **fields: Any) -> None:
        await self.call.write(pb.PlayRequest(**fields))

    async def hear(self) -> pb.PlayResponse:
        async with asyncio.timeout(20):
            message = await self.call.read()
        assert isinstance(message, pb.PlayResponse)
        self._news += message.news
        return message

    async def opened(self, stream_id: str = "one", **fields: Any) -> pb.PlayResponse:
        await self.say(open=pb.PlayOpen(stream_id=stream_id), **fields)
        return await self.hear()

    async def results(self, count: int) -> list[pb.PlayResult]:
        heard: list[pb.PlayResult] = []
        while len(heard) < count:
            heard += (await self.hear()).results
        return heard

    async def news(self) -> pb.PlayNews:
        while not self._news:
            await self.hear()
        return self._news.pop(0)

    async def ends_with(self, reason: str) -> AioRpcError:
        with pytest.raises(AioRpcError) as caught:
            await self._to_the_end()
        assert reason in (caught.value.details() or "")
        return caught.value

    async def ends_well(self) -> None:
        await self.call.done_writing()
        await self._to_the_end()
        assert await self.call.code() is grpc.StatusCode.OK

    async def _to_the_end(self) -> None:
        async with asyncio.timeout(20):
            while await self.call.read() is not EOF:
                pass


def act_of(table_id: str, decision: Decision, request_id: str, **fields: Any) -> ActRequest:
    fields.setdefault("action", cheapest(decision))
    return ActRequest(
        request_id=request_id,
        table_id=table_id,
        player_id=decision.player_id,
        hand_id=decision.hand_id,
        action_sequence=decision.action_sequence,
        **fields,
    )
