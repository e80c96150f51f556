"""A server on a bus that is not the others' takes no table, and says why, until it is on theirs or alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.live import Backend
from tests.support.nats import nats_server
from tests.support.nodes import Nodes, nodes
from tests.support.server import ServerProcess

PATIENCE = 30.0


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Nodes]:
    with nodes(tmp_path, 2) as cluster:
        yield cluster


async def test_a_server_on_another_bus_does_not_begin(two: Nodes, tmp_path: Path) -> None:
    with nats_server() as elsewhere:
        stray = ServerProcess(tmp_path, "stray", dsn=two.dsn)
        async with Backend(two.all[0].target) as backend:
            tables = [await backend.open_table("anna", "bert") for _ in range(6)]
            stray.launch("--advertise", "127.0.0.1:50051", "--bus", elsewhere.url)
            try:
                async with asyncio.timeout(PATIENCE):
                    while "no_other_server_answers" not in stray.log.read_text():
                        await asyncio.sleep(0.2)
                assert f"none answers on the bus at {elsewhere.url}" in stray.log.read_text()
                assert '"server_started"' not in stray.log.read_text()
                for table_id in tables:
                    assert (await backend.get_table(table_id)).table_id == table_id
                assert len((await backend.list_tables()).tables) == len(tables)
                for server in two.all:
                    await asyncio.to_thread(server.kill)
                async with asyncio.timeout(PATIENCE):
                    while '"server_started"' not in stray.log.read_text():
                        await asyncio.sleep(0.2)
            finally:
                await asyncio.to_thread(stray.kill)
