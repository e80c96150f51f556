"""Writes the locks from pyproject.toml: every package that is installed, at one version, with the hash of each file.

`lock.py` keeps the versions that the locks have wherever pyproject.toml lets them be; `lock.py --upgrade` takes the
newest. Asks the index that pip is set to; the locks name none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
OLDEST_PYTHON = "3.11"
RUNTIME = ("--extra=postgres", "--extra=nats", "--extra=otel")
LOCKS = {
    "deploy/dev.lock": ("pyproject.toml", "--all-extras"),
    "deploy/requirements.lock": ("pyproject.toml", *RUNTIME, "-c", "deploy/dev.lock"),
    "deploy/build.lock": ("deploy/build.in", "-c", "deploy/dev.lock"),
}
"""What is installed to work on the service, and, of that, what it needs to run, and what builds its wheel."""


def compile_lock(name: str, chosen: tuple[str, ...], extra: tuple[str, ...]) -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        sys.exit("uv is not installed here: make setup")
    options = (
        "--universal",
        "--generate-hashes",
        "--no-emit-package=croupier",
        "--no-annotate",
        "--custom-compile-command=make lock",
        "--quiet",
        f"--python-version={OLDEST_PYTHON}",
        f"--output-file={name}",
    )
    command = [uv, "pip", "compile", *chosen, *options, *extra]
    subprocess.run(command, cwd=ROOT, env=_environment(), check=True)


def _environment() -> dict[str, str]:
    """Ours, with the index that pip asks, which uv does not look up by itself."""
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    )
    environment = dict(os.environ)
    for line in asked.stdout.splitlines():
        key, _, value = line.partition("=")
        setting = key.rpartition(".")[2]
        if setting == "index-url":
            environment.setdefault("UV_DEFAULT_INDEX", value.strip("'"))
        if setting == "cert":
            environment.setdefault("SSL_CERT_FILE", value.strip("'"))
    return environment


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--upgrade"]):
        sys.exit("usage: lock.py [--upgrade]")
    for each, extras in LOCKS.items():
        compile_lock(each, extras, tuple(sys.argv[1:]))
