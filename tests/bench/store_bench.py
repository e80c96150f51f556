"""How fast the store on disk is, against the least that a durable record can cost on the same disk.

python -m tests.bench.store_bench [open_tables_s] prints the figures; the second needs 4 GB and some minutes.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

import uvloop
from tests.bench.processes import scratch
from tests.bench.rows import Row, median, row, told

from croupier.adapters.sqlite import SqliteStore
from croupier.adapters.sqlite.schema import MARK_EVERY, open_writer
from croupier.room.ports import Durable, Outcome, Record, TableRow, Unit

BODY = bytes(120)
HASH = bytes(32)
CALLERS = 64
SECONDS = 2.0
RUNS = 3
TABLES = 1000
RECORDS_PER_TABLE = 10_000
RECORDS_PER_HAND = 10


class Caller:
    """A table whose next record is submitted when the last one is durable."""

    def __init__(self, store: SqliteStore, number: int) -> None:
        self.records = 0
        self.latencies: list[float] = []
        self._store = store
        self._table_id = f"table-{number}"
        self._submitted = 0.0

    def start(self) -> None:
        self._submit(TableRow(self._table_id, "house", "bench", "POE", 1))

    def _submit(self, created: TableRow | None = None) -> None:
        self.records += 1
        number = self.records
        record = Record(self._table_id, 1, number, number, HASH, HASH, number, "backend", "", 1, BODY)
        self._submitted = time.perf_counter()
        self._store.submit(Unit((record,), created=created), self._done)

    def _done(self, outcome: Outcome) -> None:
        if not isinstance(outcome, Durable):
            return  # the store is being closed
        self.latencies.append(time.perf_counter() - self._submitted)
        self._submit()


class Figures:
    """One run: records a second, the loop thread's CPU for each in µs, and the median latency in ms."""

    def __init__(self, callers: list[Caller], seconds: float, cpu: float) -> None:
        latencies = [latency for caller in callers for latency in caller.latencies]
        self.per_second = len(latencies) / seconds
        self.loop_us = cpu / len(latencies) * 1e6
        self.median_ms = median(latencies) * 1e3


def store_records_per_s() -> list[Row]:
    """Single-record units of 64 tables, each waiting for its last; the floor is timed around every run."""
    floors, runs = [_floor()], []
    for _ in range(RUNS):
        runs.append(uvloop.run(_closed_loop(CALLERS)))
        floors.append(_floor())
    ratios = [
        2 * run.per_second / (before + after)
        for run, before, after in zip(runs, floors, floors[1:], strict=False)
    ]
    loop_us = median([run.loop_us for run in runs])
    conditions = (
        f"{CALLERS} units wait; {told([run.per_second for run in runs])}; floor {told(floors)}; "
        f"p50 {median([run.median_ms for run in runs]):.2f} ms; loop thread {loop_us:.1f} us a unit"
    )
    against = "bare rows of one table, 64 a commit, in one thread"
    return [
        row(
            "store_records_per_s",
            median([run.per_second for run in runs]),
            "records/s",
            against=against,
            ratio=median(ratios),
            goal=0.25,
            runs=RUNS,
            conditions=conditions,
        ),
    ]


async def _closed_loop(count: int) -> Figures:
    with scratch() as directory:
        store = SqliteStore(directory / "store.db")
        callers = [Caller(store, number) for number in range(count)]
        for caller in callers:
            caller.start()
        await asyncio.sleep(SECONDS / 4)
        for caller in callers:
            caller.latencies.clear()
        started, cpu = time.perf_counter(), time.thread_time()
        await asyncio.sleep(SECONDS)
        figures = Figures(callers, time.perf_counter() - started, time.thread_time() - cpu)
        await store.close()
        return figures


def _floor() -> float:
    """Bare rows a second: what a record's bytes cost, appended with nothing checked, found or told."""
    with scratch() as directory:
        connection = sqlite3.connect(directory / "floor.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE journal (position INTEGER PRIMARY KEY, body BLOB)")
        rows = [(bytes(len(BODY) + 2 * len(HASH) + 40),)] * CALLERS
        count, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < SECONDS / 2:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO journal (body) VALUES (?)", rows)
            connection.execute("COMMIT")
            count += CALLERS
        connection.close()
        return count / elapsed


def open_tables_s() -> list[Row]:
    """From the store's opening until a thousand tables of a thousand hands are read and decoded."""
    with scratch() as directory:
        path = directory / "store.db"
        _fill(path)
        taken = [uvloop.run(_open(path)) for _ in range(RUNS)]
    conditions = f"{TABLES * RECORDS_PER_TABLE:,} records, file in the page cache; {told(taken)}"
    return [
        row(
            "open_tables_s",
            median(taken),
            "s",
            against="at most 5 s",
            ratio=5 / median(taken),
            goal=1.0,
            runs=RUNS,
            conditions=conditions,
        )
    ]


async def _open(path: Path) -> float:
    started = time.perf_counter()
    store = SqliteStore(path)
    journals = await store.open_tables()
    taken = time.perf_counter() - started
    await store.close()
    if len(journals) != TABLES or any(len(journal.tail) != RECORDS_PER_HAND for journal in journals):
        raise RuntimeError("the store does not hold what was filled in")
    return taken


def _fill(path: Path) -> None:
    """Rows as the writer would have left them after all tables took turns, straight into the file."""
    connection = open_writer(path)
    connection.execute("PRAGMA synchronous = OFF")
    values = {
        "tables": TABLES,
        "records": RECORDS_PER_TABLE,
        "hand": RECORDS_PER_HAND,
        "mark": MARK_EVERY,
        "hash": HASH,
        "body": BODY,
    }
    connection.execute("BEGIN")
    for statement in (_FILL_TABLES, _FILL_JOURNAL, _FILL_MARKS):
        connection.execute(statement, values)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


_FILL_TABLES = """
WITH RECURSIVE counted (key) AS (VALUES (1) UNION ALL SELECT key + 1 FROM counted LIMIT :tables)
INSERT INTO tables (table_key, table_id, house_id, name, currency, created_time, epoch, last_journal_sequence,
                    last_sequence, last_position, first_position, checkpoint_position, closed)
SELECT key, 'table-' || key, 'house', 'bench', 'POE', 1, 1, :records, :records, (:records - 1) * :tables + key, key,
       (:records - :hand) * :tables + key, 0
FROM counted"""
_FILL_JOURNAL = """
WITH RECURSIVE counted (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM counted LIMIT :records * :tables)
INSERT INTO journal (position, table_key, previous, epoch, journal_sequence, sequence, prev_hash, hash,
                     recorded_time, principal, request_id, format, body, sealed, checkpoint)
SELECT n + 1, n % :tables + 1, max(n + 1 - :tables, 0), 1, n / :tables + 1, n / :tables + 1, :hash, :hash,
       1, 'backend', '', 1, :body, NULL, n / :tables % :hand = 0
FROM counted"""
_FILL_MARKS = """
INSERT INTO marks (table_key, sequence, journal_sequence, position)
SELECT table_key, sequence, journal_sequence, position FROM journal WHERE journal_sequence % :mark = 0
ORDER BY table_key, journal_sequence"""

BENCHES: dict[str, Callable[[], list[Row]]] = {
    "store_records_per_s": store_records_per_s,
    "open_tables_s": open_tables_s,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or ["store_records_per_s"]:
        for figure in BENCHES[name]():
            print(figure)
