"""The same callers at two servers in turns, with what each took of the processor; prints JSON.

python -m tests.bench.cost_duel TARGET PID BARE_TARGET BARE_PID CALLERS TURNS SECONDS TOKEN
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Sequence

import psutil
import uvloop
from tests.bench.duel import Side, one_turn, players_of


async def turn(
    side: Side, process: psutil.Process, seconds: float, calls: Sequence[Callable[[], Awaitable[None]]]
) -> dict[str, float]:
    """One side's turn: with `cpu_us`, the microseconds of its server's processor time that an action took."""
    before = process.cpu_times()
    told = await one_turn(side, seconds, calls)
    after = process.cpu_times()
    spent = after.user + after.system - before.user - before.system
    return {**told, "cpu_us": spent / told["acts"] * 1e6}


async def main(arguments: list[str]) -> None:
    target, pid, bare_target, bare_pid, callers, turns, seconds, token = arguments
    sides = {"whole": Side(target, token), "bare": Side(bare_target)}
    processes = {"whole": psutil.Process(int(pid)), "bare": psutil.Process(int(bare_pid))}
    plays = {
        name: [player.play for player in await players_of(side, int(callers), "cost-")]
        for name, side in sides.items()
    }
    for name, side in sides.items():
        await turn(side, processes[name], 2.0, plays[name])
    rounds = []
    for number in range(int(turns)):
        order = ("whole", "bare") if number % 2 else ("bare", "whole")
        rounds.append(
            {name: await turn(sides[name], processes[name], float(seconds), plays[name]) for name in order}
        )
    for side in sides.values():
        await side.close()
    print(json.dumps({"rounds": rounds}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
