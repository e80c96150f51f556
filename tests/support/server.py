"""A server process for tests: on free ports over a store of its own, killed, stopped and started again.

A server that was started once keeps its ports, so that clients find it where it was.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.holding import Hold

READY_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_CROUPIER: Final = (str(Path(sys.executable).with_name("croupier")), "serve")
_POLL_SECONDS: Final = 0.005


class DidNotStart(Exception):
    """Raised where a server did not become ready; says what it wrote."""


class ServerProcess:
    """A server over `directory`, with a log `name`; with `holding`, its commits can be held open by `hold`.

    Its store is a file in the directory, or the database of a `dsn`.
    """

    def __init__(
        self, directory: Path, name: str = "server", *, holding: bool = False, dsn: str = ""
    ) -> None:
        self.store: Final = directory / "croupier.db"
        self.log = directory / f"{name}.log"
        self.hold: Final = Hold(directory / "hold")
        held = (sys.executable, str(Path(__file__).with_name("held_server.py")), str(self.hold.directory))
        key = directory / "croupier.key"
        self._store: Final = (dsn, "--key-file", str(key)) if dsn else (f"sqlite:{self.store}",)
        self._command: Final[Sequence[str]] = held if holding else _CROUPIER
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.http_port = 0

    @property
    def target(self) -> str:
        """Where its gRPC services are."""
        return f"127.0.0.1:{self.port}"

    def start(self, *flags: str) -> None:
        """Return once it is ready; `flags` as for launch. Raises DidNotStart."""
        self.launch(*flags)
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Raises DidNotStart."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise DidNotStart(self.log.read_text()[-4000:])
            time.sleep(_POLL_SECONDS)

    def launch(self, *flags: str) -> None:
        """Start the process and wait for nothing; `flags` come after its own, by which it stops in mid-hand."""
        ports = ("--port", str(self.port), "--http-port", str(self.http_port))
        own = (*ports, "--drain-timeout", "0", "--store", *self._store)
        command = [*self._command, *own, *flags]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process that was started last."""
        assert self._process is not None, "the server was never started"
        return self._process

    def wait(self) -> int:
        """The process's exit status, once it has ended by itself."""
        return self.process.wait(READY_SECONDS)

    def stop(self) -> int:
        """End it the friendly way; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """End it at once, wherever it stands; does nothing where it has ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def page(self, name: str) -> str:
        """A page of its HTTP port. Raises URLError where there is no answer, or none with status 200."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http_port}/{name}", timeout=10) as answer:
            text: str = answer.read().decode()
        return text

    def metric(self, sample: str) -> float:
        """The value of a sample, named with its labels as /metrics writes it."""
        for line in self.page("metrics").splitlines():
            name, _, value = line.rpartition(" ")
            if name == sample:
                return float(value)
        raise KeyError(sample)

    def _ready(self) -> bool:
        """Whether it has said where it listens, and is ready."""
        for line in self.log.read_text().splitlines():
            if '"server_started"' in line:
                told = json.loads(line)
                self.port = int(told["grpc"].rpartition(":")[2])
                self.http_port = int(told["http"].rpartition(":")[2])
                try:
                    return self.page("readyz") == "ok\n"
                except urllib.error.URLError:
                    return False
        return False
