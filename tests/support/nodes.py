"""Several servers on one PostgreSQL and one NATS, each a process that can be killed, stopped and started again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.nats import NatsServer, free_port, nats_server
from tests.support.postgres import emptied_database, fetch
from tests.support.server import ServerProcess

_OWNER: Final = """
SELECT address FROM tables JOIN nodes ON node_id = owner WHERE table_id = $1 AND NOT dead AND expires > now()"""


class Nodes:
    """Servers by number. `bus` and `dsn` are what they share."""

    def __init__(self, directory: Path, dsn: str, bus: NatsServer) -> None:
        self.directory = directory
        self.dsn = dsn
        self.bus = bus
        self.all: list[ServerProcess] = []

    def add(self, *flags: str) -> ServerProcess:
        """One more, once it is ready."""
        server = self.launch(*flags)
        server.wait_until_ready()
        return server

    def launch(self, *flags: str) -> ServerProcess:
        """One more, which may not be ready yet."""
        server = ServerProcess(self.directory, f"node-{len(self.all)}", dsn=self.dsn)
        server.port = free_port()
        self.all.append(server)
        server.launch("--bus", self.bus.url, *flags)
        return server

    def start(self, server: ServerProcess, *flags: str) -> None:
        """As it was started first."""
        server.start("--bus", self.bus.url, *flags)

    async def owner(self, table_id: str) -> int:
        """The number of the server that has the table, by the store, once somebody's lease runs on it."""
        while not (found := await fetch(self.dsn, _OWNER, table_id)):
            await asyncio.sleep(0.02)
        return [server.target for server in self.all].index(found[0][0])

    def stop(self) -> None:
        for server in self.all:
            server.kill()


@contextmanager
def nodes(directory: Path, count: int, *flags: str, jetstream: bool = False) -> Iterator[Nodes]:
    """So many servers on a database that was empty."""
    with emptied_database() as dsn, nats_server(jetstream=jetstream) as bus:
        servers = Nodes(directory, dsn, bus)
        try:
            for server in [servers.launch(*flags) for _ in range(count)]:
                server.wait_until_ready()
            yield servers
        finally:
            servers.stop()
