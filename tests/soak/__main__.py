"""A server under bots for very many hands, looked at all the while: python -m tests.soak --hands 1000000

Prints a line every ten seconds, with how much of the run is done and how long it takes yet, and writes
build/soak.json. Exits 1 where memory grew or latency did.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

import msgspec
import uvloop
from tests.bench.processes import ROOT
from tests.bench.rows import machine
from tests.soak.bots import PLAYERS, Bots, ByPlay, folding
from tests.soak.samples import HEADINGS, Looker, Sample, line, progress
from tests.soak.serving import Served, served
from tests.soak.verdict import Verdict, judged, told

from croupier.client import Croupier
from croupier.client.load.mix import TableKind, kind_of

RESULT: Final = ROOT / "build" / "soak.json"
_STREAMS: Final = 2


class Report(msgspec.Struct):
    machine: str
    store: str
    tables: int
    players: int
    fold_percent: int
    hands_a_table: int
    mix: list[str]
    verdict: Verdict
    samples: list[Sample]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, help="after which no more are played")
    parser.add_argument("--tables", type=int, default=64, help="at a time")
    parser.add_argument("--players", type=int, default=PLAYERS, help="a table")
    parser.add_argument(
        "--fold", type=int, default=0, metavar="PERCENT", help="of actions where one may fold"
    )
    parser.add_argument("--hands-a-table", type=int, default=100, help="until it closes and another opens")
    parser.add_argument(
        "--store", default="sqlite", help="sqlite, postgres (one of its own), or a postgresql:// DSN"
    )
    parser.add_argument("--house", action="append", type=kind_of, help="as croupier load has it")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between looks")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    mix: Sequence[TableKind] = asked.house or (TableKind(),)
    print(
        f"{machine()}; {asked.store}, {asked.tables} tables of {asked.players}, each for {asked.hands_a_table} hands"
    )
    print(HEADINGS, flush=True)
    with served(asked.store) as server:
        samples = uvloop.run(_soak(server, mix, asked))
    try:
        verdict = judged(samples)
    except ValueError as failure:
        raise SystemExit(f"{failure}; play more, or look more often") from None
    report = Report(
        machine(),
        asked.store,
        asked.tables,
        asked.players,
        asked.fold,
        asked.hands_a_table,
        [str(kind) for kind in mix],
        verdict,
        samples,
    )
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_bytes(msgspec.json.encode(report) + b"\n")
    print("\n".join([*told(verdict), f"written to {RESULT.relative_to(ROOT)}"]))
    return 1 if verdict.wrong else 0


async def _soak(server: Served, mix: Sequence[TableKind], asked: argparse.Namespace) -> list[Sample]:
    """The looks, once all hands are played or the time is over. Raises SystemExit where an answer was wrong."""
    async with AsyncExitStack() as opened:
        client = await opened.enter_async_context(Croupier(server.target))
        act = ByPlay(
            [await opened.enter_async_context(client.play_stream(f"soak-{one}")) for one in range(_STREAMS)]
        )
        bots = Bots(client, act, mix, asked.tables, asked.hands_a_table, asked.players, folding(asked.fold))
        looker = Looker(server)
        samples: list[Sample] = []
        playing = asyncio.create_task(_within(asked.minutes, bots.play(asked.hands, asked.seed)))
        while not playing.done():
            await asyncio.wait((playing,), timeout=asked.every)
            if not playing.done():
                samples.append(await looker.look(bots.hands, bots.acts, bots.opened, act.taken()))
                print(line(samples[-1]), progress(samples, asked.hands), flush=True)
        await playing
        if bots.wrong:
            raise SystemExit("\n".join(bots.wrong))
    for one in samples[-1].grown if samples else ():
        print(one)
    return samples


async def _within(minutes: float | None, playing: Coroutine[Any, Any, None]) -> None:
    """Play for so long at most. What bots raise comes in a group."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None if minutes is None else 60 * minutes):
            await playing


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
