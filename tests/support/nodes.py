"""Several servers on one PostgreSQL and one NATS, each a process that can be killed, stopped and started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.nats import NatsServer, free_port, nats_server
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess


class Nodes:
    """Servers by number. `bus` and `dsn` are what they share."""

    def __init__(self, directory: Path, dsn: str, bus: NatsServer) -> None:
        self.directory = directory
        self.dsn = dsn
        self.bus = bus
        self.all: list[ServerProcess] = []

    def add(self, *flags: str) -> ServerProcess:
        """One more, once it is ready."""
        server = ServerProcess(self.directory, f"node-{len(self.all)}", dsn=self.dsn)
        server.port = free_port()
        self.all.append(server)
        self.start(server, *flags)
        return server

    def start(self, server: ServerProcess, *flags: str) -> None:
        """As it was started first."""
        server.start("--bus", self.bus.url, *flags)

    def stop(self) -> None:
        for server in self.all:
            server.kill()


@contextmanager
def nodes(directory: Path, count: int, *flags: str) -> Iterator[Nodes]:
    """So many servers on a database that was empty."""
    with emptied_database() as dsn, nats_server() as bus:
        servers = Nodes(directory, dsn, bus)
        try:
            for _ in range(count):
                servers.add(*flags)
            yield servers
        finally:
            servers.stop()
