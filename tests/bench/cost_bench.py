"""What metrics, logs and credentials cost an Act together: a server with them against one without, in turns.

Held against each other is the processor time that an action takes of the server: it is steadier than a rate on a
machine that callers share, and a rate is beside it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.act_bench import TABLES, ratio
from tests.bench.processes import module_process, module_result, scratch
from tests.bench.rows import Row, median, row
from tests.support.credentials import Secret

CALLERS = 64
TURNS = 16
TURN_SECONDS = 1.5
SERVER = "tests.bench.cost_server"


def act_guarded() -> list[Row]:
    """64 callers; goal is a share of 15 % at most."""
    with scratch() as directory:
        secret = Secret(directory)
        whole = (str(directory / "whole.db"), str(secret.file))
        bare = (str(directory / "bare.db"), "bare")
        token = secret.token("backend", "bench", seconds=3600)
        with (
            module_process(SERVER, *whole) as (target, process),
            module_process(SERVER, *bare) as (bare_target, bare_process),
        ):
            arguments = (
                *(target, process.pid, bare_target, bare_process.pid),
                *(CALLERS, TURNS, TURN_SECONDS, token),
            )
            rounds = module_result("tests.bench.cost_duel", *map(str, arguments))["rounds"]
    cpu, bare_cpu = ([each[side]["cpu_us"] for each in rounds] for side in ("whole", "bare"))
    rate, bare_rate = (median([each[side]["per_second"] for each in rounds]) for side in ("whole", "bare"))
    return [
        row(
            "act_guarded",
            median(cpu),
            "us",
            against=f"without metrics, logs and credentials, {median(bare_cpu):.1f} us",
            ratio=ratio(bare_cpu, cpu),
            goal=0.85,
            runs=len(rounds),
            conditions=f"processor time of the server an action; {rate:,.0f} and {bare_rate:,.0f} actions/s; "
            f"{CALLERS} callers, {TABLES}; turns of {TURN_SECONDS:g} s",
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"act_guarded": act_guarded}
