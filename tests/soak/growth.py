"""Whether a store gets slower as its journal grows: python -m tests.soak.growth [--rows 10000000] [--store postgres]

Records are appended, and tables read as after a crash, over an empty store and again with so many rows of other tables
behind; on PostgreSQL once more while most of them go to the archive, and after it. Needs 500 bytes a row.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import uvloop
from tests.bench.processes import scratch
from tests.bench.rows import machine
from tests.soak import filling
from tests.support.postgres import cluster

from croupier.adapters.sqlite import SqliteStore
from croupier.client.load.histogram import Histogram
from croupier.room.ports import Durable, Outcome, Record, Store, TableRow, Unit

CALLERS: Final = 64
SECONDS: Final = 20.0
READS: Final = 300
HASH: Final = bytes(32)
BODY: Final = secrets.token_bytes(filling.BODY_BYTES)


class Caller:
    """A table whose next record is submitted when the last one is durable, until it is `over`."""

    def __init__(self, store: Store, latencies: Histogram) -> None:
        self.over = False
        self._store = store
        self._latencies = latencies
        self._table_id = secrets.token_hex(8)
        self._records = 0
        self._submitted = 0

    def start(self) -> None:
        self._submit(TableRow(self._table_id, "house", "growth", "PoE", 1))

    def _submit(self, created: TableRow | None = None) -> None:
        self._records += 1
        number = self._records
        record = Record(self._table_id, 1, number, number, HASH, HASH, number, "backend", "", 1, BODY)
        self._submitted = time.perf_counter_ns()
        self._store.submit(Unit((record,), created=created), self._done)

    def _done(self, outcome: Outcome) -> None:
        if isinstance(outcome, Durable):
            self._latencies.add(time.perf_counter_ns() - self._submitted)
            if not self.over:
                self._submit()


async def appended(store: Store, what: str) -> None:
    """Tells how fast records are appended."""
    latencies = Histogram()
    callers = [Caller(store, latencies) for _ in range(CALLERS)]
    for caller in callers:
        caller.start()
    await asyncio.sleep(SECONDS)
    for caller in callers:
        caller.over = True
    told = latencies.latency()
    print(
        f"  {what:42} append: {told.calls / SECONDS:8,.0f} records/s, p50 {told.p50_ms:6.2f} ms,"
        f" p99 {told.p99_ms:6.2f} ms",
        flush=True,
    )


async def recovered(store: Store, what: str, table_ids: Sequence[str]) -> None:
    """Tells how long a table takes to be read as after a crash."""
    latencies = Histogram()
    for table_id in table_ids:
        began = time.perf_counter_ns()
        journal = await store.journal(table_id)
        latencies.add(time.perf_counter_ns() - began)
        if journal is None or len(journal.tail) > filling.RECORDS_A_HAND:
            raise SystemExit(f"{table_id} was not read as it should be")
    told = latencies.latency()
    print(f"  {what:42}   read: p50 {told.p50_ms:6.2f} ms, p99 {told.p99_ms:6.2f} ms a table", flush=True)


async def sqlite(rows: int) -> None:
    with scratch() as directory:
        path = directory / "growth.db"
        store = SqliteStore(path)
        await appended(store, "SQLite, empty")
        await store.close()
        short, long = filling.fill_sqlite(path, rows)
        print(f"  {rows:,} rows: {path.stat().st_size / 1e9:.1f} GB", flush=True)
        store = SqliteStore(path)
        await appended(store, f"SQLite, {rows:,} rows behind")
        await _both(store, "SQLite", short, long)
        await store.close()


async def postgres(rows: int) -> None:
    from croupier.adapters.postgres import PostgresStore
    from croupier.adapters.postgres.archive import archive

    with cluster(durable=True) as database:
        dsn = database.dsn
        store = await PostgresStore.open(dsn)
        await appended(store, "PostgreSQL, empty")
        await store.close()
        short, long = await filling.fill_postgres(dsn, rows)
        print(f"  {rows:,} rows: {await filling.sizes(dsn)}", flush=True)
        store = await PostgresStore.open(dsn)
        await appended(store, f"PostgreSQL, {rows:,} rows behind")
        await _both(store, "PostgreSQL", short, long)
        began = time.monotonic()
        moving = asyncio.create_task(archive(dsn, filling.NEWER_NS))
        await appended(store, "PostgreSQL, while rows are archived")
        moved = await moving
        seconds = time.monotonic() - began
        print(
            f"  {moved.records:,} records archived in {seconds:.0f} s; {await filling.sizes(dsn)}", flush=True
        )
        await appended(store, "PostgreSQL, archived")
        await _both(store, "PostgreSQL, archived", short, long)
        await store.close()


async def _both(store: Store, what: str, short: Sequence[str], long: str) -> None:
    await recovered(store, f"{what}, lives of {filling.RECORDS_A_TABLE:,} records", short[:READS])
    await recovered(store, f"{what}, a life of {filling.LONG:,} records", [long] * READS)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.growth")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--store", choices=("sqlite", "postgres"), action="append")
    asked = parser.parse_args(arguments)
    print(machine(), Path("/proc/loadavg").read_text().split()[0], "load", flush=True)
    for name in asked.store or ("sqlite", "postgres"):
        uvloop.run({"sqlite": sqlite, "postgres": postgres}[name](asked.rows))


if __name__ == "__main__":
    main(sys.argv[1:])
