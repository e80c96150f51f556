"""What is looked at every ten seconds: one line of figures a look."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

import msgspec
from tests.soak.serving import Served
from tests.support.postgres import fetch

from croupier.client.load.histogram import Histogram

_SIZE: Final = "SELECT pg_database_size(current_database())"
_MB: Final = 1e6


class Sample(msgspec.Struct):
    """Counts are since the beginning; rate, processor time of the server an action, latencies since the last look."""

    seconds: float
    hands: int
    acts: int
    opened: int
    acts_per_s: float
    cpu_us: float
    p50_ms: float
    p99_ms: float
    rss_mb: float
    blocks: int
    tasks: int
    threads: int
    files: int
    store_mb: float
    wal_mb: float
    machine_load: float
    grown: list[str] = []


HEADINGS: Final = (
    " seconds     hands  opened  acts/s  us/act   p50 ms   p99 ms   RSS MB   blocks"
    "  tasks  thr  fds  store MB  WAL MB  load    done     left"
)
_RECENT_SECONDS: Final = 600.0


def line(one: Sample) -> str:
    return (
        f"{one.seconds:8.0f} {one.hands:9,} {one.opened:7,} {one.acts_per_s:7.0f} {one.cpu_us:7.0f}"
        f" {one.p50_ms:8.2f} {one.p99_ms:8.2f} {one.rss_mb:8.1f} {one.blocks:8} {one.tasks:6} {one.threads:4}"
        f" {one.files:4} {one.store_mb:9.0f} {one.wal_mb:7.1f} {one.machine_load:5.1f}"
    )


def progress(samples: Sequence[Sample], hands: int) -> str:
    """How far a run of so many hands is, and how long it takes yet at the pace of the last ten minutes."""
    now = samples[-1]
    begin = next(one for one in samples if one.seconds >= now.seconds - _RECENT_SECONDS)
    seconds, played = (0.0, 0) if begin is now else (begin.seconds, begin.hands)
    pace = (now.hands - played) / (now.seconds - seconds)
    left = timedelta(seconds=round(max(0, hands - now.hands) / pace)) if pace else "unknown"
    return f"{now.hands / hands:7.1%} {left!s:>8}"


class Looker:
    """Looks at a server; `began` and what came before are the event loop's time and the last look's."""

    def __init__(self, server: Served) -> None:
        self._server: Final = server
        self._began: Final = asyncio.get_running_loop().time()
        self._last = (self._began, 0, server.cpu_seconds())

    async def look(self, hands: int, acts: int, opened: int, latencies: Histogram) -> Sample:
        server, seen = self._server, self._server.seen
        told = await asyncio.to_thread(server.told)
        now, cpu = asyncio.get_running_loop().time(), server.cpu_seconds()
        then, acts_then, cpu_then = self._last
        self._last = (now, acts, cpu)
        store, wal = await self._sizes()
        fresh = max(1, acts - acts_then)
        return Sample(
            seconds=round(now - self._began, 1),
            hands=hands,
            acts=acts,
            opened=opened,
            acts_per_s=round(fresh / (now - then), 1),
            cpu_us=round((cpu - cpu_then) / fresh * 1e6, 1),
            p50_ms=latencies.quantile_ms(50),
            p99_ms=latencies.quantile_ms(99),
            rss_mb=seen.memory_info().rss / _MB,
            blocks=told.blocks,
            tasks=told.tasks,
            threads=seen.num_threads(),
            files=seen.num_fds(),
            store_mb=store,
            wal_mb=wal,
            machine_load=float(Path("/proc/loadavg").read_text().split()[0]),
            grown=told.grown,
        )

    async def _sizes(self) -> tuple[float, float]:
        """Megabytes of the store and of SQLite's write-ahead log."""
        if self._server.path is None:
            ((size,),) = await fetch(self._server.dsn, _SIZE)
            return size / _MB, 0.0
        wal = Path(f"{self._server.path}-wal")
        return self._server.path.stat().st_size / _MB, wal.stat().st_size / _MB if wal.exists() else 0.0
