"""A server to be looked at from outside, over a file or a database of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec
import psutil
from tests.bench.processes import ROOT, Failure, scratch, stop
from tests.soak.server import Told
from tests.support.postgres import cluster

_REPORT_SECONDS: Final = 60.0


class Served:
    """A server that is up. `path` is the file of its store, `dsn` its database; one of them is empty."""

    def __init__(self, process: subprocess.Popen[bytes], places: str, directory: Path, dsn: str) -> None:
        self.target, self.http = places.split()
        self.path: Final = None if dsn else directory / "croupier.db"
        self.dsn: Final = dsn
        self.seen: Final = psutil.Process(process.pid)
        self._report: Final = directory / "report.json"

    def cpu_seconds(self) -> float:
        """What it has had of the processors."""
        times = self.seen.cpu_times()
        return float(times.user + times.system)

    def told(self) -> Told:
        """What it says of itself now."""
        self._report.unlink(missing_ok=True)
        self.seen.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + _REPORT_SECONDS
        while not self._report.exists():
            if time.monotonic() > deadline:
                raise Failure("the server does not tell of itself")
            time.sleep(0.002)
        return msgspec.json.decode(self._report.read_bytes(), type=Told)


@contextmanager
def served(store: str, *flags: str) -> Iterator[Served]:
    """Ready, over the store: sqlite, postgres (one of its own, with fsync), or a DSN."""
    with ExitStack() as opened:
        directory = opened.enter_context(scratch())
        dsn = opened.enter_context(cluster(durable=True)).dsn if store == "postgres" else store
        with one_server(directory, "" if dsn == "sqlite" else dsn, *flags) as server:
            yield server


@contextmanager
def one_server(directory: Path, dsn: str, *flags: str) -> Iterator[Served]:
    """One more over the same directory and database."""
    own = ("--port", "0", "--http-port", "0", "--drain-timeout", "0", "--log-level", "warning")
    where = (
        "--store",
        dsn or f"sqlite:{directory / 'croupier.db'}",
        "--key-file",
        str(directory / "croupier.key"),
    )
    command = [
        sys.executable,
        "-m",
        "tests.soak.server",
        str(directory / "report.json"),
        *own,
        *where,
        *flags,
    ]
    with (directory / "server.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, env=_environment())
    try:
        assert process.stdout is not None
        places = process.stdout.readline().decode()
        if not places:
            raise Failure(f"the server did not start: {(directory / 'server.log').read_text()[-2000:]}")
        yield Served(process, places, directory, dsn)
    finally:
        stop(process)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'service'}"}
