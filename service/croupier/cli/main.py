"""The `croupier` command: one subcommand a file beside this one; heavy imports stay inside the functions."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from croupier.cli.audit import audit
from croupier.cli.doctor import doctor
from croupier.cli.equity import equity
from croupier.cli.load import load
from croupier.cli.replay import replay
from croupier.cli.serve import serve
from croupier.cli.wallet_check import wallet_check
from croupier.cli.watch import watch
from croupier.unusable import EvaluatorUnusable

app = typer.Typer(
    name="croupier",
    help="A gRPC service that deals poker for other programs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        from croupier.adapters.version import Build
        from croupier.config import Settings

        build = Build(Settings().store_name)
        typer.echo(f"croupier {build.version}, evaluator {build.evaluator}, store {build.store}")
        raise typer.Exit


@app.callback()
def croupier(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version.")
    ] = False,
) -> None:
    """Deal poker for other programs."""


app.command()(audit)
app.command()(doctor)
app.command()(equity)
app.command()(load)
app.command()(replay)
app.command()(serve)
app.command()(watch)
app.command()(wallet_check)


def main() -> None:
    """Entry point of the console script."""
    try:
        app()
    except EvaluatorUnusable as error:
        sys.exit(f"croupier: {error}")
