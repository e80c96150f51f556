"""`croupier watch`: a table in the terminal, or the tables there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from croupier.cli import calling, streams

_TABLE = typer.Argument(
    metavar="TABLE", help="The table's id. Left out: the open tables are listed.", show_default=False
)


def watch(
    table_id: Annotated[str | None, _TABLE] = None,
    player: Annotated[
        str, typer.Option(metavar="ID", help="See what this player sees, own cards included.")
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="Show the table as it stands, and end.")] = False,
    language: Annotated[str, typer.Option(help="Of the hands shown, such as de.")] = "",
    target: calling.Target = "127.0.0.1:50051",
    token_file: calling.TokenFile = None,
    ca: calling.Ca = None,
    cert: calling.Cert = None,
    key: calling.Key = None,
) -> None:
    """Watch a table as it is played.

    On a terminal: the seats, the board, the pots, who must act and for
    how long, and what happened last. Elsewhere: a line for each event.
    A connection that breaks is made again, and nothing is left out.

    Examples:
      croupier watch
      croupier watch TABLE
      croupier watch TABLE --player ann --token-file ann.token

    Exits 0 when the table has closed, after --once and by Ctrl-C, 1 when
    the table is halted, 2 when it cannot be watched.
    """
    import asyncio

    from croupier.client.watching import CannotWatch, Wanted, run

    if table_id == "":
        raise typer.BadParameter("it is empty", param_hint="TABLE")
    if table_id is None:
        _must_be_left_out({"--player": player, "--once": once, "--language": language})
    streams.end_with_output()
    credentials, token = calling.credentials(ca, cert, key), calling.token(token_file)
    wanted = Wanted(target, table_id or "", player, language, once, credentials, token)
    try:
        status = asyncio.run(run(wanted))
    except CannotWatch as failure:
        typer.echo(f"croupier watch: {failure}", err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(status)


def _must_be_left_out(options: Mapping[str, object]) -> None:
    """Raises BadParameter where one was given of those that are about one table."""
    for option, value in options.items():
        if value:
            raise typer.BadParameter("it is about a table: name one as TABLE", param_hint=option)
