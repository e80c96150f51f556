"""Statements of one node, each of which proves whose it is, over one connection after another to the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.simulation.database import DEAD, Database
from tests.simulation.ways import LOST, Connection, Way
from tests.simulation.world import MS, NS, World

from croupier.adapters.postgres.connecting import STATEMENT_S
from croupier.adapters.postgres.transaction import RECONNECT_S

STATEMENT: Final = round(STATEMENT_S * NS)
RECONNECT: Final = round(RECONNECT_S * NS)


class Replaced(Exception):
    """Raised when another node has declared this one dead."""


class Statements:
    """One at a time. `renewed` is when the lease was last proven: when that was sent."""

    def __init__(self, world: World, database: Database, way: Way, node_id: str) -> None:
        self.renewed = 0
        self._world = world
        self._database = database
        self._way = way
        self._node_id = node_id
        self._connection: Connection | None = None
        self._number = self._commits = 0

    async def run(self, statement: Callable[[], Any]) -> Any:
        """Raises Replaced; ConnectionError where nothing became durable."""
        connection, sent = await self.ready(), self._world.now
        number, commits = self._number, self._commits
        execute = self._database.execute
        found = await connection.ask(lambda: execute(self._node_id, number, commits, statement), STATEMENT)
        if found is LOST:
            landed = await self._landed()
            if landed is None:
                raise ConnectionError("the connection to the database was lost")
            return landed[0]
        if found is DEAD:
            raise Replaced
        self._commits += 1
        self.renewed = max(self.renewed, sent)
        return found

    async def ready(self) -> Connection:
        """Raises Replaced, ConnectionError."""
        until = self._world.now + RECONNECT
        while self._connection is None or self._connection.over:
            try:
                await self.reconnect()
            except ConnectionError:
                if self._world.now > until:
                    raise
                await self._way.life.pause(100 * MS)
        return self._connection

    async def _landed(self) -> tuple[Any] | None:
        """What a statement came to whose answer was lost: asked until the database says so."""
        pause = 100 * MS
        while True:
            try:
                return await self.reconnect()
            except ConnectionError:
                await self._way.life.pause(pause)
                pause = min(2 * pause, NS)

    async def reconnect(self) -> tuple[Any] | None:
        if self._connection is not None:
            self._connection.close()
        sent = self._world.now
        connection = await self._way.connect()
        if connection is None:
            raise ConnectionError("the database cannot be reached")
        found = await connection.ask(
            lambda: self._database.connected(self._node_id, self._commits), STATEMENT
        )
        if found is LOST:
            raise ConnectionError("the database cannot be reached")
        if found is DEAD:
            raise Replaced
        landed = found[1] > self._commits
        self._connection = connection
        self._number, self._commits = found[0], found[1]
        self.renewed = max(self.renewed, sent)
        return (found[2],) if landed else None
