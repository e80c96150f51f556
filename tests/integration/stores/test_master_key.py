"""A store knows its master key: a server with another one, or with none beside a store that is used, does not start."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.postgres import emptied_database, execute
from tests.support.server import ServerProcess

from croupier.adapters.key_file import mark_of


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServerProcess]:
    """Started once, and stopped before anything was sealed."""
    if request.param == "sqlite":
        yield from started(ServerProcess(tmp_path))
    else:
        with emptied_database() as dsn:
            yield from started(ServerProcess(tmp_path, dsn=dsn))


def started(server: ServerProcess) -> Iterator[ServerProcess]:
    try:
        server.start()
        assert server.stop() == 0
        yield server
    finally:
        server.kill()


def why(server: ServerProcess) -> str:
    """What a server that does not start says."""
    assert server.wait() == 1
    (line,) = [line for line in server.log.read_text().splitlines() if '"server_failed_to_start"' in line]
    assert "Traceback" not in server.log.read_text()
    return line


def test_another_key_is_refused_before_anything_was_sealed(server: ServerProcess) -> None:
    key = server.store.with_suffix(".key")
    right = key.read_bytes()
    key.write_text(os.urandom(32).hex())
    server.launch()
    assert f"{key} is not the master key of" in why(server)
    key.write_bytes(right)
    server.start()


def test_no_key_is_made_beside_a_store_that_has_one(server: ServerProcess) -> None:
    """As on a second host, where the first one's key file is not."""
    key = server.store.with_suffix(".key")
    kept = key.rename(key.with_suffix(".kept"))
    server.launch()
    assert "put the key file back" in why(server)
    assert not key.exists()
    kept.rename(key)
    server.start()


def test_the_mark_is_nothing_of_the_key() -> None:
    one, other = os.urandom(32), os.urandom(32)
    assert mark_of(one) == mark_of(one) != mark_of(other)
    assert one not in mark_of(one)


def test_a_database_that_lost_its_owners_row_is_told_of_in_one_line(tmp_path: Path) -> None:
    with emptied_database() as dsn:
        for server in started(ServerProcess(tmp_path, dsn=dsn)):
            asyncio.run(execute(dsn, "DELETE FROM ownership"))
            server.launch()
            assert "restore the database from a backup" in why(server)
