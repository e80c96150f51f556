"""How long a server takes from its start until it is ready, over a store of a thousand tables in play."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.bench.processes import ROOT, Failure, scratch, serving
from tests.bench.rows import Row, median, row, told

SECONDS = 5.0
TABLES = 1000
HANDS = 1000
RUNS = 3


def restart_1000_tables_s() -> list[Row]:
    """From the start of the process until /readyz answers 200, each time on the same store."""
    with scratch() as directory:
        store = directory / "croupier.db"
        _fill(store)
        records = _records(store)
        taken = []
        for _ in range(RUNS):
            with serving(store) as server:
                taken.append(server.seconds)
                if server.tables != TABLES:
                    raise Failure(f"the server opened {server.tables} tables")
    seconds = median(taken)
    conditions = (
        f"{TABLES} tables of {HANDS} short hands each, {records:,} records, a hand in play at each table; "
        f"file in the page cache; {told(taken)}"
    )
    return [
        row(
            "restart_1000_tables_s",
            seconds,
            "s",
            against=f"at most {SECONDS:.0f} s",
            ratio=SECONDS / seconds,
            goal=1.0,
            runs=RUNS,
            conditions=conditions,
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"restart_1000_tables_s": restart_1000_tables_s}


def _fill(store: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.filler", str(store), str(TABLES), str(HANDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        raise Failure(f"the store was not filled: {done.stderr.decode()[-2000:]}")


def _records(store: Path) -> int:
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        tables, records = connection.execute(
            "SELECT count(*), sum(last_journal_sequence) FROM tables WHERE closed = 0"
        ).fetchone()
    if tables != TABLES:
        raise Failure(f"{tables} tables are open in the store that was filled")
    return int(records)
