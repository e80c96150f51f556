"""`croupier load`: have bots play at a server, and exit 1 where it answered anything wrongly."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from grpc import ChannelCredentials

    from croupier.client.load import Plan, Report
    from croupier.client.load.tally import Tally

_MOST_SHOWN = 20

_Callers = Annotated[int, typer.Option(min=0, help="Requests under way at a time; 0 is one for each table.")]
_Watchers = Annotated[
    int, typer.Option(min=0, help="Watch streams for each table; with none the score is not compared.")
]
_Probes = Annotated[
    int, typer.Option(min=0, max=1000, help="Of 1,000 actions, how many come with one to be refused.")
]
_Operations = Annotated[int, typer.Option(min=0, help="Play longer, until there are so many requests.")]
_History = Annotated[
    Path | None,
    typer.Option(help="Keep every request and answer in this file, JSON lines; it is written anew."),
]
_TokenFile = Annotated[Path | None, typer.Option(help="A backend's token, sent with every call.")]
_Ca = Annotated[Path | None, typer.Option(help="Whose certificate the server has, PEM: call by TLS.")]
_Cert = Annotated[
    Path | None, typer.Option(help="Client certificate of a backend, PEM, with --key and --ca.")
]
_Key = Annotated[Path | None, typer.Option(help="The client certificate's private key, PEM.")]


def load(
    target: Annotated[str, typer.Option(help="The server, HOST:PORT.")] = "127.0.0.1:50051",
    tables: Annotated[int, typer.Option(min=1, help="Tables to open and play at.")] = 8,
    players_per_table: Annotated[int, typer.Option(min=2, max=10, help="Bots at each table.")] = 2,
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds to play and measure.")] = 10.0,
    warm_up: Annotated[float, typer.Option(min=0, help="Seconds to play before that.")] = 0.0,
    callers: _Callers = 0,
    watchers_per_table: _Watchers = 1,
    idle_watchers: Annotated[int, typer.Option(min=0, help="Watch streams of a table nobody plays at.")] = 0,
    probes: _Probes = 20,
    house: Annotated[str, typer.Option(help="House of the tables.")] = "puzzle_pirates",
    game: Annotated[
        str, typer.Option(help="Game, such as omaha_hi_lo; not needed where the house has one.")
    ] = "",
    structure: Annotated[
        str, typer.Option(help="no_limit, pot_limit, fixed_limit or spread_limit.")
    ] = "no_limit",
    min_bet: Annotated[int, typer.Option(min=1, help="Minimum bet, one the house offers.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of what the bots choose.")] = 1,
    token_file: _TokenFile = None,
    ca: _Ca = None,
    cert: _Cert = None,
    key: _Key = None,
    operations: _Operations = 0,
    history: _History = None,
    json: Annotated[Path | None, typer.Option(help="Write the results to this file as well.")] = None,
) -> None:
    """Play random legal poker over gRPC, measure, and check every answer.

    Opens tables of its own, keeps them playing, and closes them. Then reads
    the ledger to its end: all entries must add up to 0, and each player must
    have what was deposited and won. And reads each table's history: what was
    acknowledged is there once, where it was told, and nothing else is.

    Exits 0 when every answer was right, 1 when any was wrong, 2 when the run
    could not begin.
    """
    from croupier.client.load import Plan

    credentials, token = _credentials(ca, cert, key), _token(token_file)
    plan = Plan(
        target=target,
        house_id=house,
        game=game,
        structure=structure,
        min_bet=min_bet,
        tables=tables,
        players_per_table=players_per_table,
        watchers_per_table=watchers_per_table,
        idle_watchers=idle_watchers,
        callers=callers,
        seconds=seconds,
        warm_up=warm_up,
        probes=probes,
        seed=seed,
        credentials=credentials,
        token=token,
        operations=operations,
        history=history,
    )
    report = _run(plan)
    _print(plan, report)
    if json is not None:
        _write(json, report)
    raise typer.Exit(1 if report.wrong else 0)


def _run(plan: Plan) -> Report:
    """Exits 2 where the run could not begin."""
    import uvloop

    from croupier.client import CroupierError
    from croupier.client.load import run

    try:
        with _progress(plan) as show:
            return uvloop.run(run(plan, show))
    except (CroupierError, OSError, ValueError) as failure:
        typer.echo(f"croupier load: {failure}", err=True)
        raise typer.Exit(2) from None


def _token(path: Path | None) -> Callable[[], str] | None:
    from croupier.client.bearer import from_file

    try:
        return from_file(path) if path else None
    except OSError as failure:
        raise typer.BadParameter(str(failure), param_hint="--token-file") from None


def _credentials(ca: Path | None, cert: Path | None, key: Path | None) -> ChannelCredentials | None:
    """Those of the connection; None for one without TLS."""
    if bool(cert) != bool(key) or (cert and not ca):
        raise typer.BadParameter("--cert, --key and --ca are given together")
    if ca is None:
        return None
    from grpc import ssl_channel_credentials

    try:
        own = (key.read_bytes(), cert.read_bytes()) if key and cert else (None, None)
        return ssl_channel_credentials(ca.read_bytes(), *own)
    except OSError as failure:
        raise typer.BadParameter(str(failure), param_hint="--ca, --cert, --key") from None


def _print(plan: Plan, report: Report) -> None:
    """The results, for people."""
    say = typer.echo
    say(f"{plan.tables} tables of {plan.players_per_table} players, {report.seconds:.1f} s at {plan.target}")
    say(f"  {report.hands_per_second:12,.1f} hands/s")
    say(f"  {report.acts_per_second:12,.1f} actions/s")
    latencies = f"p50 {report.p50_ms:.2f}, p99 {report.p99_ms:.2f}, p99.9 {report.p999_ms:.2f}"
    say(f"  latency of Act in ms: {latencies}, longest {report.max_ms:.2f}")
    if report.watch_messages:
        told = f"{report.watch_messages:,} messages, {report.messages_per_act:.2f} for each action"
        say(f"  watchers: {told}, cut off {report.watchers_cut_off} times")
    say(
        f"  probes: {report.probes:,} refused or repeated as they must be"
        if not report.wrong
        else "  probes failed"
    )
    if report.late:
        say(f"  late: {report.late} actions came after their time")
    say(f"  ledger: {report.ledger_entries:,} entries read, {report.rake:,} chips of rake from these tables")
    say(
        f"  history: {report.operations:,} operations, {report.operations_unknown:,} of them without an answer, "
        f"held against {report.history_events:,} events, {report.watched_sequences:,} told to watchers"
    )
    for what in report.wrong[:_MOST_SHOWN]:
        say(f"WRONG {what}")
    more = len(report.wrong) - _MOST_SHOWN
    if more > 0:
        say(f"and {more} more wrong answers")
    say(f"{len(report.wrong)} wrong answers" if report.wrong else "every answer was right")


def _write(path: Path, report: Report) -> None:
    import orjson

    path.write_bytes(orjson.dumps(report.as_json(), option=orjson.OPT_INDENT_2) + b"\n")


def _progress(plan: Plan) -> AbstractContextManager[Callable[[float, Tally], None] | None]:
    """A line that moves, on a terminal; nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        return nullcontext()
    from croupier.cli.load_progress import LoadProgress

    return LoadProgress(console, plan.seconds)
