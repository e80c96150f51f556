"""The same lean callers at two servers by turns, each over a store of another kind; prints JSON.

python -m tests.bench.two_stores TARGET OTHER_TARGET CALLERS TURNS SECONDS
"""

from __future__ import annotations

import json
import sys

import uvloop
from tests.bench.duel import Side, one_turn, players_of


async def main(arguments: list[str]) -> None:
    *targets, callers, turns, seconds = arguments
    sides = [Side(target) for target in targets]
    plays = []
    for side in sides:
        players = await players_of(side, int(callers), "stores-")
        plays.append([player.play for player in players])
        await one_turn(side, 2.0, plays[-1])
    rounds = []
    for _ in range(int(turns)):
        rounds.append(
            [await one_turn(side, float(seconds), play) for side, play in zip(sides, plays, strict=True)]
        )
    for side in sides:
        await side.client.close()
        await side.spectator.close()
    print(json.dumps({"rounds": rounds, "acknowledged": [side.acknowledged for side in sides]}))


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1:]))
