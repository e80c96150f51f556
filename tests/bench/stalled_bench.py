"""A thousand watchers that stop reading, each on a connection of its own: what they cost the server, and others.

They watch a table that is played at until their windows, of 64 KiB, are full; then others play, and what those
wait for an answer is held against the same without the thousand. The server's memory is looked at all the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import uvloop
from tests.bench.processes import Failure, Server, load_result, scratch, serving
from tests.bench.rows import Row, median, row, told
from tests.support.live import Backend
from tests.support.stalled import MOST_KIB, PeakMemory, Stalled, play

WATCHERS = 1000
ROUNDS = 3
SECONDS = 4.0
CALLERS = 8
FILLING_ACTS = 1000
FILES = 8192
PLAYERS = ("anna", "bert", "cleo", "dora", "emil", "fritz")


class Round(NamedTuple):
    """One round: milliseconds of the others' 99th percentile without and with stalled watchers, KiB for each."""

    without_ms: float
    with_ms: float
    kib: float


def stalled_watchers() -> list[Row]:
    """Memory for each, and the others' 99th percentile."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, FILES)), hard))
    rounds = []
    for _ in range(ROUNDS):
        with scratch() as directory, serving(directory / "croupier.db") as server:
            rounds.append(uvloop.run(_round(server, directory)))
    kib = [each.kib for each in rounds]
    ours, without = [each.with_ms for each in rounds], [each.without_ms for each in rounds]
    conditions = f"{WATCHERS} watchers that do not read, each on a connection with a window of 64 KiB"
    return [
        row(
            "stalled_watchers_kib",
            max(kib),
            "KiB",
            against=f"at most {MOST_KIB:.0f} KiB each",
            ratio=MOST_KIB / max(kib),
            goal=1.0,
            runs=ROUNDS,
            conditions=f"resident memory at its peak over that before, for each; {conditions}; {told(kib)}",
        ),
        row(
            "act_p99_beside_stalled",
            median(ours),
            "ms",
            against=f"the same without them, {median(without):,.1f} ms",
            ratio=median([before / after for before, after in zip(without, ours, strict=True)]),
            goal=0.9,
            runs=ROUNDS,
            conditions=f"{CALLERS} callers, beside {conditions}; {told(ours)}; without {told(without)}",
        ),
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"stalled_watchers": stalled_watchers}


async def _round(server: Server, directory: Path) -> Round:
    async with Backend(server.target) as backend:
        await _p99(server, directory)
        without = await _p99(server, directory)
        table_id = await backend.open_table(*PLAYERS)
        stalled = Stalled(int(server.target.rpartition(":")[2]))
        async with PeakMemory(server.pid) as memory:
            await stalled.watch(table_id, WATCHERS)
            await play(backend, table_id, FILLING_ACTS)
            beside = asyncio.create_task(play(backend, table_id, 10_000, pause=0.5))
            with_them = await _p99(server, directory)
            beside.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beside
        if not await stalled.window_is_full():
            raise Failure("the watchers' windows were not full")
        await stalled.close()
        return Round(without, with_them, memory.kib_each(WATCHERS))


async def _p99(server: Server, directory: Path) -> float:
    """The others' 99th percentile in milliseconds."""

    def measured() -> float:
        report = load_result(
            server.target,
            directory,
            tables=CALLERS,
            players_per_table=2,
            watchers_per_table=0,
            seconds=SECONDS,
            warm_up=0.5,
            probes=0,
        )
        return float(report["p99_ms"])

    return await asyncio.to_thread(measured)
