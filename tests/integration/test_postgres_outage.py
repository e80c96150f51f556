"""A server whose database goes away says so, answers nothing that is not durable, and goes on when it is back."""

from __future__ import annotations

import asyncio
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.live_table import ONCE, PATIENT, LiveTable
from tests.support.postgres import Cluster, cluster
from tests.support.postgres_audit import audit
from tests.support.server import ServerProcess

from croupier.adapters.postgres.own_node import LEASE_S
from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.v1.table_pb2 import Table


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    with cluster() as own:
        yield own


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the database's master key is."""
    return tmp_path_factory.mktemp("outage")


@pytest.fixture
def server(home: Path, database: Cluster) -> Iterator[ServerProcess]:
    server = ServerProcess(home, dsn=database.dsn)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def readiness(server: ServerProcess) -> tuple[int, str]:
    try:
        return 200, server.page("readyz")
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


async def until_ready(server: ServerProcess, code: int) -> str:
    async with asyncio.timeout(20):
        while (answer := readiness(server))[0] != code:
            await asyncio.sleep(0.05)
    return answer[1]


async def read_on(client: Croupier, stood: Table) -> None:
    """Read a table at which nothing happens until that is refused."""
    while True:
        assert (await client.get_table(stood.table_id)).sequence == stood.sequence
        await asyncio.sleep(0.05)


async def test_an_outage_is_told_and_the_same_request_succeeds_after_it(
    server: ServerProcess, database: Cluster
) -> None:
    async with (
        Croupier(server.target, retry=ONCE) as client,
        Croupier(server.target, retry=PATIENT) as patient,
    ):
        table = await LiveTable.open(client, ("anna", "bert", "cleo"))
        made = await table.decision()
        stood = await client.get_table(table.table_id)
        await asyncio.to_thread(database.stop)
        with pytest.raises(CroupierError) as raised:
            await table.act(made, "during")
        assert raised.value.reason == "STORE_UNAVAILABLE"
        assert "the database cannot be reached" in await until_ready(server, 503)
        with pytest.raises(CroupierError) as raised:
            await client.get_balance(made.player_id, "PoE")
        assert raised.value.reason == "STORE_UNAVAILABLE"
        assert server.page("healthz") == "ok\n"
        await asyncio.to_thread(database.start)
        table.client = patient  # type: ignore[misc]
        acted = await table.act(made, "during")
        assert acted.sequence == stood.sequence + 1
        assert (await table.act(made, "during")).sequence == acted.sequence
        await until_ready(server, 200)
        for _ in range(10):
            await table.act(await table.decision())
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()
    await audit(database.dsn)


async def test_nothing_is_told_by_memory_once_another_server_may_have_the_store(
    server: ServerProcess, database: Cluster
) -> None:
    """While the lease surely runs it is, which saves reads from short outages."""
    async with Croupier(server.target, retry=ONCE) as client:
        table = await LiveTable.open(client, ("anna", "bert", "cleo"))
        stood = await client.get_table(table.table_id)
        await asyncio.to_thread(database.stop)
        with pytest.raises(CroupierError, match="STORE_UNAVAILABLE"):
            await asyncio.wait_for(read_on(client, stood), 4 * LEASE_S)
        await asyncio.to_thread(database.start)
        await until_ready(server, 200)
        assert (await client.get_table(table.table_id)).sequence == stood.sequence


async def test_a_server_does_not_start_without_its_database_and_says_why(
    tmp_path: Path, database: Cluster
) -> None:
    database.stop()
    server = ServerProcess(tmp_path, "lonely", dsn=database.dsn)
    server.launch()
    try:
        assert await asyncio.to_thread(server.wait) == 1
    finally:
        server.kill()
        await asyncio.to_thread(database.start)
    said = server.log.read_text()
    assert '"server_failed_to_start"' in said
    assert "the database cannot be reached" in said
    assert "Traceback" not in said
