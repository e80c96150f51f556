"""What a run of the load generator is asked to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

from grpc import ChannelCredentials

from croupier.client.bearer import Token
from croupier.client.load.mix import TableKind

Via = Literal["act", "play"]


class Plan(NamedTuple):
    """`seconds` are measured, after `ramp` more, and for as long as there are fewer than `operations`.

    With a `rate`, so many actions a second are due, whatever the server does; in the ramp it rises evenly from 0.
    Without one `callers` drive the tables, each an equal share of them in turn with one request under way; 0 is one
    caller a table, and in the ramp they begin one after another. Actions go by Act, or by Play streams. Of 1,000
    actions `probes` are accompanied by a request that must be refused or a repetition. The first of a table's watchers
    keeps its score. For `patience` seconds, about, actions that servers leave unanswered are repeated; with 0 they are
    given up, and the table is asked what stands. `credentials` and `token` are as for Croupier, and a backend's.
    `history` keeps the log of all requests and answers, which is a passing file otherwise.
    """

    target: str
    mix: tuple[TableKind, ...] = (TableKind(),)
    tables: int = 8
    players_per_table: int = 2
    watchers_per_table: int = 1
    idle_watchers: int = 0
    rate: float = 0.0
    callers: int = 0
    via: Via = "act"
    ramp: float = 0.0
    seconds: float = 10.0
    probes: int = 20
    seed: int = 1
    credentials: ChannelCredentials | None = None
    token: Token = None
    operations: int = 0
    patience: float = 0.0
    history: Path | None = None

    def told(self) -> dict[str, Any]:
        """All that is no secret, for a report."""
        told = self._asdict()
        del told["credentials"], told["token"]
        return {**told, "mix": [str(kind) for kind in self.mix], "history": str(self.history or "")}
