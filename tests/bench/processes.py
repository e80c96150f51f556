"""The server, its empty counterpart and the load, each a process of its own: started, asked, stopped."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil

ROOT = Path(__file__).parents[2]
SCRATCH = ROOT / "build" / "bench"
CROUPIER = str(Path(sys.executable).with_name("croupier"))

_READY_SECONDS = 60.0


class Failure(Exception):
    """Raised when a process did not do what it was started for."""


class Server(NamedTuple):
    """A server that is up; `seconds` is how long it took to become ready, `tables` how many it opened with."""

    pid: int
    target: str
    http: str
    store: Path
    seconds: float
    tables: int

    def rss_mb(self) -> float:
        """Resident memory in MB of 1,000,000 bytes."""
        return float(psutil.Process(self.pid).memory_info().rss) / 1e6


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A directory on the disk of the tree, which goes when it is left."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as directory:
        yield Path(directory)


@contextlib.contextmanager
def serving(store: Path, *arguments: str) -> Iterator[Server]:
    """`croupier serve` on free ports over the file `store`, ready; stopped by SIGTERM afterwards."""
    log = store.with_suffix(".log")
    command = [
        CROUPIER,
        "serve",
        "--port",
        "0",
        "--http-port",
        "0",
        "--drain-timeout",
        "0",
        "--store",
        f"sqlite:{store}",
        *arguments,
    ]
    started = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        told = _told(process, log)
        _until_ready(process, told["http"])
        seconds = time.perf_counter() - started
        yield Server(process.pid, told["grpc"], told["http"], store, seconds, told["tables"])
    finally:
        stop(process)


def _told(process: subprocess.Popen[bytes], log: Path) -> dict[str, Any]:
    """What the log line that a server starts with says."""
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        for line in log.read_text().splitlines():
            if '"server_started"' in line:
                told: dict[str, Any] = json.loads(line)
                return told
        if process.poll() is not None:
            break
        time.sleep(0.01)
    raise Failure(f"the server did not start: {log.read_text()[-2000:]}")


def _until_ready(process: subprocess.Popen[bytes], http: str) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with (
            contextlib.suppress(urllib.error.URLError),
            urllib.request.urlopen(f"http://{http}/readyz", timeout=5) as answer,
        ):
            if answer.status == 200:
                return
        time.sleep(0.01)
    raise Failure("the server did not become ready")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process of ours, the friendly way first."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def module_serving(module: str, *arguments: str) -> Iterator[str]:
    """A module of this package run as a server that prints its HOST:PORT as its first line."""
    with module_process(module, *arguments) as (target, _):
        yield target


@contextlib.contextmanager
def module_process(module: str, *arguments: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """As `module_serving`, with the process."""
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=_environment()) as process:
        try:
            assert process.stdout is not None
            target = process.stdout.readline().decode().strip()
            if not target:
                raise Failure(f"{module} did not start")
            yield target, process
        finally:
            stop(process)


def module_result(module: str, *arguments: str) -> dict[str, Any]:
    """What a module of this package prints as JSON."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, env=_environment(), check=False)
    if done.returncode != 0:
        raise Failure(f"{module} failed: {done.stderr.decode()[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def load_result(target: str, directory: Path, **options: float | str) -> dict[str, Any]:
    """The report of `croupier load` with the options given; raises Failure where any answer was wrong."""
    path = directory / "load.json"
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    command = [CROUPIER, "load", f"--target={target}", f"--json={path}", *flags]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        said = done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:]
        raise Failure(f"croupier load ended with {done.returncode}: {said}")
    result: dict[str, Any] = json.loads(path.read_text())
    return result


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
