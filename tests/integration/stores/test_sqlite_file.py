"""The store's file over time: killed writers, second writers, later versions, a log that does not grow."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from tests.support import store_writer
from tests.support.ledger_audit import audit
from tests.support.units import TableUnits, money, outcome_of, outcomes_of, request

from croupier.adapters.sqlite import SchemaTooNew, SqliteStore, StoreLocked
from croupier.adapters.sqlite import store as store_module
from croupier.adapters.sqlite.schema import open_reader
from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, Failed, Refused, Unit


@pytest.mark.parametrize("lines", [1, 40, 700])
async def test_what_a_killed_writer_acknowledged_is_there(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "store.db"
    acknowledged = await asyncio.to_thread(_write_and_kill, path, lines)
    store = SqliteStore(path)
    journals = {journal.table_id: journal for journal in await store.open_tables()}
    assert set(journals) >= set(acknowledged)
    for table_id, count in acknowledged.items():
        last = journals[table_id].tail[-1].journal_sequence
        assert last >= count
        assert len(await store.records(table_id, 0, 100_000)) == last
        assert await store.balance(accounts.wallet(table_id), "POE") == last - 1
    assert not any((await store.imbalance()).values())
    for table_id, journal in journals.items():
        table = TableUnits(table_id)
        table.restart_at(journal.tail[-1])
        assert await outcome_of(store, table.unit()) == DURABLE
    await store.close()
    audit(path)


def _write_and_kill(path: Path, lines: int) -> Counter[str]:
    command = [sys.executable, store_writer.__file__, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        seen = [writer.stdout.readline() for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        seen += writer.stdout.readlines()
    return Counter(line.strip() for line in seen if line.endswith("\n"))


async def test_everything_is_found_again_after_closing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    table = TableUnits("t")
    units = [table.created(), *[table.unit() for _ in range(200)], table.unit(checkpoint=True), table.unit()]
    units[1].entry_sets = (ledger.deposit("ann", "POE", 10, "d"),)
    units[1].request = request("r")
    store = SqliteStore(path)
    await outcomes_of(store, units)
    entries = await store.entries(limit=10)
    await store.close()
    store = SqliteStore(path)
    (journal,) = await store.open_tables()
    assert (journal.first, list(journal.tail)) == (units[0].records[0], [u.records[0] for u in units[-2:]])
    assert await store.entries(limit=10) == entries
    repeated = table.unit()
    repeated.entry_sets, repeated.request = units[1].entry_sets, None
    assert await outcome_of(store, repeated) == DURABLE
    assert await store.balance(accounts.wallet("ann"), "POE") == 10
    assert isinstance(await outcome_of(store, Unit(request=request("r"))), Failed)
    await store.close()
    audit(path)


async def of_another_process(path: Path) -> subprocess.CompletedProcess[str]:
    """What comes of a store that is opened there."""
    command = [sys.executable, store_writer.__file__, str(path)]
    return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)


async def test_a_second_store_fails_at_once_and_names_file_and_holder(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    with pytest.raises(StoreLocked, match=rf"{path} is in use by process {os.getpid()}"):
        SqliteStore(path)
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with pytest.raises(StoreLocked):
        SqliteStore(link)
    other = await of_another_process(path)
    assert other.returncode == 1
    assert f"StoreLocked: {path} is in use by process {os.getpid()}" in other.stderr
    await store.close()
    await SqliteStore(path).close()


@pytest.mark.parametrize("how", ["a hard link", "its lock file is gone"])
async def test_a_file_has_one_owner_under_whatever_name(tmp_path: Path, how: str) -> None:
    """SQLite itself would let both write, each into a log of its own."""
    path, name = tmp_path / "store.db", tmp_path / "store.db"
    store = SqliteStore(path)
    if how == "a hard link":
        name = tmp_path / "other.db"
        name.hardlink_to(path)
    else:
        (tmp_path / "store.db-lock").unlink()
    other = await of_another_process(name)
    assert other.returncode == 1
    assert f"StoreLocked: {name} is in use by another process" in other.stderr
    await store.close()
    await SqliteStore(name).close()


class NoLock:
    """For two stores on one file, as on a file system that does not lock."""

    def __init__(self, _: Path) -> None:
        pass

    def release(self) -> None:
        pass


async def test_of_two_writers_the_one_that_does_not_follow_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "FileLock", NoLock)
    path = tmp_path / "store.db"
    ours, theirs = SqliteStore(path), SqliteStore(path)
    table, twin, other = TableUnits("t"), TableUnits("t"), TableUnits("other")
    await outcomes_of(ours, [table.created(), other.created(), table.unit()])
    twin.created(), twin.unit()
    assert await outcomes_of(theirs, [twin.unit(), twin.unit()]) == [DURABLE] * 2
    outcomes = await outcomes_of(ours, [other.unit(), table.unit(), other.unit(), table.unit()])
    assert [type(outcome) for outcome in outcomes] == [type(DURABLE), Failed, type(DURABLE), Failed]
    journal = await ours.recover("t")
    assert journal is not None
    assert journal.tail[-1].journal_sequence == 4
    table.restart_at(journal.tail[-1])
    assert await outcome_of(ours, table.unit()) == DURABLE
    assert isinstance(await outcome_of(theirs, twin.unit()), Failed)
    await ours.close()
    await theirs.close()
    audit(path)


async def test_two_writers_cannot_spend_a_wallet_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "FileLock", NoLock)
    path = tmp_path / "store.db"
    ours, theirs = SqliteStore(path), SqliteStore(path)
    wallet = accounts.wallet("ann")
    await outcome_of(ours, Unit(entry_sets=(ledger.deposit("ann", "POE", 300, "d"),)))
    spend = [money(f"s{n}", (wallet, -100), (accounts.reserved(f"x{n}"), 100)) for n in range(20)]
    results = [await outcome_of((ours, theirs)[n % 2], unit) for n, unit in enumerate(spend)]
    assert results == [DURABLE] * 3 + [Refused(wallet, 0)] * 17
    await ours.close()
    await theirs.close()
    audit(path)


async def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for _ in range(2):
        with pytest.raises(SchemaTooNew, match=rf"{path} has format 99"):
            SqliteStore(path)


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    await outcome_of(store, TableUnits("t").created())
    assert [entry.name for entry in tmp_path.iterdir() if entry.stat().st_mode & 0o077] == []
    await store.close()


async def test_a_path_of_any_characters_works(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20d e.db"
    store = SqliteStore(path)
    await outcome_of(store, TableUnits("t").created())
    assert len(await store.open_tables()) == 1
    await store.close()
    assert path.exists()


async def test_the_log_starts_over_when_it_has_been_copied(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    table = TableUnits("t")
    await outcome_of(store, table.created())
    sizes = []
    for _ in range(60):
        await outcome_of(store, Unit((table.record(body=bytes(1_000_000)),)))
        sizes.append(store.wal_bytes)
    assert 15_000_000 < max(sizes) < 20_000_000
    await store.close()
    assert store.wal_bytes == 0


async def test_the_log_stays_bounded_under_reads_without_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    table = TableUnits("t")
    await outcome_of(store, table.created())
    ended = threading.Event()
    reading = asyncio.ensure_future(asyncio.to_thread(_read_without_a_gap, path, ended))
    sizes = []
    for _ in range(50):
        assert await outcome_of(store, Unit((table.record(body=bytes(5_000_000)),))) == DURABLE
        sizes.append(store.wal_bytes)
    ended.set()
    await reading
    assert max(sizes) < 110_000_000
    await store.close()


def _read_without_a_gap(path: Path, ended: threading.Event) -> None:
    """Two connections take turns: each begins to read before the other stops."""
    reader, other = open_reader(path), open_reader(path)
    reader.execute("BEGIN")
    while not ended.is_set():
        reader.execute("SELECT * FROM tables").fetchall()
        ended.wait(0.02)
        other.execute("BEGIN")
        other.execute("SELECT * FROM tables").fetchall()
        reader.execute("COMMIT")
        reader, other = other, reader
    reader.close()
    other.close()
