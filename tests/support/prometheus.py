"""A Prometheus of Debian's package for tests, configured by deploy/prometheus, on a free port of its own."""

from __future__ import annotations

import json
import math
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.deployed import DEPLOYED, Query
from tests.support.require import require

_READY_SECONDS: Final = 30.0


class Sample(NamedTuple):
    """One series of an answer."""

    labels: dict[str, str]
    value: float


def program(name: str) -> str:
    """The path of prometheus or promtool; the test is given up where it is missing."""
    found = shutil.which(name)
    if found is None:
        require("prometheus", f"{name} is not installed (apt-get install prometheus)")
    return found


class Prometheus:
    """Asks a running one."""

    def __init__(self, port: int) -> None:
        self._base: Final = f"http://127.0.0.1:{port}"

    def ask(self, path: str, **asked: str) -> Any:
        """The data of an API call. Raises HTTPError where it is refused."""
        url = f"{self._base}/api/v1/{path}?{urllib.parse.urlencode(asked)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def query(self, expression: str) -> list[Sample]:
        """What an expression comes to now, without what is no number."""
        found = self.ask("query", query=expression)["result"]
        samples = [Sample(one["metric"], float(one["value"][1])) for one in found]
        return [sample for sample in samples if not math.isnan(sample.value)]

    def empty(self, queries: Sequence[Query]) -> list[Query]:
        """Those that come to nothing."""
        return [query for query in queries if not self.query(query.expression)]

    def fill(self, queries: Sequence[Query], seconds: float) -> None:
        """Return once none of them is empty, or after so long."""
        deadline = time.monotonic() + seconds
        while self.empty(queries) and time.monotonic() < deadline:
            time.sleep(1)

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._base}/-/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False


@contextmanager
def prometheus(directory: Path, *targets: str) -> Iterator[Prometheus]:
    """One that scrapes targets, each HOST:PORT, every second, with the rules that are deployed."""
    path = program("prometheus")
    config = (DEPLOYED / "prometheus" / "prometheus.yml").read_text()
    for deployed, here in (
        ("- croupier:9464", "\n          ".join(f"- {target}" for target in targets)),
        ("interval: 5s", "interval: 1s"),
        ("evaluation_interval: 15s", "evaluation_interval: 1s"),
    ):
        assert config.count(deployed) == 1, deployed
        config = config.replace(deployed, here)
    rules = (DEPLOYED / "prometheus" / "rules.yml").read_text()
    (directory / "prometheus.yml").write_text(config)
    (directory / "rules.yml").write_text(re.sub(r"interval: \d+s", "interval: 1s", rules))
    port = _free_port()
    command = [
        path,
        f"--config.file={directory / 'prometheus.yml'}",
        f"--storage.tsdb.path={directory / 'tsdb'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (directory / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=directory)
    try:
        running = Prometheus(port)
        deadline = time.monotonic() + _READY_SECONDS
        while not running.ready():
            told = (directory / "prometheus.log").read_text()[-2000:]
            assert process.poll() is None, told
            assert time.monotonic() < deadline, told
            time.sleep(0.05)
        yield running
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
