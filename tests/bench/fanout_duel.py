"""Watchers of one table at Croupier and at an empty service, in short turns; prints JSON.

One caller acts, and acts again once every watcher has what came of it. The empty service sends as many messages an
action, of the same size. Watchers are on one connection in this process, and parse what they are sent.

python -m tests.bench.fanout_duel TARGET PID WATCHERS TURNS SECONDS
"""

from __future__ import annotations

import asyncio
import json
import sys
from abc import ABC, abstractmethod

import psutil
import uvloop
from tests.bench.duel import Side, echo_callers, one_turn, players_of
from tests.bench.echo_messages import request_of
from tests.bench.processes import module_process

from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.table_service_pb2 import WatchTableRequest


class Audience(Side, ABC):
    """One of the two services, whose calls end when every watcher has heard; `pid` is its process."""

    def __init__(self, target: str, pid: int) -> None:
        super().__init__(target)
        self._process = psutil.Process(pid)
        self._heard: asyncio.Event = asyncio.Event()

    async def call(self, request: ActRequest) -> ActResponse:
        response = await super().call(request)
        self._await(response)
        while not self._all_heard():
            self._heard.clear()
            async with asyncio.timeout(30):
                await self._heard.wait()
        return response

    def cpu(self) -> float:
        """Seconds of processor time that the service has taken."""
        times = self._process.cpu_times()
        return times.user + times.system

    @abstractmethod
    def _await(self, response: ActResponse) -> None:
        """Note what the watchers have to hear of an action."""

    @abstractmethod
    def _all_heard(self) -> bool:
        """Whether every watcher has heard it."""


class Floor(Audience):
    """Croupier: watchers have heard of an action that have its sequence."""

    def __init__(self, target: str, pid: int) -> None:
        super().__init__(target, pid)
        self._target = self._behind = 0
        self._sequences: dict[int, int] = {}

    async def follow(self, table_id: str) -> None:
        number = len(self._sequences)
        self._sequences[number] = 0
        async for message in self.watch(WatchTableRequest(table_id=table_id)):
            if not message.events.events:
                if message.HasField("end"):
                    raise SystemExit(f"a watcher was sent away: {message}")
                continue
            self.messages += 1
            self.message_bytes += message.ByteSize()
            before, now = self._sequences[number], message.events.events[-1].sequence
            self._sequences[number] = now
            if before < self._target <= now:
                self._behind -= 1
                if not self._behind:
                    self._heard.set()

    def _await(self, response: ActResponse) -> None:
        self._target = response.sequence
        self._behind = sum(sequence < self._target for sequence in self._sequences.values())

    def _all_heard(self) -> bool:
        return not self._behind


class Empty(Audience):
    """The empty service: watchers have heard when as many messages have come as are due."""

    def __init__(self, target: str, pid: int, per_act: float) -> None:
        super().__init__(target, pid)
        self._per_act = per_act
        self._came = 0
        self._due = 0.0

    async def follow(self, table_id: str) -> None:
        async for _ in self.watch(WatchTableRequest(table_id=table_id)):
            self.messages += 1
            self._came += 1
            if self._came >= int(self._due):
                self._heard.set()

    def _await(self, _: ActResponse) -> None:
        self._due += self._per_act

    def _all_heard(self) -> bool:
        return self._came >= int(self._due)


async def turn(side: Audience, seconds: float, *calls: object) -> dict[str, float]:
    """Messages a second, and microseconds of the service's processor time a message."""
    before = side.cpu()
    told = await one_turn(side, seconds, calls)  # type: ignore[arg-type]
    rate = told["per_second"] * told["messages_per_act"]
    messages = max(1.0, told["messages_per_act"] * told["acts"])
    return {**told, "rate": rate, "cpu_us": (side.cpu() - before) / messages * 1e6}


async def main(arguments: list[str]) -> None:
    target, pid, watchers, turns, seconds = arguments
    floor = Floor(target, int(pid))
    (player,) = await players_of(floor, 1, "fanout-")
    following = [asyncio.create_task(floor.follow(player.table_id)) for _ in range(int(watchers))]
    await asyncio.sleep(3.0)
    first = await turn(floor, 2.0, player.play)
    size = round(floor.message_bytes / max(1.0, first["messages_per_act"] * floor.acknowledged))
    sizes = [str(max(floor.response_bytes, 150)), str(first["messages_per_act"]), str(size)]
    with module_process("tests.bench.echo_server", *sizes) as (plain, process):
        empty = Empty(plain, process.pid, first["messages_per_act"])
        request = request_of(max(floor.request_bytes, 120), player.table_id)
        following += [asyncio.create_task(empty.follow(player.table_id)) for _ in range(int(watchers))]
        await asyncio.sleep(3.0)
        calls = echo_callers(empty, [request])
        await turn(empty, 1.0, *calls)
        rounds = []
        for _ in range(int(turns)):
            ours = await turn(floor, float(seconds), player.play)
            rounds.append({"ours": ours, "empty": await turn(empty, float(seconds), *calls)})
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for side in (floor, empty):
            await side.close()
    print(json.dumps({"rounds": rounds, "message_bytes": size}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
