"""Act with its journal against an empty service, round by round in one run, callers in a process of their own.

Each caller drives all seats of its own two-seat table without a pause; hand starts, settlements and the calls
that seat a player again are in its time. The empty service gets the sizes and the number of messages that Act
had. Both take turns of a second or less, and a ratio is the median of the turns' ratios, since a machine's
speed drifts. Every status is checked, and at the end the journal's rows are counted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.processes import (
    Failure,
    Server,
    load_result,
    module_result,
    scratch,
    serving,
)
from tests.bench.rows import Row, median, row, told
from tests.support.credentials import AUDIENCE, Secret

SECONDS = 2.5
WARM_UP = 0.75
ROUNDS = 5
TURNS = 20
TURN_SECONDS = 0.6
TABLES = "two seats a table, no limit 2, no pause between hands, SQLite WAL FULL"
GUARDED = f"{TABLES}, each call with its token (echo without)"


def act_vs_echo() -> list[Row]:
    """64 callers: actions per second, and the 99th percentile."""
    rounds = _rounds(callers=64, watchers=0)
    return [
        _rate("act_vs_echo", rounds, 0.75, f"64 callers, {GUARDED}"),
        _p99("act_p99_vs_echo", rounds, 0.5, f"64 callers, {GUARDED}"),
        _rate("act_vs_uvloop_echo", rounds, 0.0, f"64 callers, {GUARDED}", "uvloop_echo"),
    ]


def act_vs_echo_8() -> list[Row]:
    """8 callers."""
    return [_rate("act_vs_echo_8", _rounds(callers=8, watchers=0), 0.55, f"8 callers, {GUARDED}")]


def act_vs_echo_watched() -> list[Row]:
    """64 callers and six watchers a table, against an empty service that sends as many messages."""
    rounds = _rounds(callers=64, watchers=6)
    messages = median([each["act"]["messages_per_act"] for each in rounds])
    sent = median([each["echo"]["messages_per_act"] for each in rounds])
    conditions = (
        f"64 callers, {GUARDED}, six watchers a table, {messages:.2f} messages an action (echo {sent:.2f})"
    )
    return [_rate("act_vs_echo_watched", rounds, 0.60, conditions)]


def act_with_idle_watchers() -> list[Row]:
    """64 callers while 1,000 watchers look at a table where nothing happens, against the same without them."""
    idle, quiet = [], []
    with scratch() as directory, serving(directory / "croupier.db") as server:
        for _ in range(ROUNDS):
            quiet.append(_act(server, directory, callers=64, watchers=0))
            idle.append(_act(server, directory, callers=64, watchers=0, idle_watchers=1000))
    ours = [each["acts_per_second"] for each in idle]
    without = [each["acts_per_second"] for each in quiet]
    return [
        row(
            "act_with_idle_watchers",
            median(ours),
            "actions/s",
            against=f"the same without watchers, {median(without):,.0f} actions/s",
            ratio=ratio(ours, without),
            goal=0.9,
            runs=ROUNDS,
            conditions=f"64 callers, {TABLES}; with 1,000 idle watchers {told(ours)}; without {told(without)}",
        )
    ]


BENCHES: dict[str, Callable[[], list[Row]]] = {
    "act_vs_echo": act_vs_echo,
    "act_vs_echo_8": act_vs_echo_8,
    "act_vs_echo_watched": act_vs_echo_watched,
    "act_with_idle_watchers": act_with_idle_watchers,
}


Turns = list[dict[str, dict[str, float]]]
"""What the same callers measured at Croupier and at the empty service, one after the other."""


def _rounds(*, callers: int, watchers: int) -> Turns:
    """Act, echo, Act, echo and so on; at Croupier every call bears a token."""
    with scratch() as directory, guarded(directory) as (server, token):
        arguments = [server.target, callers, watchers, TURNS, TURN_SECONDS, "duel-", token]
        told = module_result("tests.bench.duel", *map(str, arguments))
        rows = journal_rows(server.store, "duel-")
        if rows != told["acknowledged"]:
            raise Failure(f"{told['acknowledged']} actions were acknowledged, the journal has {rows}")
    rounds: Turns = told["rounds"]
    return rounds


@contextmanager
def guarded(directory: Path) -> Iterator[tuple[Server, str]]:
    """A server that takes bearer tokens alone, and a backend's."""
    secret = Secret(directory)
    flags = ("--jwt-secret-file", str(secret.file), "--jwt-audience", AUDIENCE)
    with serving(directory / "croupier.db", *flags) as server:
        yield server, secret.token("backend", "bench", seconds=3600)


def _act(
    server: Server, directory: Path, *, callers: int, watchers: int, idle_watchers: int = 0
) -> dict[str, Any]:
    report = load_result(
        server.target,
        directory,
        tables=callers,
        players_per_table=2,
        watchers_per_table=watchers,
        idle_watchers=idle_watchers,
        seconds=SECONDS,
        ramp=WARM_UP,
        probes=0,
    )
    rows = journal_rows(server.store, report["request_prefix"])
    if rows != report["acknowledged"]:
        raise Failure(f"{report['acknowledged']} actions were acknowledged, the journal has {rows}")
    return report


def journal_rows(store: Path, request_prefix: str) -> int:
    """How many records of the journal came of requests whose id begins so."""
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        count = "SELECT count(*) FROM journal WHERE substr(request_id, 1, ?) = ?"
        found: int = connection.execute(count, (len(request_prefix), request_prefix)).fetchone()[0]
    return found


def ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """The median of the ratios, round by round."""
    return median([above / below for above, below in zip(over, under, strict=True)])


def _rate(name: str, rounds: Turns, goal: float, conditions: str, other: str = "echo") -> Row:
    ours = [each["act"]["per_second"] for each in rounds]
    theirs = [each[other]["per_second"] for each in rounds]
    return row(
        name,
        median(ours),
        "actions/s",
        against=f"empty grpc.aio {other.replace('_', ' ')}, {median(theirs):,.0f} RPC/s",
        ratio=ratio(ours, theirs),
        goal=goal,
        runs=len(rounds),
        conditions=f"{conditions}; turns of 0.6 s",
    )


def _p99(name: str, rounds: Turns, goal: float, conditions: str) -> Row:
    ours = [each["act"]["p99_ms"] for each in rounds]
    theirs = [each["echo"]["p99_ms"] for each in rounds]
    return row(
        name,
        median(ours),
        "ms",
        against=f"empty grpc.aio echo, {median(theirs):.2f} ms",
        ratio=ratio(theirs, ours),
        goal=goal,
        runs=len(rounds),
        conditions=f"{conditions}; turns of 0.6 s",
    )
