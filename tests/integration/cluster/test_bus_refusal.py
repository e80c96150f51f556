"""A server that its bus will never let in says so in one line, and does not start."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.support.nats import NatsServer, nats_server
from tests.support.nkeys import guarded
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess

from croupier.adapters.nats import NatsBus, Server

PASSWORD = 'authorization { user: croupier, password: "s3cr" }'

MISSING = "cannot be read: No such file or directory; see --bus-credentials"
REFUSED = "the bus cannot be used: nats: 'Authorization Violation'; see --bus"


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
    assert (f"{tmp_path}/missing.creds {MISSING}" if with_file else REFUSED) in line
    assert "wr0ng" not in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "content", [None, "", "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------"]
)
def test_a_credentials_file_that_is_none_ends_the_start_of_a_bus_that_needs_none(
    content: str | None, tmp_path: Path
) -> None:
    """Before the database is looked for, which may take its time."""
    file = tmp_path / "user.creds"
    if content is not None:
        file.write_text(content)
    dsn = "postgresql://ann:secret@127.0.0.1:1/poker"
    server = ServerProcess(tmp_path, dsn=dsn)
    flags = ("--bus", "nats://127.0.0.1:1", "--bus-credentials", str(file))
    server.launch("--advertise", "127.0.0.1:50051", *flags)
    assert server.wait() == 1
    (line,) = server.log.read_text().splitlines()
    told = json.loads(line)
    assert told["event"] == "server_failed_to_start"
    assert told["why"].startswith(f"{file} ")
    assert told["why"].endswith("; see --bus-credentials")


@pytest.mark.parametrize(
    ("greeting", "why"),
    [
        (b"SSH-2.0-OpenSSH_9\r\n", "is no NATS: name its port for clients"),
        (b"", "takes connections and says nothing: does NATS listen there, and run?"),
        (None, "takes connections and ends them: does NATS run there?"),
    ],
)
async def test_what_is_no_nats_is_told_as_such(greeting: bytes | None, why: str) -> None:
    """Only what has said something else is given up: NATS may yet come up where nothing is said."""

    greeted: list[asyncio.StreamWriter] = []

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        greeted.append(writer)
        with suppress(ConnectionError):
            if greeting is not None:
                writer.write(greeting)
                await reader.read()
        writer.close()

    listening = await asyncio.start_server(greet, "127.0.0.1", 0)
    place = f"nats://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    bus = NatsBus(Server(place), "test", lambda: None)
    with capture_logs() as logs:
        await bus.start()
        async with asyncio.timeout(20):
            while not logs:
                await asyncio.sleep(0.05)
    assert logs[0]["why"] == f"{place} {why}"
    assert bus.refused == (logs[0]["why"] if greeting else "")
    await bus.close()
    listening.close()
    for writer in greeted:
        with suppress(ConnectionError):
            await writer.wait_closed()


def url(nats: NatsServer) -> str:
    return f"nats://croupier:wr0ng@127.0.0.1:{nats.port}"
