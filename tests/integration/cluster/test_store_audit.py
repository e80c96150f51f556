"""A store that three servers have written to at once passes the audit of one that a single server has."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.support.audited import quietly
from tests.support.live import CURRENCY, Backend, running
from tests.support.postgres import empty_database, fetch

from croupier.adapters.postgres import PostgresStore
from croupier.adapters.postgres_opening import PostgresOpening
from croupier.app import App
from croupier.v1.operator_service_pb2 import BlockKind

SERVERS = 3


async def some_play(app: App, place: int) -> None:
    """Tables of this server's own, for players of its own and for one who plays everywhere."""
    async with Backend(f"127.0.0.1:{app.port}") as backend:
        playing = await backend.open_table("anna", f"bert{place}", f"cleo{place}", name=f"first {place}")
        over = await backend.open_table("anna", f"dora{place}", name=f"second {place}")
        await quietly(backend, playing, until_hand=4)
        await quietly(backend, over, until_hand=2)
        await backend.close_table(over)
        while (decision := await backend.decision(over)).player_id:
            await backend.check_or_call(over, decision)
        await backend.adjust_balance("anna", CURRENCY, 5, f"a bonus {place}")
        await backend.block_player(f"zoe{place}", BlockKind.BLOCK_KIND_OPERATOR, "a second account")
        await backend.withdraw("anna", CURRENCY, 7)


async def test_a_store_that_three_servers_wrote_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresOpening.store

    async def shared(self: PostgresOpening, **options: Any) -> PostgresStore:
        return await store(self, **options | {"address": "127.0.0.1:1"})

    monkeypatch.setattr(PostgresOpening, "store", shared)
    key = tmp_path / "master.key"
    async with empty_database() as dsn:
        async with AsyncExitStack() as stack:
            servers: list[App] = []
            for place in range(SERVERS):
                directory = tmp_path / f"{place}"
                directory.mkdir()
                servers.append(
                    await stack.enter_async_context(running(directory, store=dsn, key_file=str(key)))
                )
            await asyncio.gather(*(some_play(app, place) for place, app in enumerate(servers)))
        assert await fetch(dsn, "SELECT count(DISTINCT owner), count(*) FROM tables") == [
            (SERVERS, 2 * SERVERS)
        ]
        command = [str(Path(sys.executable).with_name("croupier")), "audit", "--store", dsn, "--json"]
        done = await asyncio.to_thread(
            subprocess.run, [*command, "--redecide", "--key-file", str(key)], capture_output=True, check=False
        )
        told = json.loads(done.stdout)
        assert (done.returncode, told["findings"]) == (0, [])
        ((hands,),) = await fetch(dsn, "SELECT count(*) FROM hands")
        assert hands >= SERVERS * 4
