"""Act called at a server that forwards it over NATS, against the same called at the table's own server, by turns.

PostgreSQL and NATS run beside the two servers, from the wheels that the tests use; PostgreSQL with fsync on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.bench.processes import Failure, module_result, scratch, serving
from tests.bench.rows import Row, median, row, told
from tests.support.nats import free_port, nats_server
from tests.support.postgres import cluster, fetch

ROUNDS = 20
TURN_SECONDS = 0.5


def forwarded_act_p50() -> list[Row]:
    """One caller: milliseconds."""
    with scratch() as directory, cluster(durable=True) as database, nats_server() as bus:
        shared = ("--store", database.dsn, "--key-file", str(directory / "croupier.key"), "--bus", bus.url)
        ports = [("--port", str(free_port())) for _ in range(2)]
        with (
            serving(directory / "one.db", *shared, *ports[0]) as one,
            serving(directory / "other.db", *shared, *ports[1]) as other,
        ):
            arguments = [one.target, other.target, ROUNDS, TURN_SECONDS]
            measured = module_result("tests.bench.two_ways", *map(str, arguments))
            counted = "SELECT count(*) FROM journal WHERE request_id LIKE 'ways-%-%'"
            ((rows,),) = asyncio.run(fetch(database.dsn, counted))
            if rows != measured["acknowledged"]:
                raise Failure(f"{measured['acknowledged']} actions were acknowledged, the journal has {rows}")
    direct, forwarded = measured["direct"], measured["forwarded"]
    return [
        row(
            "forwarded_act_p50",
            median(forwarded),
            "ms",
            against=f"the same at the table's own server, {median(direct):.2f} ms",
            ratio=median([ours / theirs for ours, theirs in zip(direct, forwarded, strict=True)]),
            goal=0.4,
            runs=len(forwarded),
            conditions=(
                f"one caller, PostgreSQL 18 and NATS on the same two cores; {measured['calls']} calls each way at"
                f" least, turns of {TURN_SECONDS} s: {told(forwarded)}"
            ),
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"forwarded_act_p50": forwarded_act_p50}
