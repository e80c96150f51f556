"""`croupier serve`: run the service until a signal stops it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    listen: Annotated[
        str | None, typer.Option(help="Address to listen on; loopback alone without credentials.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="gRPC port; 0 takes any free one. [default: 50051]")
    ] = None,
    http_port: Annotated[
        int | None, typer.Option(help="Port of /metrics, /healthz and /readyz. [default: 9464]")
    ] = None,
    store: Annotated[
        str | None, typer.Option(help="Where everything is kept. [default: sqlite:data/croupier.db]")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="Master key of the sealed decks. [default: beside the store]")
    ] = None,
    log_level: Annotated[
        str | None, typer.Option(help="debug, info, warning or error. [default: info]")
    ] = None,
    drain_timeout: Annotated[
        int | None, typer.Option(help="Seconds that calls may take to end when stopping. [default: 30]")
    ] = None,
    house_dir: Annotated[
        Path | None, typer.Option(help="Folder of your own house files (*.toml), beside the bundled ones.")
    ] = None,
    max_min_bet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOUSE=CHIPS", help="Greatest minimum bet that a house offers; may be given for several."
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with the same settings.")] = None,
) -> None:
    """Serve tables over gRPC.

    Each setting can also be a CROUPIER_ variable (CROUPIER_HTTP_PORT=9000) or stand in the config file; a flag wins
    over a variable, a variable over the file.
    """
    from croupier.config import SettingsError, load

    flags = {
        "listen": listen,
        "port": port,
        "http_port": http_port,
        "store": store,
        "key_file": str(key_file) if key_file else None,
        "log_level": log_level,
        "drain_timeout": drain_timeout,
        "house_dir": str(house_dir) if house_dir else None,
        "max_min_bet": max_min_bet or None,
        "config": str(config) if config else None,
    }
    try:
        settings = load(flags)
    except SettingsError as error:
        typer.echo(f"croupier serve: {error}", err=True)
        raise typer.Exit(2) from None
    from croupier.run import run

    raise typer.Exit(run(settings))
