"""A server to be measured; with `bare` it counts nothing, logs nothing and knows no credentials.

What it does without is taken out here, for no setting does: measuring is not to be switched off in service.

python -m tests.bench.cost_server STORE bare | SECRET_FILE
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import uvloop
from tests.support.credentials import AUDIENCE

from croupier import app
from croupier.adapters import logs
from croupier.adapters.metrics import Metrics
from croupier.adapters.rpc import gate
from croupier.config import Settings
from croupier.room import actor


class Uncounted(Metrics):
    """Metrics that count nothing of an action."""

    def acted(self, *_: Any) -> None: ...

    def answered(self, _: float) -> None: ...

    def published(self, _: float) -> None: ...

    def hand_ended(self, *_: Any) -> None: ...

    def commit(self, *_: Any) -> None: ...

    def rpc(self, *_: Any) -> None: ...


def _nothing(*_: Any) -> None: ...


def _strip() -> None:
    """For good: the process is there for nothing else."""
    for module, name, instead in (
        (app, "Metrics", Uncounted),
        (actor, "measure", _nothing),
        (gate, "perf_counter", float),
    ):
        getattr(module, name)
        setattr(module, name, instead)


async def main(store: str, secret_file: str) -> None:
    settings = Settings(
        port=0,
        http_port=0,
        drain_timeout=0,
        store=f"sqlite:{store}",
        jwt_secret_file=secret_file,
        jwt_audience=AUDIENCE if secret_file else "",
    )
    server = app.App(settings)
    await server.start()
    print(f"127.0.0.1:{server.port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    _, store, what = sys.argv
    with Path(store).with_suffix(".log").open("wb") as log:
        if what == "bare":
            _strip()
        logs.configure("error" if what == "bare" else "info", log)
        uvloop.run(main(store, "" if what == "bare" else what))
