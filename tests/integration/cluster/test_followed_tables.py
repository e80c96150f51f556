"""Watchers of a table at servers that do not play it, over real NATS and PostgreSQL: no gap, and nothing twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

import grpc
import pytest
from tests.support.live_table import PATIENT, LiveTable
from tests.support.nodes import Nodes, nodes

from croupier.client import Croupier, Retry
from croupier.client.errors import CroupierError
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse
from croupier.v1.table_service_pb2_grpc import TableServiceStub

PATIENCE = 30.0
"""Seconds in which something happens, on whatever machine: one action, or one more message."""
ONCE = Retry(attempts=1, timeout=PATIENCE)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 3) as servers:
        yield servers


class Watcher:
    """A stream that stays with one server."""

    def __init__(self, port: int, request: WatchTableRequest) -> None:
        self.messages: list[WatchTableResponse] = []
        self._reached = 0
        self._more = asyncio.Event()
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        self._task = asyncio.ensure_future(self._take(TableServiceStub(self._channel).WatchTable(request)))

    async def _take(self, stream: grpc.aio.UnaryStreamCall[WatchTableRequest, WatchTableResponse]) -> None:
        async for message in stream:
            self.messages.append(message)
            self._reached = max([self._reached, *(event.sequence for event in message.events.events)])
            self._more.set()

    async def begun(self) -> None:
        while not self.messages:
            await self._another()

    async def at(self, sequence: int) -> None:
        """Return once everything up to there was told."""
        while self._reached < sequence:
            await self._another()

    async def _another(self) -> None:
        """Return once one more message came."""
        self._more.clear()
        async with asyncio.timeout(PATIENCE):
            while not self._more.is_set():
                assert not self._task.done(), "the stream has ended"
                await asyncio.sleep(0.01)

    def sequences(self) -> list[int]:
        return sorted({event.sequence for message in self.messages for event in message.events.events})

    def since(self, sequence: int) -> list[bytes]:
        """The events from a sequence on, in the order in which they came."""
        return [
            event.SerializeToString()
            for message in self.messages
            for event in message.events.events
            if event.sequence >= sequence
        ]

    async def leave(self) -> None:
        self._task.cancel()
        await self._channel.close()


async def play(clients: Sequence[Croupier], table_id: str, actions: int) -> int:
    """The sequence that it led to. Whoever is refused goes on at the other server: without the bus one cannot help."""
    tables = cycle(LiveTable(client, table_id) for client in clients)
    table, sequence = next(tables), 0
    for _ in range(actions):
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    acted = await table.act(await table.decision())
                    break
                except CroupierError:
                    table = next(tables)
                    await asyncio.sleep(0.02)
        sequence = acted.sequence
    return sequence


@pytest.mark.timeout(300)
async def test_watchers_go_on_over_takeovers_and_a_lost_bus(three: Nodes) -> None:
    first, second, third = three.all
    async with Croupier(second.target, retry=ONCE) as near, Croupier(third.target, retry=ONCE) as far:
        async with Croupier(first.target, retry=PATIENT) as opener:
            table = await LiveTable.open(opener, ("anna", "bert", "cleo"))
        table_id = table.table_id
        watchers = {
            viewer: [
                Watcher(server.port, WatchTableRequest(table_id=table_id, player_id=viewer))
                for server in (second, third)
            ]
            for viewer in ("", table.named("anna"))
        }
        everybody = [watcher for pair in watchers.values() for watcher in pair]
        for watcher in everybody:
            await watcher.begun()
        for disturb in (None, first.kill, three.bus.stop, three.bus.start):
            if disturb is not None:
                await asyncio.to_thread(disturb)
            sequence = await play((near, far), table_id, 60)
            for watcher in everybody:
                await watcher.at(sequence)
        for here, there in watchers.values():
            least, most = max(here.sequences()[0], there.sequences()[0]), here.sequences()[-1]
            assert here.sequences()[-1] == there.sequences()[-1]
            assert here.since(least) == there.since(least)
            assert len(set(here.since(least))) == len(here.since(least))
            assert set(range(least, most + 1)) == set(here.sequences()) - set(range(least))
        for watcher in everybody:
            await watcher.leave()
