"""The settings of config.py as options of the command line; what they default to and must be, config.py says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli import choices

SERVICE = "How it runs"
LISTENING = "Where it listens"
KEEPING = "Where tables and chips are kept"
OTHERS = "Several servers on one store"
CREDENTIALS = "Credentials: without any, loopback alone"
LIMITS = "Limits, for each caller or connection"


def _option(text: str, panel: str = SERVICE, metavar: str | None = None) -> typer.models.OptionInfo:
    unmarked = text.replace("[", "\\[")
    option: typer.models.OptionInfo = typer.Option(help=unmarked, rich_help_panel=panel, metavar=metavar)
    return option


Text = str | None
Number = int | None
File = Path | None

Listen = Annotated[Text, _option("Address to listen on. [default: 127.0.0.1]", LISTENING)]
Port = Annotated[Number, _option("gRPC port; 0 takes any free one. [default: 50051]", LISTENING)]
HttpPort = Annotated[
    Number, _option("Port of /metrics, /healthz, /readyz and /console. [default: 9464]", LISTENING)
]
Console = Annotated[
    bool | None,
    typer.Option(
        "--console/--no-console",
        help="Serve /console, the floor and its tables to look at, on the HTTP port.",
        rich_help_panel=LISTENING,
    ),
]
Store = Annotated[
    Text, _option("sqlite:PATH, or postgresql://USER@HOST/DB. [default: sqlite:data/croupier.db]", KEEPING)
]
KeyFile = Annotated[File, _option("Master key of the sealed decks. [default: beside the store]", KEEPING)]
Bus = Annotated[
    Text,
    _option(
        "NATS that ties this server to others on the same PostgreSQL: nats://HOST:PORT. [default: no others]",
        OTHERS,
    ),
]
BusCredentials = Annotated[File, _option("Credentials file of a NATS user.", OTHERS)]
Advertise = Annotated[
    Text,
    _option(
        "HOST:PORT at which callers and other servers reach this one. [default: where it listens]", OTHERS
    ),
]
Feed = Annotated[
    Text,
    _option(
        "JetStream stream that is told every settled hand and ledger entry; made where it is missing. [default: none]",
        OTHERS,
        metavar="NAME",
    ),
]
Wallet = Annotated[
    Text,
    _option("Your own wallet, a WalletService: grpc://HOST:PORT. [default: in the store's ledger]", KEEPING),
]
WalletTokenFile = Annotated[
    File, _option("Bearer token that calls of the wallet carry; reread when it changes.", KEEPING)
]
WalletTimeout = Annotated[
    Number, _option("Seconds until a call of the wallet is made again. [default: 5]", KEEPING)
]
LogLevel = Annotated[
    Text,
    typer.Option(
        help="debug, info, warning or error. \\[default: info]",
        rich_help_panel=SERVICE,
        autocompletion=choices.log_levels,
    ),
]
TracesEndpoint = Annotated[
    Text,
    _option(
        "OTLP receiver that gets traces over gRPC; needs croupier[otel]. [default: no traces]",
        metavar="http://HOST:PORT",
    ),
]
DrainTimeout = Annotated[
    Number, _option("Seconds that hands in play may take to end when stopping. [default: 30]")
]
HouseDir = Annotated[File, _option("Folder of your own house files (*.toml), beside the bundled ones.")]
MaxMinBet = Annotated[
    list[str] | None,
    _option(
        "Greatest minimum bet that a house offers, HOUSE=CHIPS; may be given for several.", metavar="H=N"
    ),
]
Config = Annotated[File, _option("TOML file with the same settings.")]

TlsCert = Annotated[
    File, _option("Certificate chain of the gRPC port, PEM; reread when renewed.", CREDENTIALS)
]
TlsKey = Annotated[File, _option("The certificate's private key, PEM.", CREDENTIALS)]
ClientCa = Annotated[
    File,
    _option(
        "Whose client certificates every caller must have, PEM; one that names croupier://ROLE/ID says who calls.",
        CREDENTIALS,
    ),
]
JwtSecretFile = Annotated[File, _option("Secret of HS256 tokens; reread when it changes.", CREDENTIALS)]
JwksFile = Annotated[
    File, _option("JWKS with the public keys of RS256 and EdDSA tokens; reread when it changes.", CREDENTIALS)
]
JwtAudience = Annotated[Text, _option("What a token's aud must be, such as croupier.", CREDENTIALS)]

MaxMessageBytes = Annotated[Number, _option("Size of a request. [default: 4194304]", LIMITS)]
MaxCalls = Annotated[Number, _option("Calls under way at a time. [default: 10000]", LIMITS)]
MaxStreams = Annotated[Number, _option("Streams open at a time. [default: 10000]", LIMITS)]
MaxRate = Annotated[Number, _option("Requests a second; 0 for any number. [default: 0]", LIMITS)]
PlayerCalls = Annotated[Number, _option("As max-calls, for players and observers. [default: 32]", LIMITS)]
PlayerStreams = Annotated[Number, _option("As max-streams, for players and observers. [default: 32]", LIMITS)]
PlayerRate = Annotated[Number, _option("As max-rate, for players and observers. [default: 50]", LIMITS)]
MaxConnectionAge = Annotated[
    Number,
    _option(
        "Seconds after which a connection is ended, the friendly way; 0 for never. [default: 3600]", LIMITS
    ),
]
MinPingInterval = Annotated[
    Number, _option("Seconds between keepalive pings of a caller, at least. [default: 1]", LIMITS)
]
