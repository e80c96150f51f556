"""`croupier serve`: run the service until a signal stops it."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

import typer

from croupier.cli import settings_options as option


def serve(
    listen: option.Listen = None,
    port: option.Port = None,
    http_port: option.HttpPort = None,
    console: option.Console = None,
    store: option.Store = None,
    key_file: option.KeyFile = None,
    bus: option.Bus = None,
    bus_credentials: option.BusCredentials = None,
    advertise: option.Advertise = None,
    feed: option.Feed = None,
    wallet: option.Wallet = None,
    wallet_token_file: option.WalletTokenFile = None,
    wallet_timeout: option.WalletTimeout = None,
    log_level: option.LogLevel = None,
    traces_endpoint: option.TracesEndpoint = None,
    drain_timeout: option.DrainTimeout = None,
    house_dir: option.HouseDir = None,
    max_min_bet: option.MaxMinBet = None,
    tls_cert: option.TlsCert = None,
    tls_key: option.TlsKey = None,
    client_ca: option.ClientCa = None,
    jwt_secret_file: option.JwtSecretFile = None,
    jwks_file: option.JwksFile = None,
    jwt_audience: option.JwtAudience = None,
    max_message_bytes: option.MaxMessageBytes = None,
    max_calls: option.MaxCalls = None,
    max_streams: option.MaxStreams = None,
    max_rate: option.MaxRate = None,
    player_calls: option.PlayerCalls = None,
    player_streams: option.PlayerStreams = None,
    player_rate: option.PlayerRate = None,
    max_connection_age: option.MaxConnectionAge = None,
    min_ping_interval: option.MinPingInterval = None,
    config: option.Config = None,
) -> None:
    """Serve tables over gRPC, until SIGTERM or SIGINT.

    Each setting can also be a CROUPIER_ variable (CROUPIER_HTTP_PORT=9000)
    or stand in the config file (http_port = 9000); a flag wins over a
    variable, a variable over the file. deploy/SETTINGS.md lists all.

    Examples:
      croupier serve --console
      croupier serve --store postgresql://croupier@db/croupier
      croupier serve --store postgresql://croupier@db/croupier --bus nats://bus
      croupier serve --listen 0.0.0.0 --jwks-file keys.json

    Exits 0 when stopped by a signal, 1 when it could not start or another
    server has taken its store over, 2 when a setting is wrong.
    """
    _run(locals())


def _run(flags: dict[str, Any]) -> NoReturn:
    from croupier.config import load
    from croupier.stated import SettingsError

    try:
        settings = load(flags)
    except SettingsError as error:
        typer.echo(f"croupier serve: {error}", err=True)
        raise typer.Exit(2) from None
    # What callers do wrong, gRPC's own log tells line by line, and in no JSON.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from croupier.run import run

    def started(port: int, http_port: int) -> None:
        from croupier.cli.whereabouts import whereabouts

        typer.echo("\n".join(whereabouts(settings, port, http_port)))

    # For whoever started it by hand; others read the log.
    raise typer.Exit(run(settings, started=started if sys.stdout.isatty() else None))
