"""Act with its journal in PostgreSQL against the same in SQLite, by turns in one run on one machine.

PostgreSQL runs beside its server, from the wheel that the tests use, with fsync on; both wait for the same disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.bench.processes import Failure, module_result, scratch, serving
from tests.bench.rows import Row, median, row, told
from tests.support.postgres import cluster, fetch

CALLERS = 64
TURNS = 16
TURN_SECONDS = 0.8


def act_postgres_vs_sqlite() -> list[Row]:
    """64 callers: actions a second."""
    with scratch() as directory, cluster(durable=True) as database:
        key = str(directory / "croupier.key")
        with (
            serving(directory / "sqlite.db") as file,
            serving(directory / "postgres.db", "--store", database.dsn, "--key-file", key) as server,
        ):
            arguments = [file.target, server.target, CALLERS, TURNS, TURN_SECONDS]
            measured = module_result("tests.bench.two_stores", *map(str, arguments))
            counted = "SELECT count(*) FROM journal WHERE request_id LIKE 'stores-%-%'"
            ((rows,),) = asyncio.run(fetch(database.dsn, counted))
            if rows != measured["acknowledged"][1]:
                raise Failure(
                    f"{measured['acknowledged'][1]} actions were acknowledged, the journal has {rows}"
                )
    sqlite = [turn[0]["per_second"] for turn in measured["rounds"]]
    postgres = [turn[1]["per_second"] for turn in measured["rounds"]]
    late = [median([turn[place]["p99_ms"] for turn in measured["rounds"]]) for place in (0, 1)]
    return [
        row(
            "act_postgres_vs_sqlite",
            median(postgres),
            "actions/s",
            against=f"the same on SQLite, {median(sqlite):,.0f} actions/s",
            ratio=median([ours / theirs for ours, theirs in zip(postgres, sqlite, strict=True)]),
            goal=0.85,
            runs=len(postgres),
            conditions=(
                f"{CALLERS} callers, two seats a table, PostgreSQL 18 on the same two cores; p99 {late[1]:.1f} ms,"
                f" SQLite {late[0]:.1f} ms; turns of {TURN_SECONDS} s: {told(postgres)}"
            ),
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"act_postgres_vs_sqlite": act_postgres_vs_sqlite}
