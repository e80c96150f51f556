"""Servers in this process, each with a store and tables of its own, that forward calls to one another over NATS."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.support.live import running

from croupier.adapters.nats import NatsBus, Server
from croupier.adapters.rpc.answering import Answering
from croupier.adapters.rpc.forwarding import Forwarding
from croupier.app import App
from croupier.room.subjects import Subjects

SUBJECTS: Final = Subjects("neighbours")


class Neighbour:
    """A server whose open tables are its own; others' are looked for among `neighbours`."""

    def __init__(self, app: App, bus: NatsBus) -> None:
        self.app: Final = app
        self.bus: Final = bus
        self.neighbours: list[Neighbour] = []
        gate = app._rpc.gate
        self.answering: Final = Answering(gate, self.here, lambda: False, self.target)
        self.forwarding: Final = Forwarding(gate, bus, SUBJECTS, self.here, lambda: False, self._locate)
        gate.router = self.forwarding

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.app.port}"

    def here(self, table_id: str) -> bool:
        return any(actor.table_id == table_id for actor in self.app._room.tables())

    async def serve(self) -> None:
        """Answer for the tables that there are now."""
        for actor in self.app._room.tables():
            await self.bus.serve(SUBJECTS.calls(actor.table_id), self.answering.answer)

    async def _locate(self, table_id: str) -> bool:
        return not any(one.here(table_id) for one in self.neighbours if one is not self)


@asynccontextmanager
async def neighbours(
    directory: Path, url: str, count: int = 2, **settings: Any
) -> AsyncIterator[list[Neighbour]]:
    """So many servers."""
    async with AsyncExitStack() as stack:
        made: list[Neighbour] = []
        for number in range(count):
            own = directory / str(number)
            own.mkdir()
            app = await stack.enter_async_context(running(own, **settings))
            bus = NatsBus(Server(url), str(number), lambda: None)
            await bus.start(10)
            stack.push_async_callback(bus.close)
            made.append(Neighbour(app, bus))
        for one in made:
            one.neighbours = made
        yield made
