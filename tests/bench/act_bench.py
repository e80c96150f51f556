"""Act with its journal against an empty service, round by round in one run, callers in a process of their own.

Each caller drives all seats of its own two-seat table without a pause; hand starts, settlements and the calls
that seat a player again are in its time. The empty service gets the sizes and the number of messages that the
round of Act before it had. A ratio is the median of the rounds' ratios, since a machine's speed drifts. Every
status is checked, and at the end the journal's rows are counted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.processes import (
    Failure,
    Server,
    load_result,
    module_result,
    module_serving,
    scratch,
    serving,
)
from tests.bench.rows import Row, median, row, told

SECONDS = 2.5
WARM_UP = 0.75
ROUNDS = 5
TABLES = "two seats a table, no limit 2, no pause between hands, SQLite WAL FULL"


class Round(NamedTuple):
    """The same callers at Croupier and at the empty service, one after the other."""

    act: dict[str, Any]
    echo: dict[str, Any]


def act_vs_echo() -> list[Row]:
    """64 callers: actions per second, and the 99th percentile."""
    rounds = _rounds(callers=64, watchers=0)
    return [
        _rate("act_vs_echo", rounds, 0.75, f"64 callers, {TABLES}"),
        _p99("act_p99_vs_echo", rounds, 0.5, f"64 callers, {TABLES}"),
    ]


def act_vs_echo_8() -> list[Row]:
    """8 callers."""
    return [_rate("act_vs_echo_8", _rounds(callers=8, watchers=0), 0.55, f"8 callers, {TABLES}")]


def act_vs_echo_watched() -> list[Row]:
    """64 callers and six watchers a table, against an empty service that sends as many messages."""
    rounds = _rounds(callers=64, watchers=6)
    messages = median([each.act["messages_per_act"] for each in rounds])
    sent = median([each.echo["messages_per_act"] for each in rounds])
    conditions = (
        f"64 callers, {TABLES}, six watchers a table, {messages:.2f} messages an action (echo {sent:.2f})"
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
            ratio=_ratio(ours, without),
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


def _rounds(*, callers: int, watchers: int) -> list[Round]:
    """Act, echo, Act, echo and so on."""
    rounds: list[Round] = []
    with scratch() as directory, serving(directory / "croupier.db") as server:
        for _ in range(ROUNDS):
            act = _act(server, directory, callers=callers, watchers=watchers)
            rounds.append(Round(act, _echo(act, callers=callers, watchers=watchers)))
    return rounds


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
        warm_up=WARM_UP,
        probes=0,
    )
    rows = _journal_rows(server.store, report["request_prefix"])
    if rows != report["acknowledged"]:
        raise Failure(f"{report['acknowledged']} actions were acknowledged, the journal has {rows}")
    return report


def _journal_rows(store: Path, request_prefix: str) -> int:
    """How many records of the journal came of requests whose id begins so."""
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)) as connection:
        count = "SELECT count(*) FROM journal WHERE substr(request_id, 1, ?) = ?"
        found: int = connection.execute(count, (len(request_prefix), request_prefix)).fetchone()[0]
    return found


def _echo(act: dict[str, Any], *, callers: int, watchers: int) -> dict[str, Any]:
    """The empty service, with what the round of Act took and sent."""
    sizes = [act["response_bytes"], act["messages_per_act"], act["message_bytes"]]
    response, per_act, message = round(sizes[0]), sizes[1] if watchers else 0, round(sizes[2])
    with module_serving("tests.bench.echo_server", str(response), str(per_act), str(message)) as target:
        arguments = [target, callers, SECONDS, WARM_UP, round(act["request_bytes"]), watchers]
        return module_result("tests.bench.echo_load", *map(str, arguments))


def _ratio(over: Sequence[float], under: Sequence[float]) -> float:
    """The median of the ratios, round by round."""
    return median([above / below for above, below in zip(over, under, strict=True)])


def _rate(name: str, rounds: Sequence[Round], goal: float, conditions: str) -> Row:
    ours = [each.act["acts_per_second"] for each in rounds]
    theirs = [each.echo["acts_per_second"] for each in rounds]
    return row(
        name,
        median(ours),
        "actions/s",
        against=f"empty grpc.aio echo, {median(theirs):,.0f} RPC/s",
        ratio=_ratio(ours, theirs),
        goal=goal,
        runs=len(rounds),
        conditions=f"{conditions}; Act {told(ours)}; echo {told(theirs)}",
    )


def _p99(name: str, rounds: Sequence[Round], goal: float, conditions: str) -> Row:
    ours = [each.act["p99_ms"] for each in rounds]
    theirs = [each.echo["p99_ms"] for each in rounds]
    return row(
        name,
        median(ours),
        "ms",
        against=f"empty grpc.aio echo, {median(theirs):.2f} ms",
        ratio=_ratio(theirs, ours),
        goal=goal,
        runs=len(rounds),
        conditions=f"{conditions}; Act {told(ours)}; echo {told(theirs)}",
    )
