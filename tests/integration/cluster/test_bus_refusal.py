"""A server that its bus will never let in says so in one line, and does not start."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.nats import NatsServer, nats_server
from tests.support.nkeys import guarded
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess

PASSWORD = 'authorization { user: croupier, password: "s3cr" }'


@pytest.mark.parametrize("with_file", [False, True])
def test_wrong_credentials_end_the_start(with_file: bool, tmp_path: Path) -> None:
    configuration = guarded(tmp_path)[0] if with_file else PASSWORD
    with nats_server(configuration) as nats, emptied_database() as dsn:
        server = ServerProcess(tmp_path, dsn=dsn)
        flags = ("--bus-credentials", str(tmp_path / "missing.creds")) if with_file else ()
        server.launch("--advertise", "127.0.0.1:50051", "--bus", url(nats), *flags)
        assert server.wait() == 1
        told = server.log.read_text()
    (line,) = [line for line in told.splitlines() if '"server_failed_to_start"' in line]
    assert "the bus does not let this server in" in line
    assert ("missing.creds cannot be read" if with_file else "Authorization Violation") in line
    assert "wr0ng" not in told
    assert "Traceback" not in told


def url(nats: NatsServer) -> str:
    return f"nats://croupier:wr0ng@127.0.0.1:{nats.port}"
