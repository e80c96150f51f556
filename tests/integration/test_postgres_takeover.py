"""A server that stands still past its lease is taken over from in mid-hand, and writes nothing when it wakes."""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
import urllib.error
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.support.live_table import ONCE, PATIENT, LiveTable
from tests.support.postgres import empty_database, execute, fetch
from tests.support.postgres_audit import audit
from tests.support.server import ServerProcess

from croupier.client import Croupier
from croupier.client.errors import CroupierError

LEASE_SECONDS = 3
BOUND_SECONDS = 1.5
PLAYERS = ("anna", "bert", "cleo")


@pytest.fixture
async def dsn() -> AsyncIterator[str]:
    async with empty_database() as dsn:
        yield dsn


@pytest.fixture
def servers(tmp_path: Path, dsn: str) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    both = ServerProcess(tmp_path, "first", dsn=dsn), ServerProcess(tmp_path, "second", dsn=dsn)
    try:
        both[0].start()
        yield both
    finally:
        for server in both:
            server.kill()


async def owner(dsn: str) -> tuple[str, int]:
    ((owner_id, epoch),) = await fetch(dsn, "SELECT owner_id, epoch FROM ownership")
    return owner_id, epoch


async def until(condition: str, server: ServerProcess, seconds: float = 30) -> None:
    """Return once a server's log says so."""
    async with asyncio.timeout(seconds):
        while f'"{condition}"' not in server.log.read_text():
            await asyncio.sleep(0.02)


async def taken_over(dsn: str, before: str) -> tuple[float, int]:
    """When the store has got another owner, and in which epoch."""
    async with asyncio.timeout(30):
        while True:
            owner_id, epoch = await owner(dsn)
            if owner_id != before:
                return time.monotonic(), epoch
            await asyncio.sleep(0.02)


async def test_a_paused_owner_is_taken_over_from_and_stops_without_a_stale_write(
    servers: tuple[ServerProcess, ServerProcess], dsn: str
) -> None:
    first, second = servers
    async with Croupier(first.target, retry=ONCE) as client:
        table = await LiveTable.open(client, PLAYERS)
        for _ in range(4):
            await table.act(await table.decision())
        made = await table.decision()
        cards = {name: await client.get_table(table.table_id, table.named(name)) for name in PLAYERS}
        known = await fetch(dsn, "SELECT hash FROM journal ORDER BY table_key, journal_sequence")
        first_owner, first_epoch = await owner(dsn)

        second.launch()
        await until("store_has_another_owner", second)
        await asyncio.sleep(LEASE_SECONDS + 1)
        assert await owner(dsn) == (first_owner, first_epoch), "an owner that renews was taken over from"

        first.process.send_signal(signal.SIGSTOP)
        paused = time.monotonic()
        late = asyncio.create_task(table.act(made, "too late"))
        moment, epoch = await taken_over(dsn, first_owner)
        assert moment - paused < LEASE_SECONDS + BOUND_SECONDS
        assert epoch == first_epoch + 1
        await until("server_started", second)
        assert second._ready()

        async with Croupier(second.target, retry=PATIENT) as other:
            table.client = other  # type: ignore[misc]
            for name, stood in cards.items():
                stands = await other.get_table(table.table_id, table.named(name))
                assert (stands.sequence, stands.hand) == (stood.sequence, stood.hand)
            hand = made.hand_id
            assert (await table.decision()).action_sequence == made.action_sequence
            while made.hand_id == hand:
                await table.act(made)
                made = await table.decision()

            first.process.send_signal(signal.SIGCONT)
            assert await asyncio.to_thread(first.wait) == 1
            with pytest.raises(CroupierError):
                await late
            for _ in range(5):
                await table.act(await table.decision())
    assert (
        await fetch(dsn, "SELECT hash FROM journal WHERE epoch = 1 ORDER BY table_key, journal_sequence")
        == known
    )
    assert await fetch(dsn, "SELECT 1 FROM journal WHERE request_id = 'too late'") == []
    said = first.log.read_text()
    assert '"server_replaced"' in said
    assert "was taken over by" in said
    assert "Traceback" not in said
    assert second.stop() == 0
    await audit(dsn)


async def test_a_waiting_server_is_not_ready_says_why_and_stops_at_once(
    servers: tuple[ServerProcess, ServerProcess], dsn: str
) -> None:
    first, second = servers
    second.http_port = first.http_port + 1 if first.http_port < 65_000 else first.http_port - 1
    second.launch()
    await until("store_has_another_owner", second)
    assert (await owner(dsn))[0] in second.log.read_text()
    with pytest.raises(urllib.error.HTTPError) as raised:
        second.page("readyz")
    assert raised.value.code == 503
    assert b"waiting for the store" in raised.value.read()
    assert second.page("healthz") == "ok\n"
    assert second.stop() == 0
    assert first.page("readyz") == "ok\n"


async def test_a_server_that_stops_gives_the_store_back_at_once(
    servers: tuple[ServerProcess, ServerProcess], dsn: str
) -> None:
    first, second = servers
    before, _ = await owner(dsn)
    second.launch()
    await until("store_has_another_owner", second)
    assert first.stop() == 0
    stopped = time.monotonic()
    moment, _ = await taken_over(dsn, before)
    assert moment - stopped < BOUND_SECONDS
    await until("server_started", second)


async def test_two_servers_that_start_at_once_on_an_empty_database_migrate_it_once(
    tmp_path: Path, dsn: str
) -> None:
    schema = f"croupier_test_race_{secrets.token_hex(4)}"
    await execute(dsn, f"CREATE SCHEMA {schema}")
    raced = f"{dsn.rpartition('search_path=')[0]}search_path={schema}"
    both = [ServerProcess(tmp_path, name, dsn=raced) for name in ("one", "other")]
    try:
        for server in both:
            server.launch()
        async with asyncio.timeout(60):
            while sorted(map(standing, both)) != ["server_started", "store_has_another_owner"]:
                assert all(server.process.poll() is None for server in both)
                await asyncio.sleep(0.02)
    finally:
        for server in both:
            server.kill()
        await execute(dsn, f"DROP SCHEMA {schema} CASCADE")


def standing(server: ServerProcess) -> str:
    """How far a server that starts has come, by its log."""
    said = server.log.read_text()
    return next((word for word in ("server_started", "store_has_another_owner") if f'"{word}"' in said), "")
