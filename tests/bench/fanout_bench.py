"""One table with 1,000 watchers, against an empty service that sends as many messages to as many streams."""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.act_bench import ratio
from tests.bench.processes import module_result, scratch, serving
from tests.bench.rows import Row, median, row

WATCHERS = 1000
TURNS = 8
TURN_SECONDS = 2.0


def fanout_1000() -> list[Row]:
    """Messages a second; how much processor time one takes is told beside it."""
    with scratch() as directory, serving(directory / "croupier.db") as server:
        arguments = (server.target, server.pid, WATCHERS, TURNS, TURN_SECONDS)
        told = module_result("tests.bench.fanout_duel", *map(str, arguments))
    rounds = told["rounds"]
    ours, empty = ([each[side]["rate"] for each in rounds] for side in ("ours", "empty"))
    cpu, empty_cpu = (median([each[side]["cpu_us"] for each in rounds]) for side in ("ours", "empty"))
    return [
        row(
            "fanout_1000",
            median(ours),
            "messages/s",
            against=f"empty grpc.aio fan-out, {median(empty):,.0f} messages/s",
            ratio=ratio(ours, empty),
            goal=0.6,
            runs=len(rounds),
            conditions=f"{WATCHERS} watchers of one table on one connection, {told['message_bytes']} bytes a message, "
            f"the next action once all have heard; {cpu:.0f} us of processor time a message, empty {empty_cpu:.0f}; "
            f"turns of {TURN_SECONDS:g} s",
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {"fanout_1000": fanout_1000}
