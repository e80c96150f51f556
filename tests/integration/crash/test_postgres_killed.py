"""PostgreSQL killed with SIGKILL under a server: its table stops, says so, and goes on with what was acknowledged.

The database waits for the disk here, as an operator's does.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from tests.support.crash.faulty import ONCE, be_ready, begin, lost, readiness
from tests.support.live import PATIENCE, Backend
from tests.support.postgres import Cluster, cluster
from tests.support.postgres_audit import audit
from tests.support.server import ServerProcess


@pytest.mark.timeout(180)
async def test_a_database_that_is_killed_loses_nothing_acknowledged(tmp_path: Path) -> None:
    with cluster(durable=True) as database:
        server = ServerProcess(tmp_path, dsn=database.dsn)
        try:
            await asyncio.to_thread(server.start)
            async with Backend(server.target, retry=ONCE) as backend:
                play = await begin(backend)
                load = asyncio.create_task(play.act(backend, 1_000_000))
                await asyncio.sleep(0.5)
                await asyncio.to_thread(database.stop, signal.SIGKILL)
                async with asyncio.timeout(PATIENCE):
                    while "cannot be reached" not in await readiness(server.http_port):
                        await asyncio.sleep(0.1)
                load.cancel()
                await asyncio.gather(load, return_exceptions=True)
            # Without a client: gRPC's handlers of a fork do not get along with calls that are under way.
            await start_again(database)
            await be_ready(server.http_port)
            async with Backend(server.target, retry=ONCE) as backend:
                await play.must_stand(backend, await backend.dealt(play.table_id))
                await play.act(backend, 20)
            assert server.stop() == 0
        finally:
            server.kill()
        assert len(play.acknowledged) > 20
        assert await asyncio.to_thread(lost, play.acknowledged, database.dsn) == []
        await audit(database.dsn)


async def start_again(database: Cluster) -> None:
    """Once the processes that it has left behind are gone."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await asyncio.to_thread(database.start)
                return
            except RuntimeError:
                await asyncio.sleep(0.2)
