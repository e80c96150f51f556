"""Callers of the empty service, as lean as those of `croupier load`; prints JSON.

python -m tests.bench.echo_load TARGET CALLERS SECONDS WARM_UP REQUEST_BYTES [WATCHERS_PER_TABLE]
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from array import array

import uvloop
from tests.bench.echo_messages import request_of

from croupier.client import Croupier
from croupier.client.load.histogram import quantile
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.table_service_pb2 import WatchTableRequest
from croupier.v1.table_service_pb2_grpc import TableServiceStub


class Load:
    """One table a caller; `latencies` in nanoseconds."""

    def __init__(self, target: str, request_bytes: int) -> None:
        self._client = Croupier(target)
        self._spectator = Croupier(target)
        self._act = BettingServiceStub(self._client.channel).Act
        self._watch = TableServiceStub(self._spectator.channel).WatchTable
        self._request_bytes = request_bytes
        self._over = False
        self._latencies = array("q")
        self._messages = 0

    async def run(self, callers: int, seconds: float, warm_up: float, watchers: int) -> dict[str, float]:
        tables = [f"table-{number:014d}" for number in range(callers)]
        watching = [asyncio.create_task(self._follow(table)) for table in tables for _ in range(watchers)]
        await asyncio.sleep(0.5 if watchers else 0)
        calling = [
            asyncio.create_task(self._call(request_of(self._request_bytes, table))) for table in tables
        ]
        await asyncio.sleep(warm_up)
        begin, first, messages = time.monotonic(), len(self._latencies), self._messages
        await asyncio.sleep(seconds)
        passed, last, told = time.monotonic() - begin, len(self._latencies), self._messages - messages
        self._over = True
        await asyncio.gather(*calling)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        await self._client.close()
        await self._spectator.close()
        measured = sorted(self._latencies[first:last])
        return {
            "acts_per_second": (last - first) / passed,
            "p50_ms": quantile(measured, 0.5) / 1e6,
            "p99_ms": quantile(measured, 0.99) / 1e6,
            "messages_per_act": told / max(1, last - first),
        }

    async def _call(self, request: ActRequest) -> None:
        latencies = self._latencies
        while not self._over:
            started = time.perf_counter_ns()
            response: ActResponse = await self._act(request, timeout=30.0)
            latencies.append(time.perf_counter_ns() - started)
            if not response.sequence:
                raise SystemExit("an answer was empty")

    async def _follow(self, table_id: str) -> None:
        async for message in self._watch(WatchTableRequest(table_id=table_id)):
            self._messages += len(message.events.events)


async def main(arguments: list[str]) -> None:
    target, callers, seconds, warm_up, request_bytes, *watchers = arguments
    load = Load(target, int(request_bytes))
    count = int(watchers[0]) if watchers else 0
    print(json.dumps(await load.run(int(callers), float(seconds), float(warm_up), count)))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
