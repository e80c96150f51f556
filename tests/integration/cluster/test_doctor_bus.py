"""`croupier doctor` tries the bus that a server would have, as its NATS user, and leaves nothing there."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.nats import NatsServer, nats_server
from tests.support.postgres import emptied_database
from typer.testing import CliRunner

from croupier.cli.main import app

NEXT = "let the NATS user publish and subscribe under croupier.> and _INBOX.>"
ALL = '"croupier.>", "_INBOX.>"'


def users(subscribe: str = ALL, publish: str = ALL) -> str:
    permissions = f"{{ subscribe: [{subscribe}], publish: [{publish}] }}"
    return f"authorization {{ users: [ {{ user: ann, password: s3cr, permissions: {permissions} }} ] }}"


class Doctor:
    def __init__(self, folder: Path, dsn: str, nats: NatsServer) -> None:
        self._given = ["--store", dsn, "--key-file", str(folder / "key"), "--port", "0", "--http-port", "0"]
        self._given += ["--advertise", "127.0.0.1:50051"]
        self.nats = nats

    def found(self, *flags: str, password: str = "s3cr") -> dict[str, Any]:
        """What it says of the bus, unless flags name another."""
        bus = ["--bus", f"nats://ann:{password}@127.0.0.1:{self.nats.port}", *flags]
        said = CliRunner().invoke(app, ["doctor", *self._given, *bus, "--json"]).output
        assert "s3cr" not in said
        (finding,) = [one for one in json.loads(said)["checks"] if one["check"] == "bus"]
        return dict(finding)


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Doctor]:
    for variable in [name for name in os.environ if name.startswith("CROUPIER_")]:
        monkeypatch.delenv(variable)
    with emptied_database() as dsn, nats_server(users()) as nats:
        yield Doctor(tmp_path, dsn, nats)


def test_a_bus_that_carries_everything(doctor: Doctor) -> None:
    finding = doctor.found()
    assert (finding["ok"], finding["next_step"]) == (True, "")
    assert finding["found"] == f"nats://127.0.0.1:{doctor.nats.port} carries what servers ask each other"


@pytest.mark.parametrize(
    ("permissions", "denied"),
    [
        (users(subscribe='"_INBOX.>"'), "subscription to"),
        (users(subscribe='"croupier.>"'), "subscription to"),
        (users(publish='"_INBOX.>"'), "publish to"),
        (users(publish='"croupier.>"'), "publish to"),
    ],
)
def test_what_its_user_may_not_do(doctor: Doctor, permissions: str, denied: str) -> None:
    doctor.nats.reload(permissions)
    finding = doctor.found()
    assert not finding["ok"]
    assert f"permissions violation for {denied}" in finding["found"]
    assert finding["next_step"] == NEXT
    doctor.nats.reload(users())
    assert doctor.found()["ok"]


def test_a_bus_that_does_not_let_it_in_or_is_not_there(doctor: Doctor, tmp_path: Path) -> None:
    assert "Authorization Violation" in doctor.found(password="wr0ng")["found"]
    missing = doctor.found("--bus-credentials", str(tmp_path / "none"))
    assert missing["found"].endswith("/none cannot be read: No such file or directory; see --bus-credentials")
    doctor.nats.stop()
    gone = doctor.found()
    assert "Connect call failed" in gone["found"]
    assert gone["next_step"] == "see to NATS, or to --bus"


def test_what_is_no_nats_is_told_soon(doctor: Doctor) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"nats://127.0.0.1:{listening.getsockname()[1]}"
        began = time.monotonic()
        finding = doctor.found("--bus", place)
        assert time.monotonic() - began < 5
    assert finding["found"].endswith("takes connections and says nothing: does NATS listen there, and run?")
