"""The options of `croupier load`, by what they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from croupier.cli import choices

SERVER = "The server"
PLAYED = "What is played"
TABLES = "Tables"
LOAD = "Load"
CHECKS = "Checks"
RESULTS = "Results"

LONGEST_S = 31_536_000
"""No run lasts longer than a year, and bounds keep out what is not finite."""


def _option(panel: str, text: str, **more: Any) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        help=text.replace("[", "\\["), rich_help_panel=panel, **more
    )
    return option


Via = Literal["act", "play"]

Target = Annotated[
    str, _option(SERVER, "HOST:PORT; several servers of one room in turn, as ipv4:ADDRESS:PORT,ADDRESS:PORT.")
]
TokenFile = Annotated[Path | None, _option(SERVER, "A backend's token, sent with every call.")]
Ca = Annotated[Path | None, _option(SERVER, "Whose certificate the server has, PEM: call by TLS.")]
Cert = Annotated[Path | None, _option(SERVER, "Client certificate of a backend, PEM, with --key and --ca.")]
Key = Annotated[Path | None, _option(SERVER, "The client certificate's private key, PEM.")]

House = Annotated[
    list[str] | None,
    _option(
        PLAYED,
        "HOUSE[:GAME[:STRUCTURE[:MIN_BET]]][=WEIGHT], any number of times for a mix: what is left out is the house's "
        "first, and WEIGHT is the share of the tables. Such as poker_ocean:omaha_hi_lo:pot_limit:60=2. "
        "[default: puzzle_pirates]",
        metavar="KIND",
        autocompletion=choices.houses,
    ),
]
Tables = Annotated[int, _option(TABLES, "Tables to open and play at.", min=1)]
Players = Annotated[int, _option(TABLES, "Bots at each table.", min=2, max=10)]
Watchers = Annotated[
    int, _option(TABLES, "Watch streams for each table; with none the score is not compared.", min=0)
]
IdleWatchers = Annotated[int, _option(TABLES, "Watch streams of a table nobody plays at.", min=0)]
Seed = Annotated[int, _option(TABLES, "Seed of what the bots choose, and of the schedule of --rate.")]

Rate = Annotated[
    float,
    _option(
        LOAD,
        "Actions a second, however the server fares (open loop): they are due at random moments, a Poisson process, "
        "and latencies count from those. 0 is a closed loop: each caller acts once its last action is answered.",
        min=0,
        max=1_000_000,
        callback=choices.number,
    ),
]
Callers = Annotated[
    int, _option(LOAD, "Requests under way at a time, in a closed loop; 0 is one for each table.", min=0)
]
ActVia = Annotated[
    Via, _option(LOAD, "By which RPC actions go: one Act for each, or the stream that Play is.")
]
Ramp = Annotated[
    float,
    _option(
        LOAD,
        "Seconds before the steady phase, in which rate or callers rise from 0.",
        min=0,
        max=LONGEST_S,
        callback=choices.number,
    ),
]
Seconds = Annotated[
    float,
    _option(
        LOAD,
        "Seconds of steady load, which are measured.",
        min=0.1,
        max=LONGEST_S,
        callback=choices.number,
    ),
]
Operations = Annotated[int, _option(LOAD, "Play longer, until there are so many requests.", min=0)]
Patience = Annotated[
    float,
    _option(
        LOAD,
        "Repeat for about so many seconds actions that a server leaves unanswered, with the same request_id: for "
        "servers that are restarted meanwhile. 0 gives them up, and any outage ends in exit status 4.",
        min=0,
        max=LONGEST_S,
        callback=choices.number,
    ),
]

Probes = Annotated[
    int, _option(CHECKS, "Of 1,000 actions, how many come with one to be refused.", min=0, max=1000)
]
History = Annotated[
    Path | None,
    _option(CHECKS, "Keep every request and answer in this file, JSON lines; it is written anew."),
]

Slo = Annotated[
    list[str] | None,
    _option(
        RESULTS,
        "Exit 3 where actions took longer, such as p99=50ms, p99.9=0.25s or max=2s; any number of times.",
        metavar="QUANTILE=DURATION",
    ),
]
Json = Annotated[Path | None, _option(RESULTS, "Write all figures to this file.")]
Html = Annotated[Path | None, _option(RESULTS, "Write a report with plots to this file, complete in itself.")]
