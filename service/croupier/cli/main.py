"""The `croupier` command: one subcommand a file beside this one; heavy imports stay inside the functions."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer._completion_classes import completion_init

from croupier.cli import completion, streams
from croupier.cli.archive import archive
from croupier.cli.audit import audit
from croupier.cli.doctor import doctor
from croupier.cli.equity import equity
from croupier.cli.load import load
from croupier.cli.replay import replay
from croupier.cli.serve import serve
from croupier.cli.signs import write_what_can_be
from croupier.cli.wallet_check import wallet_check
from croupier.cli.watch import watch
from croupier.unusable import EvaluatorUnusable

app = typer.Typer(
    name="croupier",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _tell_version(asked: bool) -> None:
    if asked:
        from croupier.adapters.version import Build
        from croupier.config import Settings

        build = Build(Settings().store_name)
        source = f", source {build.build}" if build.build else ""
        typer.echo(f"croupier {build.version}{source}, evaluator {build.evaluator}, store {build.store}")
        raise typer.Exit


@app.callback()
def croupier(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version.")
    ] = False,
    install_completion: completion.Install = None,
    show_completion: completion.Show = None,
) -> None:
    """A gRPC service that deals poker for other programs.

    croupier doctor says whether a server could start here, croupier serve
    starts one, and croupier watch shows what is played on it. Each command
    has its own --help, with what its exit status means; of any it is 2 where
    all else went well, but standard output could not be written. A reader of
    a pipe that goes away changes no status.
    """


_SERVER = "Run a server"
_RUNNING = "Try one that runs"
_RECORDS = "Without a server"

app.command(rich_help_panel=_SERVER)(serve)
app.command(rich_help_panel=_SERVER)(doctor)
app.command(rich_help_panel=_RUNNING)(watch)
app.command(rich_help_panel=_RUNNING)(load)
app.command(rich_help_panel=_RUNNING)(wallet_check)
app.command(rich_help_panel=_RECORDS)(audit)
app.command(rich_help_panel=_RECORDS)(archive)
app.command(rich_help_panel=_RECORDS)(replay)
app.command(rich_help_panel=_RECORDS)(equity)


def main() -> None:
    """Entry point of the console script."""
    sys.exit(streams.run(_run))


def _run() -> None:
    completion_init()
    write_what_can_be()
    try:
        app()
    except EvaluatorUnusable as error:
        sys.exit(f"croupier: {error}")
