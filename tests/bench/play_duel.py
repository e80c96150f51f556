"""The same callers on one Play stream, at Act, and at empty services of either kind, in short turns; prints JSON.

On Play whatever waits goes as one message; at the empty stream, written as grpc.aio's documentation has it, each
action is a message of its own and gets one.

python -m tests.bench.play_duel TARGET CALLERS TURNS SECONDS
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import uvloop
from grpc.aio import EOF
from tests.bench.duel import Player, Side, echo_callers, one_turn, players_of
from tests.bench.echo_messages import request_of
from tests.bench.processes import module_serving

from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.play_service_pb2 import PlayAct, PlayOpen, PlayRequest
from croupier.v1.play_service_pb2_grpc import PlayServiceStub


class StreamSide(Side):
    """One stream that all callers share."""

    def __init__(self, target: str, *, shared_messages: bool) -> None:
        super().__init__(target)
        self._shared_messages = shared_messages
        self._waiting: dict[int, asyncio.Future[ActResponse]] = {}
        self._last = 0
        self._messages = [PlayRequest(open=PlayOpen(stream_id="bench"))] if shared_messages else []
        self._more = asyncio.Event()
        self._more.set()
        self._stream: Any = PlayServiceStub(self.client.channel).Play()
        self._tasks = [asyncio.create_task(work) for work in (self._write_on(), self._read_on())]

    async def call(self, request: ActRequest) -> ActResponse:
        """One timed action."""
        started = time.perf_counter_ns()
        self._last += 1
        answer: asyncio.Future[ActResponse] = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = answer
        part = PlayAct(correlation_id=self._last, act=request)
        if self._shared_messages and self._messages:
            self._messages[-1].acts.append(part)
        else:
            self._messages.append(PlayRequest(acts=[part]))
        self._more.set()
        response = await answer
        self.latencies.append(time.perf_counter_ns() - started)
        self.acknowledged += 1
        return response

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._stream.cancel()
        await super().close()

    async def _write_on(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            messages, self._messages = self._messages, []
            for message in messages:
                await self._stream.write(message)

    async def _read_on(self) -> None:
        while (message := await self._stream.read()) is not EOF:
            for result in message.results:
                answer = self._waiting.pop(result.correlation_id)
                if result.HasField("acted"):
                    answer.set_result(result.acted)
                else:
                    answer.set_exception(SystemExit(f"refused: {result.refused}"))


async def main(arguments: list[str]) -> None:
    target, callers, turns, seconds = arguments
    stream, unary = StreamSide(target, shared_messages=True), Side(target)
    on_stream: list[Player] = await players_of(stream, int(callers), "play-")
    at_act: list[Player] = await players_of(unary, int(callers), "unary-")
    plays, acts = [player.play for player in on_stream], [player.play for player in at_act]
    await one_turn(stream, 1.0, plays)
    await one_turn(unary, 1.0, acts)
    with module_serving("tests.bench.echo_server", str(unary.response_bytes), "0", "0") as empty:
        requests = [request_of(unary.request_bytes, player.table_id) for player in at_act]
        echo, stream_echo = Side(empty), StreamSide(empty, shared_messages=False)
        sides: dict[str, tuple[Side, Sequence[Callable[[], Awaitable[None]]]]] = {
            "play": (stream, plays),
            "act": (unary, acts),
            "echo": (echo, echo_callers(echo, requests)),
            "stream_echo": (stream_echo, echo_callers(stream_echo, requests)),
        }
        for name in ("echo", "stream_echo"):
            await one_turn(sides[name][0], 0.5, sides[name][1])
        rounds = [
            {name: await one_turn(side, float(seconds), calls) for name, (side, calls) in sides.items()}
            for _ in range(int(turns))
        ]
        for side, _ in sides.values():
            await side.close()
    print(json.dumps({"rounds": rounds, "acknowledged": stream.acknowledged}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
