"""The server as a process: stopped by signals, started where it cannot run, told why in one line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs
from tests.support.ledger_audit import audit
from tests.support.live_table import ONCE, PATIENT, LiveTable
from tests.support.server import ServerProcess

from croupier.adapters.sqlite import reader
from croupier.client import Croupier
from croupier.client.errors import CroupierError
from croupier.client.watch import News
from croupier.room.journal import record_hash
from croupier.v1.table_service_pb2 import EventBatch


def why(server: ServerProcess) -> str:
    """What a server that did not start says, in its one line of the log; it ends with status 1."""
    assert server.wait() == 1
    said = server.log.read_text()
    assert "Traceback" not in said
    told = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert [line["event"] for line in told] == ["server_failed_to_start"]
    reason: str = told[0]["why"]
    return reason


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_signal_stops_it_cleanly_and_a_restart_goes_on(
    server: ServerProcess, number: signal.Signals
) -> None:
    async with Croupier(server.target, retry=PATIENT) as client:
        table = await LiveTable.open(client, ("anna", "bert", "cleo"))
        made = await table.decision()
        acted = await table.act(made, "r")
        player = acted.next_decision.player_id
        before = await client.get_table(table.table_id, player)
        server.process.send_signal(number)
        assert server.wait() == 0
        said = server.log.read_text()
        assert '"server_stopped"' in said.splitlines()[-1]
        assert "Traceback" not in said
        server.start()
        after = await client.get_table(table.table_id, player)
        assert (after.sequence, after.hand) == (before.sequence, before.hand)
        assert after.next_decision.action_sequence == acted.next_decision.action_sequence
        again = await table.act(made, "r")
        assert (again.sequence, again.result) == (acted.sequence, acted.result)
        assert (await table.act(await table.decision())).sequence == acted.sequence + 1


async def test_watchers_are_told_that_it_stops(server: ServerProcess) -> None:
    async with Croupier(server.target, retry=PATIENT) as client:
        table = await LiveTable.open(client, ("anna", "bert"))
        news: list[News] = []
        watch = client.watch(table.table_id)
        news.append(await anext(watch))
        assert server.stop() == 0
        server.start()
        acted = await table.act(await table.decision())
        batch = await anext(watch)
        assert isinstance(batch, EventBatch)
        while not batch.events:
            batch = await anext(watch)
            assert isinstance(batch, EventBatch)
        assert batch.events[0].sequence == acted.sequence
        await watch.aclose()
    assert '"call_failed"' not in server.log.read_text()


async def test_changes_are_turned_away_while_it_stops_and_none_is_lost(server: ServerProcess) -> None:
    """Whatever was answered before the process ended is there afterwards."""
    last = 0
    async with Croupier(server.target, retry=ONCE) as client:
        table = await LiveTable.open(client, ("anna", "bert", "cleo"))
        server.process.send_signal(signal.SIGTERM)
        while server.process.poll() is None:
            try:
                last = (await table.act(await table.decision())).sequence
            except CroupierError:
                break
    assert server.wait() == 0
    server.start()
    async with Croupier(server.target, retry=PATIENT) as client:
        assert (await client.get_table(table.table_id)).sequence >= last


async def test_a_second_server_on_a_store_says_who_has_it(server: ServerProcess, tmp_path: Path) -> None:
    second = ServerProcess(tmp_path, "second")
    second.launch()
    assert why(second) == f"{server.store} is in use by process {server.process.pid}"
    async with Croupier(server.target, retry=PATIENT) as client:
        assert (await client.get_server_info()).store == "sqlite"
    assert server.stop() == 0


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port: int = taken.getsockname()[1]
        yield port


def test_a_taken_grpc_port_is_named(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    with taken_port() as server.port:
        server.launch()
        assert why(server).startswith(f"127.0.0.1:{server.port}, for gRPC, cannot be listened on")


def test_a_taken_http_port_is_named(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    with taken_port() as server.http_port:
        server.launch()
        assert f"127.0.0.1:{server.http_port}, for HTTP, cannot be listened on" in why(server)


def test_a_file_that_is_no_store_is_named_and_left_alone(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.store.write_text("not a database, and long enough to be told from one" * 100)
    server.store.with_suffix(".key").write_text(os.urandom(32).hex())
    server.store.with_suffix(".key").chmod(0o600)
    before = server.store.read_bytes()
    server.launch()
    what_to_do = "choose another --store, or restore the last backup"
    assert why(server) == f"{server.store} is no SQLite file: {what_to_do}"
    assert server.store.read_bytes() == before


@pytest.fixture
async def in_mid_hand(server: ServerProcess) -> ServerProcess:
    """A stopped server with a hand in play."""
    async with Croupier(server.target, retry=PATIENT) as client:
        await LiveTable.open(client, ("anna", "bert"))
    assert server.stop() == 0
    return server


def test_a_lost_key_file_is_asked_for(in_mid_hand: ServerProcess) -> None:
    key = in_mid_hand.store.with_suffix(".key")
    kept = key.rename(key.with_suffix(".kept"))
    in_mid_hand.launch()
    assert "put the key file back" in why(in_mid_hand)
    assert not key.exists()
    kept.rename(key)
    in_mid_hand.start()


def test_a_key_file_of_another_store_is_refused(in_mid_hand: ServerProcess) -> None:
    key = in_mid_hand.store.with_suffix(".key")
    right = key.read_bytes()
    key.write_text(os.urandom(32).hex())
    in_mid_hand.launch()
    assert "key" in why(in_mid_hand)
    key.write_bytes(right)
    in_mid_hand.start()


def test_a_journal_of_a_later_version_is_refused(in_mid_hand: ServerProcess) -> None:
    with sqlite3.connect(in_mid_hand.store) as connection:
        (table_id,) = connection.execute("SELECT table_id FROM tables").fetchone()
        second = reader.records(connection, table_id, 0, 1, after_record=1)[0]
        later = structs.replace(second, format=99)
        connection.execute(
            "UPDATE journal SET format = 99, hash = ? WHERE position = 2", (record_hash(later),)
        )
    connection.close()
    in_mid_hand.launch()
    assert why(in_mid_hand).startswith("the journal has format 99;")


async def test_killed_while_it_starts_it_starts_the_next_time(
    in_mid_hand: ServerProcess, tmp_path: Path
) -> None:
    """At the very first start too: what is half made then is finished, or made anew."""
    before = records(in_mid_hand.store)
    fresh = ServerProcess(tmp_path / "fresh")
    for server in (in_mid_hand, fresh):
        lock = server.store.with_name(f"{server.store.name}-lock")
        for moment in range(3):
            lock.unlink(missing_ok=True)
            server.launch()
            while not lock.exists():
                await asyncio.sleep(0.001)
            await asyncio.sleep(moment * 0.015)
            server.kill()
        server.start()
        server.kill()
        audit(server.store)
    assert records(in_mid_hand.store) == before


def records(store: Path) -> list[bytes]:
    """The hashes of a journal."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        return [row[0] for row in connection.execute("SELECT hash FROM journal ORDER BY position")]
