"""`croupier load`: have bots play at a server; the exit status says whether it answered rightly and fast enough."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from croupier.cli import calling
from croupier.cli import load_options as options

if TYPE_CHECKING:
    from croupier.cli.load_objectives import Judged, Objective
    from croupier.client.load import Plan, Report, TableKind
    from croupier.client.load.progress import Progress

_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


def load(
    target: options.Target = "127.0.0.1:50051",
    token_file: options.TokenFile = None,
    ca: options.Ca = None,
    cert: options.Cert = None,
    key: options.Key = None,
    house: options.House = None,
    tables: options.Tables = 8,
    players_per_table: options.Players = 2,
    watchers_per_table: options.Watchers = 1,
    idle_watchers: options.IdleWatchers = 0,
    seed: options.Seed = 1,
    rate: options.Rate = 0.0,
    callers: options.Callers = 0,
    via: options.ActVia = "act",
    ramp: options.Ramp = 0.0,
    seconds: options.Seconds = 10.0,
    operations: options.Operations = 0,
    patience: options.Patience = 0.0,
    probes: options.Probes = 20,
    history: options.History = None,
    slo: options.Slo = None,
    json: options.Json = None,
    html: options.Html = None,
) -> None:
    """Play random legal poker over gRPC, measure, and check every answer.

    Opens tables of its own, keeps them playing, and closes them. Then reads
    the ledger to its end: all entries must add up to 0, and each player must
    have what was deposited and won. And reads each table's history: what was
    acknowledged is there once, where it was told, and nothing else is.

    Ctrl-C or SIGTERM ends the playing; what was until then is reported.

    Exits 0 when every answer was right, 1 when any was wrong, 2 when the run
    could not begin; and, every answer being right, 3 when an --slo was missed,
    4 when there was no server for longer than --patience or the credential was
    refused before the end, 2 when otherwise only the report could not be written.
    """
    if rate and callers:
        raise typer.BadParameter("--callers is for a closed loop, without --rate")
    objectives = _objectives(slo or [])
    written = {"--history": history, "--json": json, "--html": html}
    for hint, path in written.items():
        _must_be_writable(path, hint)
    _must_differ({hint: path for hint, path in written.items() if path is not None})
    from croupier.client.load import Plan

    plan = Plan(
        target=target,
        mix=_mix(house or ["puzzle_pirates"]),
        tables=tables,
        players_per_table=players_per_table,
        watchers_per_table=watchers_per_table,
        idle_watchers=idle_watchers,
        rate=rate,
        callers=callers,
        via=via,
        ramp=ramp,
        seconds=seconds,
        probes=probes,
        seed=seed,
        credentials=calling.credentials(ca, cert, key),
        token=calling.token(token_file),
        operations=operations,
        patience=patience,
        history=history,
    )
    report = _run(plan)
    raise typer.Exit(_tell(report, objectives, json, html))


def _tell(report: Report, objectives: Sequence[Objective], json: Path | None, html: Path | None) -> int:
    """Writes and says what came of it, in this order: who reads may have gone away. Returns the exit status."""
    from croupier.cli.load_html import page
    from croupier.cli.load_objectives import judged
    from croupier.cli.load_text import lines

    slo = judged(objectives, report.of_acts)
    written = [
        json is None or _written(json, lambda: _as_json(report, slo)),
        html is None or _written(html, lambda: page(report, slo).encode()),
    ]
    for line in lines(report, slo):
        typer.echo(line)
    if report.wrong or report.outage:
        return 1 if report.wrong else 4
    if not all(one.met for one in slo):
        return 3
    return 0 if all(written) else 2


def _run(plan: Plan) -> Report:
    """Exits 2 where the run could not begin."""
    import uvloop
    from rich.console import Console

    from croupier.cli.load_progress import LoadProgress
    from croupier.client import CroupierError

    console = Console(stderr=True)
    try:
        if not console.is_terminal:
            return uvloop.run(_until_interrupted(plan, None, console.print))
        with LoadProgress(console) as moving:
            return uvloop.run(_until_interrupted(plan, moving.show, moving.say))
    except CroupierError as failure:
        typer.echo(f"croupier load: {calling.why(plan.target, failure)}", err=True)
        raise typer.Exit(2) from None
    except (OSError, ValueError) as failure:
        typer.echo(f"croupier load: {failure}", err=True)
        raise typer.Exit(2) from None


async def _until_interrupted(plan: Plan, progress: Progress | None, say: Callable[[str], None]) -> Report:
    """The first Ctrl-C or SIGTERM ends the playing, a second one everything."""
    from croupier.client.load import run

    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def interrupted() -> None:
        say("interrupted: closing the tables and checking them, Ctrl-C again leaves them")
        for one in _ENDING:
            loop.remove_signal_handler(one)
        stop.set()

    for one in _ENDING:
        loop.add_signal_handler(one, interrupted)
    return await run(plan, progress, stop)


def _must_be_writable(path: Path | None, hint: str) -> None:
    """Before the run, not after it; raises BadParameter."""
    if path is None:
        return
    if path.is_dir():
        raise typer.BadParameter(f"{path} is a folder", param_hint=hint)
    if not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}", param_hint=hint)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise typer.BadParameter(f"{path} cannot be written", param_hint=hint)


def _must_differ(paths: Mapping[str, Path]) -> None:
    """Raises BadParameter where two of the files are one."""
    for (hint, path), (other, its) in combinations(paths.items(), 2):
        alike = path.exists() and its.exists() and path.samefile(its)
        if alike or path.resolve() == its.resolve():
            raise typer.BadParameter(f"{path} is the file of {hint} already", param_hint=other)


def _objectives(texts: Sequence[str]) -> list[Objective]:
    from croupier.cli.load_objectives import objective_of

    try:
        return [objective_of(text) for text in texts]
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="--slo") from None


def _mix(texts: Sequence[str]) -> tuple[TableKind, ...]:
    from croupier.client.load.mix import kind_of

    try:
        return tuple(kind_of(text) for text in texts)
    except ValueError as wrong:
        raise typer.BadParameter(str(wrong), param_hint="--house") from None


def _written(path: Path, told: Callable[[], bytes]) -> bool:
    try:
        path.write_bytes(told())
    except OSError as failure:
        typer.echo(f"croupier load: {path} cannot be written: {failure.strerror}", err=True)
        return False
    return True


def _as_json(report: Report, slo: Sequence[Judged]) -> bytes:
    import orjson

    told = {**report.as_json(), "slo": [one._asdict() for one in slo]}
    return orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n"
