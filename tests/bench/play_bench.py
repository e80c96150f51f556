"""Play, durable, against Act and against empty services, turn by turn in one run."""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.act_bench import TABLES, TURN_SECONDS, TURNS, Turns, journal_rows, ratio
from tests.bench.processes import Failure, module_result, scratch, serving
from tests.bench.rows import Row, median, row

CALLERS = 64


def play() -> list[Row]:
    """64 callers on one stream."""
    with scratch() as directory, serving(directory / "croupier.db") as server:
        told = module_result(
            "tests.bench.play_duel", server.target, str(CALLERS), str(TURNS), str(TURN_SECONDS)
        )
        rows = journal_rows(server.store, "play-")
        if rows != told["acknowledged"]:
            raise Failure(f"{told['acknowledged']} actions were acknowledged, the journal has {rows}")
    rounds: Turns = told["rounds"]
    return [
        _rate("play_vs_act", rounds, "act", "Act by calls of its own", 2.0),
        _rate("play_vs_echo", rounds, "echo", "empty grpc.aio unary echo", 1.7),
        _rate("play_vs_stream_echo", rounds, "stream_echo", "empty grpc.aio bidirectional echo", 0.7),
    ]


def _rate(name: str, rounds: Turns, other: str, against: str, goal: float) -> Row:
    ours = [each["play"]["per_second"] for each in rounds]
    theirs = [each[other]["per_second"] for each in rounds]
    return row(
        name,
        median(ours),
        "actions/s",
        against=f"{against}, {median(theirs):,.0f}/s",
        ratio=ratio(ours, theirs),
        goal=goal,
        runs=len(rounds),
        conditions=f"{CALLERS} in flight on one stream, {TABLES}; turns of {TURN_SECONDS} s",
    )


BENCHES: dict[str, Callable[[], list[Row]]] = {"play": play}
