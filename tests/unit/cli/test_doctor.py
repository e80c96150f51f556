"""`croupier doctor`: one line a check, what to do next, and an exit status."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.credentials import Secret
from typer.testing import CliRunner, Result

from croupier import handrank
from croupier.adapters.key_file import mark_of, read_or_make
from croupier.adapters.sqlite.lock import FileLock
from croupier.adapters.sqlite.schema import VERSION, open_writer
from croupier.cli.main import app


class Doctor:
    """Runs the command for a store in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "croupier.db"
        self.key = folder / "croupier.key"
        self.ports = ["--port", "0", "--http-port", "0"]

    def ask(self, *arguments: str) -> Result:
        store = ["--store", f"sqlite:{self.database}"]
        return CliRunner().invoke(app, ["doctor", *store, *self.ports, *arguments])

    def findings(self) -> dict[str, dict[str, Any]]:
        told = json.loads(self.ask("--json").output)
        assert told["ok"] == all(finding["ok"] for finding in told["checks"])
        return {finding["check"]: finding for finding in told["checks"]}


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    for variable in [name for name in os.environ if name.startswith("CROUPIER_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setattr(handrank, "implementation", lambda: "native")
    return Doctor(tmp_path)


def test_all_is_well_where_nothing_is_yet(doctor: Doctor) -> None:
    result = doctor.ask()
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.output.splitlines()] == ["ok"] * 12
    assert not doctor.database.exists()
    assert not doctor.key.exists()


def test_all_is_well_where_a_server_ran_before(doctor: Doctor) -> None:
    read_or_make(doctor.key, doctor.database)
    open_writer(doctor.database).close()
    found = doctor.findings()
    assert found["store"]["found"].endswith(f"format {VERSION}")
    assert found["key file"]["found"].endswith("mode 0600")


def test_store_in_use_is_told_with_its_holder(doctor: Doctor) -> None:
    lock = FileLock(doctor.database)
    try:
        finding = doctor.findings()["store"]
    finally:
        lock.release()
    assert not finding["ok"]
    assert f"in use by process {os.getpid()}" in finding["found"]
    assert doctor.findings()["store"]["ok"]


def test_failure_says_what_to_do_next_and_fails_the_command(doctor: Doctor) -> None:
    doctor.database.write_bytes(b"no database" * 20)
    result = doctor.ask()
    assert result.exit_code == 1
    assert "FAIL  store" in result.output
    assert "choose another --store" in result.output


def test_a_folder_in_the_stores_place_is_told(doctor: Doctor) -> None:
    doctor.database.mkdir()
    found = doctor.findings()
    assert found["store"]["found"] == f"{doctor.database} is a folder: name a file in it with --store"
    assert found["key file"]["ok"]


def test_a_file_in_the_place_of_the_stores_folder_is_told(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    doctor.database = tmp_path / "file" / "croupier.db"
    assert doctor.findings()["store"]["found"] == f"{tmp_path}/file is no folder"


def test_an_address_that_is_another_machines_is_told(doctor: Doctor, tmp_path: Path) -> None:
    doctor.ports += ["--listen", "203.0.113.7", "--jwt-secret-file", str(Secret(tmp_path).file)]
    found = doctor.findings()
    for port in ("grpc port", "http port"):
        assert found[port]["next_step"] == "choose another --listen: this machine has no such address"


def test_the_wallets_token_is_looked_at(doctor: Doctor, tmp_path: Path) -> None:
    wallet = ["--wallet", "grpc://127.0.0.1:1", "--wallet-token-file", str(tmp_path / "token")]
    assert (
        "token cannot be read: No such file or directory; see --wallet-token-file"
        in doctor.ask(*wallet).output
    )
    (tmp_path / "token").write_text("secret")
    (tmp_path / "token").chmod(0o600)
    assert "none: loopback alone, the wallet's token" in doctor.ask(*wallet).output


def test_houses_are_checked(doctor: Doctor, tmp_path: Path) -> None:
    own = tmp_path / "houses"
    own.mkdir()
    (own / "own.toml").write_text('house_id = "own"\n')
    result = doctor.ask("--house-dir", str(own))
    assert result.exit_code == 1
    assert (
        f"FAIL  houses      {own}/own.toml: name is missing; it must be 1 to 64 printable characters"
        in result.output
    )
    (own / "own.toml").unlink()
    result = doctor.ask("--house-dir", str(own), "--max-min-bet", "five_aces=1")
    assert "ok    houses      five_aces, poker_ocean, puzzle_pirates" in result.output
    result = doctor.ask("--max-min-bet", "obsidian=200")
    assert "max_min_bet names 'obsidian', which is no house" in result.output


def test_later_format_is_told(doctor: Doctor) -> None:
    connection = open_writer(doctor.database)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    assert f"format {VERSION + 1}, later than" in doctor.findings()["store"]["found"]


@pytest.mark.parametrize("damage", ["zeroed", "cut off"])
def test_a_damaged_file_is_told_as_a_start_tells_it(doctor: Doctor, damage: str) -> None:
    """Also beyond its header; nothing is made or changed."""
    read_or_make(doctor.key, doctor.database)
    open_writer(doctor.database).close()
    content = doctor.database.read_bytes()
    zeroed = content[:12288] + bytes(12288) + content[24576:]
    content = zeroed if damage == "zeroed" else content[:30_000]
    doctor.database.write_bytes(content)
    before = sorted(doctor.key.parent.iterdir())
    finding = doctor.findings()["store"]
    assert not finding["ok"]
    assert finding["found"].startswith(
        f"{doctor.database} cannot be used: database disk image is malformed: "
    )
    assert (sorted(doctor.key.parent.iterdir()), doctor.database.read_bytes()) == (before, content)


def test_a_disk_that_is_read_only_is_told(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    """There no chown helps."""
    found = list(os.statvfs(doctor.database.parent))
    found[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result(found))
    for check, flag in (("store", "--store"), ("key file", "--key-file")):
        finding = doctor.findings()[check]
        assert finding["found"] == f"{doctor.database.parent} is on a disk that is read-only"
        assert finding["next_step"] == f"choose another {flag}, or make that disk writable"


def test_lost_key_is_told(doctor: Doctor) -> None:
    open_writer(doctor.database).close()
    finding = doctor.findings()["key file"]
    assert (finding["ok"], finding["next_step"]) == (False, "put the key file back")


@pytest.mark.parametrize("where", ["file", "environment"])
@pytest.mark.parametrize("killed", [False, True])
def test_the_key_of_another_store_is_told_as_the_server_tells_it(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, *, where: str, killed: bool
) -> None:
    """Also where the store's mark lies in the write-ahead log alone. Nothing is made or changed."""
    key = read_or_make(doctor.key, doctor.database)
    connection = open_writer(doctor.database)
    connection.execute("INSERT INTO master_key VALUES (1, ?)", (mark_of(key),))
    if not killed:
        connection.close()
    assert doctor.findings()["key file"]["ok"]
    if where == "file":
        doctor.key.write_text("ab" * 32)
    else:
        monkeypatch.setenv("CROUPIER_MASTER_KEY", "ab" * 32)
    before = sorted(doctor.key.parent.iterdir())
    finding = doctor.findings()["key file"]
    assert not finding["ok"]
    named = doctor.key if where == "file" else "CROUPIER_MASTER_KEY"
    assert finding["found"].startswith(f"{named} is not the master key of {doctor.database}, ")
    assert sorted(doctor.key.parent.iterdir()) == before
    monkeypatch.setenv("CROUPIER_MASTER_KEY", key.hex())
    assert doctor.findings()["key file"]["found"] == "in CROUPIER_MASTER_KEY"
    connection.close()


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_what_is_no_regular_file_is_no_store(doctor: Doctor, device: str) -> None:
    doctor.database = Path(device)
    finding = doctor.findings()["store"]
    assert finding["found"] == f"{device} is no file that could hold a store: name another with --store"


def test_a_key_that_could_not_be_made_is_told(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    doctor.ports += ["--key-file", str(tmp_path / "file" / "croupier.key")]
    finding = doctor.findings()["key file"]
    assert (finding["found"], finding["next_step"]) == (
        f"{tmp_path}/file is no folder",
        "choose another --key-file",
    )


def test_key_open_to_everyone_is_told(doctor: Doctor) -> None:
    read_or_make(doctor.key, doctor.database)
    doctor.key.chmod(0o604)
    assert "mode 0604" in doctor.findings()["key file"]["found"]


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_taken_port_is_told(doctor: Doctor, taken_port: int) -> None:
    doctor.ports = ["--port", str(taken_port), "--http-port", "0"]
    found = doctor.findings()
    assert not found["grpc port"]["ok"]
    assert f"127.0.0.1:{taken_port}: Address already in use" in found["grpc port"]["found"]
    assert found["http port"]["ok"]


def test_slow_evaluator_is_told(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handrank, "implementation", lambda: "reference")
    assert doctor.findings()["evaluator"]["next_step"] == "unset CROUPIER_EVALUATOR"


def test_wrong_setting_is_the_one_finding(doctor: Doctor) -> None:
    doctor.ports = ["--port", "70000"]
    (finding,) = doctor.findings().values()
    assert "--port is 70000" in finding["found"]


def test_credentials_are_checked(doctor: Doctor, tmp_path: Path) -> None:
    assert doctor.findings()["credentials"]["found"] == "none: loopback alone"
    secret = Secret(tmp_path)
    result = doctor.ask("--jwt-secret-file", str(secret.file))
    assert "ok    credentials tokens" in result.output
    secret.file.chmod(0o644)
    result = doctor.ask("--jwt-secret-file", str(secret.file))
    assert result.exit_code == 1
    assert f"FAIL  credentials {secret.file} has mode 0644" in result.output
    assert secret.secret not in result.output


def test_a_clock_set_back_is_told(doctor: Doctor) -> None:
    open_writer(doctor.database).close()
    assert doctor.findings()["clock"]["ok"]
    ahead = time.time() + 3600
    os.utime(doctor.database, (ahead, ahead))
    finding = doctor.findings()["clock"]
    assert (finding["ok"], finding["next_step"]) == (False, "set the clock")
    assert re.fullmatch(r"the system's clock is 3\d{3} s behind the store's last change", finding["found"])


def test_entropy_that_repeats_is_told(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.findings()["entropy"]["found"] == "from the system"
    monkeypatch.setattr(os, "getrandom", lambda size, _: bytes(size))
    assert doctor.findings()["entropy"]["next_step"] == "do not deal on this machine"


def test_it_takes_less_than_a_second(doctor: Doctor) -> None:
    """Of the processor's time: the machine may have much else to do."""
    command = [
        str(Path(sys.executable).with_name("croupier")),
        "doctor",
        "--store",
        f"sqlite:{doctor.database}",
    ]
    before = os.times()
    subprocess.run([*command, *doctor.ports], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 1.0
