"""The `croupier` command: one subcommand a file beside this one; heavy imports stay inside the functions."""

from __future__ import annotations

import typer

from croupier.cli.replay import replay

app = typer.Typer(
    name="croupier",
    help="A gRPC service that deals poker for other programs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def croupier() -> None:
    """Deal poker for other programs."""


app.command()(replay)


def main() -> None:
    """Entry point of the console script."""
    app()
