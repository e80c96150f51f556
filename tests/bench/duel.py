"""The same lean callers at Croupier and at two empty services, in short turns; prints JSON.

A caller at Croupier drives both seats of its own table, picks the next action from the previous answer, and
seats a player again who has lost everything; all that is in its time. A failed call ends the run.

python -m tests.bench.duel TARGET CALLERS WATCHERS_PER_TABLE TURNS SECONDS REQUEST_PREFIX TOKEN
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from array import array
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import uvloop
from tests.bench.echo_messages import request_of
from tests.bench.processes import module_serving

from croupier.client import Croupier
from croupier.client.load.dice import Dice
from croupier.client.load.histogram import quantile
from croupier.client.load.mix import TableKind
from croupier.client.load.policy import choose
from croupier.client.load.seating import Seating, house_of, open_table
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_service_pb2 import WatchTableRequest
from croupier.v1.table_service_pb2_grpc import TableServiceStub


class Side:
    """One of the two services: its callers and what they measured in the present turn."""

    def __init__(self, target: str, token: str = "") -> None:
        """With a token each call bears it, without an interceptor in its time."""
        self.client = Croupier(target, token=token or None)
        self.caller = Croupier(target)
        self.spectator = Croupier(target)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else None
        self.act = BettingServiceStub(self.caller.channel).Act
        self.watch = TableServiceStub(self.spectator.channel).WatchTable
        self.latencies = array("q")
        self.events = self.messages = self.message_bytes = 0
        self.request_bytes = self.response_bytes = self.acknowledged = 0
        self.until = 0

    async def follow(self, table_id: str) -> None:
        """Be one watcher, who counts."""
        async for message in self.watch(WatchTableRequest(table_id=table_id), metadata=self._metadata):
            self.messages += 1
            self.events += len(message.events.events)
            self.message_bytes += message.ByteSize()

    async def call(self, request: ActRequest) -> ActResponse:
        """One timed call."""
        started = time.perf_counter_ns()
        response: ActResponse = await self.act(request, timeout=30.0, metadata=self._metadata)
        self.latencies.append(time.perf_counter_ns() - started)
        self.acknowledged += 1
        return response

    async def close(self) -> None:
        """Nothing is called any more."""
        for one in (self.client, self.caller, self.spectator):
            await one.close()

    def turn(self, began: int) -> dict[str, float]:
        """What the turn that began then has come to; the next one counts anew."""
        measured = sorted(self.latencies)
        seconds = (time.perf_counter_ns() - began) / 1e9
        told = {
            "acts": len(measured),
            "per_second": len(measured) / seconds,
            "p99_ms": quantile(measured, 0.99) / 1e6,
            "messages_per_act": self.messages / max(1, len(measured)),
        }
        self.latencies = array("q")
        self.messages = 0
        return told


class Player:
    """A caller at Croupier, with its table."""

    def __init__(self, side: Side, seating: Seating, dice: Dice, prefix: str) -> None:
        self._side = side
        self._seating = seating
        self.table_id = seating.table_id
        self._dice = dice
        self._prefix = prefix
        self._count = 0
        self._decision: Decision | None = None

    async def play(self) -> None:
        """Act until the turn is over."""
        side, table_id = self._side, self.table_id
        while time.perf_counter_ns() < side.until:
            decision = self._decision
            if decision is None:
                decision = await self._standing()
            kind, amount = choose(decision.legal_actions, self._dice)
            self._count += 1
            request = ActRequest(
                request_id=f"{self._prefix}{self._count}",
                table_id=table_id,
                player_id=decision.player_id,
                hand_id=decision.hand_id,
                action_sequence=decision.action_sequence,
                action=kind,
                amount=amount,
            )
            response = await side.call(request)
            self._decision = response.next_decision if response.HasField("next_decision") else None
            if not self._count % 64:
                side.request_bytes, side.response_bytes = request.ByteSize(), response.ByteSize()

    async def _standing(self) -> Decision:
        """The decision that stands, after whoever has left is seated again."""
        await self._seating.refill()
        table = await self._side.client.get_table(self._seating.table_id)
        actor = table.next_decision.player_id
        return (await self._side.client.get_legal_actions(self._seating.table_id, actor)).decision


async def echo_calls(side: Side, request: ActRequest) -> None:
    """A caller of the empty service."""
    while time.perf_counter_ns() < side.until:
        response = await side.call(request)
        if not response.sequence:
            raise SystemExit("an answer was empty")


def echo_callers(side: Side, requests: list[ActRequest]) -> list[Callable[[], Awaitable[None]]]:
    """Callers of the empty service, one a request."""
    return [partial(echo_calls, side, request) for request in requests]


async def one_turn(
    side: Side, seconds: float, calls: Sequence[Callable[[], Awaitable[None]]]
) -> dict[str, float]:
    """All callers of one side for a while."""
    began = time.perf_counter_ns()
    side.until = began + round(seconds * 1e9)
    await asyncio.gather(*[call() for call in calls])
    return side.turn(began)


async def players_of(side: Side, callers: int, prefix: str) -> list[Player]:
    """Tables opened and filled, one a caller."""
    kind = TableKind()
    house = await house_of(side.client, kind.house_id)
    players = []
    for number in range(callers):
        seating = await open_table(side.client, house, kind, 2, prefix, number)
        await seating.seat_all()
        players.append(Player(side, seating, Dice(number), f"{prefix}{number}-"))
    return players


async def main(arguments: list[str]) -> None:
    target, callers, watchers, turns, seconds, prefix, token = arguments
    ours = Side(target, token)
    players = await players_of(ours, int(callers), prefix)
    tables = [player.table_id for player in players]
    following = [
        asyncio.create_task(ours.follow(table_id)) for table_id in tables for _ in range(int(watchers))
    ]
    await asyncio.sleep(0.5 if following else 0)
    plays = [player.play for player in players]
    first = await one_turn(ours, 1.0, plays)
    message_bytes = round(ours.message_bytes / max(1, first["messages_per_act"] * ours.acknowledged))
    per_act = first["messages_per_act"] if following else 0
    sizes = [str(ours.response_bytes), str(per_act), str(message_bytes)]
    with (
        module_serving("tests.bench.echo_server", *sizes) as plain,
        module_serving("tests.bench.echo_server", *sizes, "uvloop") as faster,
    ):
        echoes = {"echo": Side(plain), "uvloop_echo": Side(faster)}
        requests = [request_of(ours.request_bytes, table_id) for table_id in tables]
        for side in echoes.values():
            following += [
                asyncio.create_task(side.follow(table_id))
                for table_id in tables
                for _ in range(int(watchers))
            ]
        await asyncio.sleep(1.0 if following else 0)
        for side in echoes.values():
            await one_turn(side, 0.5, echo_callers(side, requests))
        rounds = []
        for _ in range(int(turns)):
            told = {"act": await one_turn(ours, float(seconds), plays)}
            for name, side in echoes.items():
                told[name] = await one_turn(side, float(seconds), echo_callers(side, requests))
            rounds.append(told)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for side in (ours, *echoes.values()):
            await side.close()
    print(json.dumps({"rounds": rounds, "acknowledged": ours.acknowledged}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
