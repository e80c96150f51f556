"""Back up and restore as the runbook says it, its own commands run while bots play: the hand that was dealt goes on."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support import runbook
from tests.support.live_table import ONCE, PATIENT, LiveTable
from tests.support.postgres import binaries, cluster, execute
from tests.support.server import DidNotStart, ServerProcess

from croupier.client import Croupier
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_pb2 import Table

CROUPIER = str(Path(sys.executable).with_name("croupier"))
PLAYERS = ("anna", "bert", "cleo")
MANY = 20


@contextmanager
def bots(server: ServerProcess) -> Iterator[None]:
    """Players at other tables who go on all the while, from when they have ended some hands."""
    command = [CROUPIER, "load", "--target", server.target, "--tables", "4", "--players-per-table", "4"]
    with subprocess.Popen(
        [*command, "--seconds", "300"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            while hands(server) < MANY:
                assert process.poll() is None, "the bots gave up"
                time.sleep(0.05)
            yield
            assert process.poll() is None, "the bots gave up"
        finally:
            process.kill()


def hands(server: ServerProcess) -> float:
    """How many the server has dealt to their end."""
    told = [line for line in server.page("metrics").splitlines() if line.startswith("croupier_hands_total")]
    return sum(float(line.rpartition(" ")[2]) for line in told)


@contextmanager
def started(server: ServerProcess) -> Iterator[ServerProcess]:
    server.start()
    try:
        yield server
    finally:
        server.kill()


async def seen(client: Croupier, table_id: str, names: list[str]) -> list[Table]:
    """The table as each of the players sees it, but for the time that runs."""
    tables = []
    for name in names:
        table = await client.get_table(table_id, name)
        table.next_decision.ClearField("time_remaining")
        table.next_decision.ClearField("deadline_time")
        tables.append(table)
    return tables


async def in_mid_hand(client: Croupier) -> tuple[LiveTable, Decision]:
    """A table where somebody has to act on a hand in which others have."""
    table = await LiveTable.open(client, PLAYERS)
    for _ in range(4):
        await table.act(await table.decision())
    return table, await table.decision()


async def goes_on(server: ServerProcess, played: LiveTable, decision: Decision, before: list[Table]) -> None:
    """Everybody sees what they saw, with the same cards, and the decision that stood is taken."""
    async with Croupier(server.target, retry=PATIENT) as client:
        table = LiveTable(client, played.table_id)
        names = [table.named(name) for name in PLAYERS]
        assert await seen(client, table.table_id, names) == before
        acted = await table.act(decision)
        assert acted.sequence > before[0].sequence
        while decision.hand_id == (await table.decision()).hand_id:
            await table.act(await table.decision())


def refuses(anchor: Path, *store: str) -> str:
    """What an audit says that must find something missing."""
    command = [CROUPIER, "audit", *store, "--anchor", str(anchor)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 1, run.stdout + run.stderr
    return run.stdout


async def test_a_sqlite_store_under_play_is_backed_up_and_restored_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "data").mkdir(parents=True)
    there.mkdir()
    (back_up, restore) = runbook.commands("SQLite")
    newer = here / "newer.json"
    with started(ServerProcess(here / "data")) as server, bots(server):
        async with Croupier(server.target, retry=ONCE) as client:
            table, decision = await in_mid_hand(client)
            names = [table.named(name) for name in PLAYERS]
            before = await seen(client, table.table_id, names)
            runbook.run(back_up, here)
            await table.act(decision)
        later = f"croupier audit --store sqlite:data/croupier.db --write-anchor {newer}"
        runbook.run(later, here)
    shutil.copytree(here / "backup", there / "backup")
    shutil.rmtree(here / "data")
    said = runbook.run(restore, there)
    assert "FAIL" not in said
    assert refuses(newer, "--store", f"sqlite:{there / 'data/croupier.db'}")
    with started(ServerProcess(there / "data")) as server:
        await goes_on(server, table, decision, before)


async def test_a_postgresql_store_under_play_is_backed_up_and_restored_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "data").mkdir(parents=True)
    there.mkdir()
    (back_up, restore) = runbook.commands("PostgreSQL")
    newer = here / "newer.json"
    with cluster() as postgres:
        restored = postgres.dsn.removesuffix("/postgres") + "/restored"
        with started(ServerProcess(here / "data", dsn=postgres.dsn)) as server, bots(server):
            async with Croupier(server.target, retry=ONCE) as client:
                table, decision = await in_mid_hand(client)
                names = [table.named(name) for name in PLAYERS]
                before = await seen(client, table.table_id, names)
                runbook.run(back_up, here, binaries(), STORE=postgres.dsn)
                await table.act(decision)
            runbook.run(f'croupier audit --store "$STORE" --write-anchor {newer}', here, STORE=postgres.dsn)
        shutil.copytree(here / "backup", there / "backup")
        await execute(postgres.dsn, "CREATE DATABASE restored")
        runbook.run(restore, there, binaries(), RESTORED=restored)
        assert refuses(newer, "--store", restored)
        with started(ServerProcess(there / "data", dsn=restored)) as server:
            await goes_on(server, table, decision, before)


async def test_without_its_key_a_store_waits_for_a_copy_of_any_age(tmp_path: Path) -> None:
    """As the runbook says of a lost disk: the key never changes."""
    copy, key = tmp_path / "copy.key", tmp_path / "croupier.key"
    with started(ServerProcess(tmp_path)) as server:
        shutil.copy2(key, copy)
        async with Croupier(server.target, retry=ONCE) as client:
            table, decision = await in_mid_hand(client)
            before = await seen(client, table.table_id, [table.named(name) for name in PLAYERS])
        key.unlink()
        server.kill()
        with pytest.raises(DidNotStart, match="holds cards sealed with it: put the key file back"):
            server.start()
        shutil.copy2(copy, key)
        server.start()
        await goes_on(server, table, decision, before)


@contextmanager
def databases(store: str) -> Iterator[str]:
    """A DSN of PostgreSQL, none for a file."""
    if store == "sqlite":
        yield ""
        return
    with cluster() as postgres:
        yield postgres.dsn


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_without_any_copy_it_goes_on_with_another_key_once_no_hand_is_in_play(
    tmp_path: Path, store: str
) -> None:
    """As the runbook says of a lost disk; with a hand in play it would not start."""
    data = tmp_path / "data"
    data.mkdir()
    another = dict(zip(("sqlite", "postgres"), runbook.commands("Lost disk"), strict=True))[store]
    with databases(store) as dsn:
        place = dsn or "sqlite:data/croupier.db"
        server = ServerProcess(data, dsn=dsn)
        server.start("--drain-timeout", "60")
        try:
            async with Croupier(server.target, retry=PATIENT) as client:
                table, decision = await in_mid_hand(client)
                (data / "croupier.key").unlink()
                server.process.terminate()
                hand_id = decision.hand_id
                while decision.hand_id == hand_id:
                    decision = (await table.act(decision)).next_decision
            assert await asyncio.to_thread(server.wait) == 0
            with pytest.raises(DidNotStart, match="put the key file back"):
                server.start()
            runbook.run(another, tmp_path, *([binaries()] if dsn else []), STORE=dsn)
            server.start()
            runbook.run('croupier audit --store "$STORE"', tmp_path, STORE=place)
            async with Croupier(server.target, retry=PATIENT) as client:
                again = LiveTable(client, table.table_id)
                assert (await again.decision()).hand_id not in ("", hand_id)
                await again.act(await again.decision())
        finally:
            server.kill()
