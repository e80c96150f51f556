"""What a run of the load generator is asked to do."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from grpc import ChannelCredentials

from croupier.client.bearer import Token


class Plan(NamedTuple):
    """`seconds` are measured, after `warm_up` more, and for as long as there are fewer than `operations`.

    `callers` drive the tables, each an equal share of them in turn with one request under way; 0 is one caller a
    table. Of 1,000 actions `probes` are accompanied by a request that must be refused or a repetition. The first of a
    table's watchers keeps its score. `game` may be empty where the house offers one. `credentials` and `token` are as
    for Croupier, and a backend's. `history` keeps the log of all requests and answers, which is a passing file
    otherwise.
    """

    target: str
    house_id: str = "puzzle_pirates"
    game: str = ""
    structure: str = "no_limit"
    min_bet: int = 2
    tables: int = 8
    players_per_table: int = 2
    watchers_per_table: int = 1
    idle_watchers: int = 0
    callers: int = 0
    seconds: float = 10.0
    warm_up: float = 0.0
    probes: int = 20
    seed: int = 1
    credentials: ChannelCredentials | None = None
    token: Token = None
    operations: int = 0
    history: Path | None = None
