"""Ten thousand calls while tables move and NATS is killed: each is answered, and each change is made once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable
from random import Random
from typing import Any

import pytest
from tests.support.forwarders import Forwarder
from tests.support.nats import nats_server

from croupier.adapters.nats import NatsBus, Server
from croupier.adapters.rpc.forwarding import BUS_AWAY_S
from croupier.room.failures import Refusal, StoreAway
from croupier.room.principal import Principal
from croupier.v1 import table_service_pb2 as pb

CALLS = 10_000
AT_A_TIME = 200
NODES = 3
MOVING = "TABLE_MOVING"
PATIENCE_S = 240.0
TABLES = [f"table/{number}.x" for number in range(20)]


class Store:
    """What all servers share: who owns a table, and what was done for which request."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.owners: dict[str, str] = {}
        self.done: dict[str, int] = {}
        self.made: Counter[str] = Counter()

    def joined(self, node: Forwarder) -> None:
        async def carry(_: Principal, request: pb.PauseTableRequest) -> pb.PauseTableResponse:
            await self._take_time()
            if self.owners[request.table_id] != node.name:
                raise StoreAway
            if request.request_id not in self.done:
                self.made[request.request_id] += 1
                self.done[request.request_id] = len(self.done) + 1
            if self.random.random() < 0.05:
                raise Refusal("TABLE_PAUSED", request_id=request.request_id)
            return pb.PauseTableResponse(sequence=self.done[request.request_id])

        async def locate(table_id: str) -> bool:
            await self._take_time()
            return table_id in node.tables

        node.carry, node.locate = carry, locate

    async def _take_time(self) -> None:
        if self.random.random() < 0.1:
            await asyncio.sleep(self.random.random() * 0.02)


async def ended(asking: Awaitable[tuple[pb.PauseTableResponse, str]]) -> Any:
    """What a call came to: the sequence and who answered, MOVING, or what it was refused with."""
    try:
        answer, owner = await asking
    except (Refusal, StoreAway) as failure:
        return MOVING if isinstance(failure, Refusal) and failure.reason == MOVING else failure
    return answer.sequence, owner


async def move(store: Store, nodes: dict[str, Forwarder]) -> None:
    """One table after the other from its owner to another."""
    while True:
        table_id = store.random.choice(TABLES)
        old, new = nodes[store.owners[table_id]], nodes[store.random.choice(list(nodes))]
        if old is not new:
            ending = old.tables.pop(table_id)
            store.owners[table_id] = new.name
            await asyncio.sleep(store.random.random() * 0.01)
            await new.own(table_id)
            await ending.end()
        await asyncio.sleep(0.01)


@pytest.mark.timeout(PATIENCE_S + 60)
async def test_every_call_is_answered_and_every_change_made_once() -> None:
    """TABLE_MOVING, which comes while NATS is away, is repeated with the same request_id as callers do."""
    random = Random(1)
    store = Store(random)
    with nats_server() as nats:
        nodes: dict[str, Forwarder] = {}
        for number in range(NODES):
            bus = NatsBus(Server(nats.url), str(number), lambda: None)
            assert await bus.start(10)
            nodes[str(number)] = Forwarder(bus, str(number))
            store.joined(nodes[str(number)])
        for table_id in TABLES:
            store.owners[table_id] = random.choice(list(nodes))
            await nodes[store.owners[table_id]].own(table_id)
        moving = asyncio.ensure_future(move(store, nodes))
        outcomes: dict[str, Any] = {}
        repeated: Counter[str] = Counter()
        waiting = iter(range(CALLS))

        async def caller() -> None:
            for number in waiting:
                request_id = f"request {number}"
                assert request_id not in outcomes
                table_id = random.choice(TABLES)
                outcome: Any = MOVING
                while outcome == MOVING:
                    node = random.choice(list(nodes.values()))
                    outcome = await ended(node.ask(table_id, request_id))
                    repeated[request_id] += outcome == MOVING
                outcomes[request_id] = outcome

        async def restart() -> None:
            for share in (0.3, 0.6):
                while len(outcomes) < CALLS * share:
                    await asyncio.sleep(0.01)
                nats.stop()
                await asyncio.sleep(2 * BUS_AWAY_S)
                await asyncio.to_thread(nats.start)

        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(restart(), *(caller() for _ in range(AT_A_TIME)))
        moving.cancel()
        for node in nodes.values():
            await node.bus.close()
    assert repeated.total() > 0
    judge(store, outcomes)


def judge(store: Store, outcomes: dict[str, Any]) -> None:
    """Each call was answered, by its own answer; what was refused is what its owner refused."""
    assert len(outcomes) == CALLS
    assert store.made == Counter(outcomes.keys())
    told: Counter[str] = Counter()
    for request_id, outcome in outcomes.items():
        if isinstance(outcome, Refusal):
            told[outcome.reason] += 1
            if outcome.reason == "TABLE_PAUSED":
                assert outcome.facts == {"request_id": request_id}
        elif isinstance(outcome, StoreAway):
            told["away"] += 1
        else:
            sequence, owner = outcome
            told["afar" if owner else "here"] += 1
            assert sequence == store.done[request_id]
    assert told["TABLE_PAUSED"] > 100
    assert told["afar"] > CALLS / 3
    assert told["here"] > CALLS / 10
    assert told["away"] + told["STORE_UNAVAILABLE"] == 0, told
