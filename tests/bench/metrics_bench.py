"""What measuring costs an action, and a scrape the event loop: python -m tests.bench.run metrics_act metrics_scrape

An action is counted as a call, as an action by its cause, by its answer and its publication, and by its share of a
commit of eight records and of the end of a hand of 24 actions. CPU time of this process, the median of five runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from tests.bench.rows import Row, median, row
from tests.fakes.memory_store import MemoryStore
from tests.support.houses import table_rules

from croupier.adapters.embedded_wallet import EmbeddedWallet
from croupier.adapters.games import GAMES
from croupier.adapters.metrics import Gauges, LedgerCheck, Metrics, Sources
from croupier.adapters.metrics.exposition import Exposition
from croupier.adapters.runtime import AsyncioRuntime
from croupier.engine.carried import Seat
from croupier.engine.events import Called
from croupier.room.measuring import measure
from croupier.room.observer import HandFigures
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services

RUNS: Final = 5
ACTIONS: Final = 100_000
ACT_US: Final = 250.0
"""CPU time of an Act in the server, about."""
SHARE: Final = 0.05
TABLES: Final = 10_000
GOAL_BLOCK_MS: Final = 5.0


def _timed(work: Callable[[], object], times: int) -> list[float]:
    """Microseconds of CPU time each, run by run."""
    work()
    figures = []
    for _ in range(RUNS):
        begun = time.process_time()
        for _ in range(times):
            work()
        figures.append((time.process_time() - begun) / times * 1e6)
    return figures


def act() -> list[Row]:
    """Beside the twentieth part of an Act."""
    metrics, rules = Metrics(), table_rules()
    commit: Any = SimpleNamespace(
        events=[Called(1, 2, 2, all_in=False)], record=SimpleNamespace(checkpoint=False)
    )
    figures = HandFigures(pot=120, rake=5, showdown=True, seconds=40.0, lag=0.003)

    def action() -> None:
        measure(metrics, rules, commit, 1_000_000)
        metrics.answered(0.004)
        metrics.published(0.004)
        metrics.rpc("Act", "OK", 0.004)

    whole = median(_timed(action, ACTIONS))
    whole += median(_timed(lambda: metrics.commit(0.004, 8), ACTIONS)) / 8
    whole += median(_timed(lambda: metrics.hand_ended(rules, figures), ACTIONS)) / 24
    goal = SHARE * ACT_US
    return [
        row(
            "metrics_act_us",
            whole,
            "us",
            against=f"{SHARE:.0%} of an Act of {ACT_US:g} us",
            ratio=goal / whole,
            goal=1.0,
            runs=RUNS,
            conditions="every count and span of one action",
        )
    ]


def scrape() -> list[Row]:
    """How long a scrape of many tables holds the event loop up, at a time."""
    return asyncio.run(_scrape())


async def _scrape() -> list[Row]:
    runtime, metrics = AsyncioRuntime(), Metrics()
    store = MemoryStore(runtime.now)
    room = Room(Services(runtime, store, Seal(bytes(32)), metrics), EmbeddedWallet(store), GAMES)
    for number in range(TABLES):
        answer = await room.create_table(
            request_key("bench", "CreateTable", str(number), []), "", table_rules(), ""
        )
        actor = await room.table(answer.table.table_id)
        for seat in range(1, 7):
            actor.table.carried.seats[seat] = Seat(f"player-{seat}", stack=200, bought_in=True)
            actor.subscribe("")
    ledger = LedgerCheck(store)
    sources = Sources(room, ledger, runtime.now, lambda: 0.0, int, bool, lambda: True, int, {"version": "1"})
    exposition = Exposition(metrics.registry)
    exposition.look = Gauges(metrics.registry, sources).look
    scrapes = [_blocks(exposition) for _ in range(RUNS)]
    longest = median([max(blocks) for blocks in scrapes])
    await runtime.stop()
    return [
        row(
            "metrics_scrape_block_ms",
            longest,
            "ms",
            against=f"{GOAL_BLOCK_MS:g} ms",
            ratio=GOAL_BLOCK_MS / longest,
            goal=1.0,
            runs=RUNS,
            conditions=(
                f"the longest of {len(scrapes[0])} blocks, {median([sum(blocks) for blocks in scrapes]):.0f} ms in all;"
                f" {TABLES:,} tables with six players and six watchers each"
            ),
        )
    ]


def _blocks(exposition: Exposition) -> list[float]:
    """Milliseconds of CPU time of each step of a scrape: between two of them the event loop would go on."""
    blocks: list[float] = []
    begun = time.process_time()
    for _ in exposition.text().__await__():
        blocks.append((time.process_time() - begun) * 1e3)
        begun = time.process_time()
    return [*blocks, (time.process_time() - begun) * 1e3]


BENCHES: Final[dict[str, Callable[[], list[Row]]]] = {"metrics_act": act, "metrics_scrape": scrape}
