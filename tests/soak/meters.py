"""What databases and buses say of themselves: rows, bytes, log, commits, processor time; bytes of all messages."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import psutil
from tests.support.postgres import fetch

from croupier.adapters.postgres.connecting import connect

IDLE_SECONDS: Final = 10.0
_TABLES: Final = """
SELECT relname, pg_total_relation_size(pg_class.oid) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind = 'r' AND nspname = current_schema()"""
_LOG: Final = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
_PROCESS: Final = "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer"
_COMMITS: Final = "SELECT sum(commits)::bigint FROM nodes"


class Database(NamedTuple):
    """A database at a moment; sizes and rows by table, processor seconds of all its processes."""

    sizes: Mapping[str, int]
    rows: Mapping[str, int]
    log: int
    commits: int
    cpu: float

    @classmethod
    async def now(cls, dsn: str) -> Database:
        ((commits,),) = await fetch(dsn, _COMMITS)
        sizes: dict[str, int] = dict(await fetch(dsn, _TABLES))
        ((log,),) = await fetch(dsn, _LOG)
        return cls(
            sizes,
            {name: (await fetch(dsn, f"SELECT count(*) FROM {name}"))[0][0] for name in sizes},
            int(log),
            commits,
            await _cpu_seconds(dsn),
        )


def database_cost(
    before: Database, after: Database, acts: int, hands: int
) -> Iterator[tuple[str, float, str]]:
    """Names, values and units of what was written in between."""
    yield "database, actions a hand", acts / hands, ""
    yield "database, processor time", (after.cpu - before.cpu) / acts * 1e6, "us/action"
    yield "database, actions a commit", acts / (after.commits - before.commits), ""
    yield "database, write-ahead log", (after.log - before.log) / acts, "bytes/action"
    grown = {name: after.sizes[name] - size for name, size in before.sizes.items()}
    yield "database, tables and indexes", sum(grown.values()) / hands, "bytes/hand"
    for name, size in sorted(grown.items(), key=lambda one: -one[1]):
        rows = after.rows[name] - before.rows[name]
        if rows:
            yield f"database, {name}: rows", rows / hands, "rows/hand"
            yield f"database, {name}: with indexes", size / hands, "bytes/hand"


async def numbered(dsn: str, connections: int, seconds: float) -> float:
    """Commits a second that do nothing but count entries on, each at once after the last."""
    deadline = time.monotonic() + seconds

    async def one() -> int:
        connection, commits = await connect(dsn), 0
        while time.monotonic() < deadline:
            await connection.execute("UPDATE counters SET entries = entries + 1")
            commits += 1
        await connection.close()
        return commits

    return sum(await asyncio.gather(*(one() for _ in range(connections)))) / seconds


class BusMeter:
    """Asks NATS at its monitoring port."""

    def __init__(self, port: int) -> None:
        self._url: Final = f"http://127.0.0.1:{port}/varz"

    def bytes(self) -> int:
        """Of messages that came in, and of those that went out."""
        with urllib.request.urlopen(self._url, timeout=10) as answer:
            told = json.load(answer)
        return int(told["in_bytes"]) + int(told["out_bytes"])

    async def idle(self) -> float:
        """Bytes a second while nobody plays."""
        begin = self.bytes()
        await asyncio.sleep(IDLE_SECONDS)
        return (self.bytes() - begin) / IDLE_SECONDS


def forwarded(http: str) -> int:
    """Calls that a server has forwarded, by its metrics."""
    with urllib.request.urlopen(f"http://{http}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    named = "croupier_forwarded_calls_total{"
    return round(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(named)))


async def _cpu_seconds(dsn: str) -> float:
    """Of the server's process and all under it, those that have ended included."""
    ((process,),) = await fetch(dsn, _PROCESS)
    head = psutil.Process(process)
    own = head.cpu_times()
    times = [one.cpu_times() for one in head.children(recursive=True)]
    ended = float(own.children_user + own.children_system)
    return ended + float(own.user + own.system) + sum(float(one.user + one.system) for one in times)
