"""A process that has everything loaded, and makes a server of a copy of itself in milliseconds: nursery.py LOG.

Lines of JSON come in on standard input and go out on standard output: Orders for a server, then questions to it
and its answers, and `{"ended": status}` once it has ended, however that was. Each server is a process of its own,
which opens its store, serves gRPC, and can be killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

import msgspec
import uvloop
from tests.support.crash.points import Points
from tests.support.crash.staged_time import StagedEntropy, StagedTime
from tests.support.crash.steps import Kill

from croupier.adapters.logs import configure
from croupier.app import App
from croupier.config import load

LEASE_S: Final = 0.2
"""On PostgreSQL: how long the next server waits for one that was killed."""


class Order(msgspec.Struct, frozen=True):
    """A server to be started: its settings, its time and entropy, and where it is to be killed."""

    settings: dict[str, str]
    now: int
    told: str
    kill: Kill | None = None
    seed: int = 0


class Answer(msgspec.Struct, omit_defaults=True):
    """What a server says: it is ready on a port, or at rest until a time; or how it ended."""

    port: int = 0
    resting: bool = False
    next: int = 0
    ended: int | None = None


class Served:
    """One server, in the process that was made for it."""

    def __init__(self, order: Order, questions: int, answers: int) -> None:
        self._order = order
        self._questions = questions
        self._answers = answers
        self._time = StagedTime(order.now)
        self._over = asyncio.Event()

    async def run(self) -> None:
        order = self._order
        postgres = order.settings["store"].startswith("postgres")
        points = self._points = Points(order.kill, Path(order.told))
        self._time.install()
        StagedEntropy(order.seed).install()
        points.install(postgres=postgres)
        hook: Callable[[], None] | None = None
        if postgres:
            _shorten_the_lease()
            if order.kill is not None and order.kill.step == "committing":
                hook = points.before_commit
        self._app = App(load(order.settings, {}), hook)
        await self._app.start()
        asyncio.get_running_loop().add_reader(self._questions, self._asked)
        self._say(Answer(port=self._app.port))
        await self._over.wait()
        await self._app.stop()

    def _asked(self) -> None:
        line = os.read(self._questions, 4096)
        if not line:
            os._exit(1)
        word, _, number = line.decode().strip().partition(" ")
        if word == "stop":
            self._over.set()
            return
        if word == "advance":
            self._time.go_on(int(number))
        self._resting = asyncio.ensure_future(self._rest())

    async def _rest(self) -> None:
        """Say so once nothing is under way any more."""
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0)
            if self._busy():
                quiet = 0
                await asyncio.sleep(0.0005)
            else:
                quiet += 1
        self._say(Answer(resting=True, next=self._time.next()))

    def _busy(self) -> bool:
        writer: Any = self._app._store._writer  # type: ignore[attr-defined]
        return bool(self._points.asking or self._app._runtime._tasks or writer._busy or writer._waiting)

    def _say(self, answer: Answer) -> None:
        os.write(self._answers, msgspec.json.encode(answer) + b"\n")


def _shorten_the_lease() -> None:
    from croupier.adapters.postgres import PostgresStore

    opened = PostgresStore.open.__func__  # type: ignore[attr-defined]

    async def short(cls: Any, dsn: str, /, **named: Any) -> Any:
        return await opened(cls, dsn, lease_s=LEASE_S, **named)

    PostgresStore.open = classmethod(short)  # type: ignore[assignment,method-assign]


def main(log: Path) -> None:
    questions, answers = os.dup(0), os.dup(1)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    gc.collect()
    gc.freeze()
    while lines := os.read(questions, 65536):
        order = lines.splitlines()[-1]
        if not order.startswith(b"{"):
            continue  # a question to a server that was killed before it read it
        child = os.fork()
        if child == 0:
            _serve(msgspec.json.decode(order, type=Order), questions, answers)
        _, status = os.waitpid(child, 0)
        os.set_blocking(questions, True)  # which it shares with the server's event loop
        os.write(answers, msgspec.json.encode(Answer(ended=os.waitstatus_to_exitcode(status))) + b"\n")


def _serve(order: Order, questions: int, answers: int) -> None:
    status = 1
    with contextlib.suppress(KeyboardInterrupt):
        configure("warning")
        uvloop.run(Served(order, questions, answers).run())
        status = 0
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
