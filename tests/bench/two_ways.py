"""One lean caller at two servers of one room by turns, of which one has its table and the other forwards; prints JSON.

Which of them has it, each answer says: placement may move a table. Milliseconds at p50, round by round.

python -m tests.bench.two_ways TARGET OTHER_TARGET ROUNDS SECONDS
"""

from __future__ import annotations

import json
import sys
import time
from statistics import median

import uvloop
from tests.bench.duel import Side, one_turn, players_of

from croupier.adapters.rpc.routed import OWNER_KEY
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse

WARM_SECONDS = 2.0


class Ways(Side):
    """Acts at either server; `direct` and `forwarded` are nanoseconds of calls since they were taken last."""

    def __init__(self, target: str, other: str) -> None:
        super().__init__(target)
        self.other = Side(other)
        self.acts = [self.act, self.other.act]
        self.direct: list[int] = []
        self.forwarded: list[int] = []

    async def call(self, request: ActRequest) -> ActResponse:
        started = time.perf_counter_ns()
        call = self.act(request, timeout=30.0)
        response: ActResponse = await call
        taken = time.perf_counter_ns() - started
        metadata = await call.trailing_metadata()
        (self.forwarded if OWNER_KEY in dict(metadata) else self.direct).append(taken)
        self.acknowledged += 1
        return response

    def taken(self) -> tuple[list[int], list[int]]:
        taken = self.direct, self.forwarded
        self.direct, self.forwarded = [], []
        return taken


async def main(arguments: list[str]) -> None:
    target, other, rounds, seconds = arguments
    ways = Ways(target, other)
    (player,) = await players_of(ways, 1, "ways-")
    found: list[tuple[list[int], list[int]]] = []
    for number in range(int(rounds) + 1):
        for act in ways.acts:
            ways.act = act
            await one_turn(ways, float(seconds) if number else WARM_SECONDS, [player.play])
        found.append(ways.taken())
    measured = [both for both in found[1:] if all(both)]
    direct, forwarded = ([median(one) / 1e6 for one in way] for way in zip(*measured, strict=True))
    for side in (ways, ways.other):
        await side.close()
    told = {
        "direct": direct,
        "forwarded": forwarded,
        "calls": min(len(way) for both in measured for way in both),
        "acknowledged": ways.acknowledged,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
