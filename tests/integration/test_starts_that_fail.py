"""A server that cannot start says in one line of its log what is wrong, and where to look."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CROUPIER = str(Path(sys.executable).with_name("croupier"))


def said(folder: Path, *arguments: str) -> str:
    """Why a server did not start."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    settings = {"--store": f"sqlite:{folder}/croupier.db", "--port": "0", "--http-port": "0"} | given
    command = [CROUPIER, "serve", *(word for setting in settings.items() for word in setting)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    (line,) = (done.stdout + done.stderr).splitlines()
    told = json.loads(line)
    assert (done.returncode, told["event"]) == (1, "server_failed_to_start")
    return str(told["why"])


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_a_store_that_is_a_folder(tmp_path: Path) -> None:
    assert said(tmp_path, "--store", f"sqlite:{tmp_path}") == (
        f"{tmp_path} is a folder: name a file in it with --store"
    )


def test_a_store_that_is_another_file(tmp_path: Path) -> None:
    """Not that its key is missing."""
    (tmp_path / "croupier.db").write_text("a letter" * 50)
    assert said(tmp_path) == (
        f"{tmp_path}/croupier.db is no SQLite file: choose another --store, or restore the last backup"
    )
    assert not (tmp_path / "croupier.key").exists()


def test_a_key_that_is_a_folder(tmp_path: Path) -> None:
    assert said(tmp_path, "--key-file", str(tmp_path)) == (
        f"{tmp_path} cannot be read: Is a directory; see --key-file"
    )


@pytest.mark.parametrize("option", ["--jwt-secret-file", "--jwks-file"])
def test_credentials_that_are_not_there(tmp_path: Path, option: str) -> None:
    why = said(tmp_path, option, str(tmp_path / "none"))
    assert why == f"{tmp_path}/none cannot be read: No such file or directory; see {option}"


def test_a_port_of_localhost_that_is_taken_at_one_of_its_addresses(tmp_path: Path, taken: int) -> None:
    why = said(tmp_path, "--listen", "localhost", "--port", str(taken))
    assert why == f"localhost:{taken}, for gRPC, cannot be listened on: taken, or not to be had; see --port"


def test_an_address_that_is_another_machines(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(64 * "s")
    secret.chmod(0o600)
    why = said(tmp_path, "--listen", "203.0.113.7", "--jwt-secret-file", str(secret))
    assert why.endswith("cannot be listened on: Cannot assign requested address; see --listen")


def test_a_database_that_does_not_run(tmp_path: Path) -> None:
    pytest.importorskip("asyncpg")
    store = "postgresql://ann:secret@127.0.0.1:1/poker"
    assert said(tmp_path, "--store", store, "--key-file", str(tmp_path / "key")) == (
        "the database cannot be reached: Connection refused; see whether it runs, and --store"
    )
