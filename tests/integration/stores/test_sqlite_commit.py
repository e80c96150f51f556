"""How the store on disk commits: in groups, off the event loop, and what a commit that fails leaves behind."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.support.ledger_audit import audit
from tests.support.units import TableUnits, money, outcome_of, outcomes_of, request

from croupier.adapters.sqlite import SqliteStore
from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, Durable, Failed, Outcome, Unit


class Gate:
    """A `before_commit` that lets commits through while open."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._open = threading.Event()
        self._open.set()

    def __call__(self) -> None:
        self.reached.set()
        self._open.wait(30)

    def shut(self) -> None:
        self._open.clear()
        self.reached.clear()

    def open(self) -> None:
        self._open.set()


class Commits:
    """An observer that notes how many records each commit held."""

    def __init__(self) -> None:
        self.records: list[int] = []
        self.seconds: list[float] = []

    def commit(self, seconds: float, records: int) -> None:
        self.records.append(records)
        self.seconds.append(seconds)

    def failed(self, units: int, why: str) -> None:
        raise AssertionError(f"{units} units failed: {why}")


async def test_what_waits_during_a_commit_goes_into_the_next(tmp_path: Path) -> None:
    gate, commits = Gate(), Commits()
    store = SqliteStore(tmp_path / "store.db", observer=commits, before_commit=gate)
    table, other = TableUnits("t"), TableUnits("other")
    await outcomes_of(store, [table.created(), other.created()])
    gate.shut()
    came: list[Outcome] = []
    store.submit(table.unit(), came.append)
    await asyncio.to_thread(gate.reached.wait)
    for _ in range(40):
        store.submit(table.unit(), came.append)
        store.submit(other.unit(), came.append)
    await asyncio.sleep(0.05)
    assert came == []
    gate.open()
    await store.close()
    assert came == [DURABLE] * 81
    assert commits.records[-2:] == [1, 80]
    assert all(seconds > 0 for seconds in commits.seconds)


async def test_the_event_loop_runs_and_reads_see_the_last_state_while_a_commit_is_held(
    tmp_path: Path,
) -> None:
    gate = Gate()
    store = SqliteStore(tmp_path / "store.db", before_commit=gate)
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "d"),)))
    gate.shut()
    came: list[Outcome] = []
    store.submit(Unit(entry_sets=(ledger.deposit("ann", "POE", 7, "e"),)), came.append)
    await asyncio.to_thread(gate.reached.wait)
    started = time.monotonic()
    for _ in range(20):
        assert await store.balance(accounts.wallet("ann"), "POE") == 5
        await asyncio.sleep(0)
    assert time.monotonic() - started < 5
    assert came == []
    gate.open()
    await store.close()
    assert came == [DURABLE]


async def test_a_large_queue_is_committed_in_several_groups(tmp_path: Path) -> None:
    commits = Commits()
    store = SqliteStore(tmp_path / "store.db", observer=commits)
    table = TableUnits("t")
    await outcomes_of(store, [table.created()] + [table.unit() for _ in range(4000)])
    await store.close()
    assert sum(commits.records) == 4001
    assert max(commits.records) <= 1024
    audit(tmp_path / "store.db")


class FailOnce:
    """A `before_commit` that raises what it is given, the next time."""

    def __init__(self) -> None:
        self.failure: Exception | None = None

    def __call__(self) -> None:
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure


async def test_a_failed_commit_fails_every_unit_in_it_and_nothing_of_them_stays(tmp_path: Path) -> None:
    hook = FailOnce()
    store = SqliteStore(tmp_path / "store.db", before_commit=hook)
    table, other = TableUnits("t"), TableUnits("other")
    first = table.created()
    await outcomes_of(store, [first, other.created(), Unit(entry_sets=(ledger.deposit("a", "POE", 9, "d"),))])
    hook.failure = sqlite3.OperationalError("disk I/O error")
    lost = table.unit()
    lost.entry_sets = (ledger.withdrawal("a", "POE", 9, "w"),)
    lost.request = request("r")
    new = TableUnits("new").created()
    outcomes = await outcomes_of(store, [lost, Unit(entry_sets=(ledger.deposit("b", "POE", 1, "e"),)), new])
    assert [type(outcome) for outcome in outcomes] == [Failed] * 3
    assert await store.balances("", "POE") == [("wallet/a", 9), ("world/deposits", -9)]
    assert await store.find_request("local", "Deposit", "r") is None
    assert isinstance(await outcome_of(store, table.unit()), Failed)
    assert await outcome_of(store, other.unit()) == DURABLE
    assert await outcome_of(store, new) == DURABLE
    assert await store.recover("t") is not None
    table.restart_at(first.records[0])
    again = table.unit()
    again.entry_sets, again.request = lost.entry_sets, lost.request
    assert await outcome_of(store, again) == DURABLE
    await store.close()
    audit(tmp_path / "store.db")


async def test_a_full_disk_fails_units_until_there_is_room(tmp_path: Path) -> None:
    pages: list[int] = []
    store = SqliteStore(tmp_path / "store.db", before_commit=lambda: _limit_pages(store, pages))
    table = TableUnits("t")
    first = table.created()
    await outcome_of(store, first)
    pages.append(1)
    second = Unit((table.record(body=b"x"),), (ledger.deposit("a", "POE", 9, "d"),))
    assert await outcome_of(store, second) == DURABLE
    big = Unit((table.record(body=b"x" * 500_000),), (ledger.deposit("a", "POE", 9, "e"),))
    (failed,) = await outcomes_of(store, [big])
    assert isinstance(failed, Failed)
    assert "full" in failed.why
    assert await store.balance(accounts.wallet("a"), "POE") == 9
    pages.append(1 << 30)
    small = Unit(entry_sets=(ledger.deposit("b", "POE", 1, "f"),))
    assert await outcome_of(store, small) == DURABLE
    journal = await store.recover("t")
    assert journal is not None
    assert list(journal.tail) == [*first.records, *second.records]
    assert await outcome_of(store, big) == DURABLE
    await store.close()
    audit(tmp_path / "store.db")


def _limit_pages(store: SqliteStore, pages: list[int]) -> None:
    """In the writer thread: lets the file grow to so many pages from the next transaction on."""
    while pages:
        store._connection.execute(f"PRAGMA max_page_count = {pages.pop()}")


async def test_a_write_that_the_system_refuses_fails_units_until_it_is_allowed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db")
    table = TableUnits("t")
    await outcome_of(store, table.created())
    big = Unit((table.record(body=b"x" * 300_000),), (ledger.deposit("a", "POE", 9, "d"),))
    with _file_size_limit(store.wal_bytes + 100_000):
        failed = await outcome_of(store, big)
    assert isinstance(failed, Failed)
    assert await store.imbalance() == {}
    assert await store.recover("t") is not None
    assert await outcome_of(store, big) == DURABLE
    await store.close()
    audit(tmp_path / "store.db")


@contextmanager
def _file_size_limit(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    "change", [{"principal": "\ud800"}, {"body": "text"}, {"recorded_time": 2**63}, {"hash": None}], ids=str
)
async def test_a_value_that_cannot_be_stored_fails_its_unit_alone(
    tmp_path: Path, change: dict[str, object]
) -> None:
    store = SqliteStore(tmp_path / "store.db")
    table, other = TableUnits("t"), TableUnits("other")
    await outcomes_of(store, [table.created(), other.created()])
    sound = table.unit()
    poison = Unit((msgspec.structs.replace(sound.records[0], **change),))
    deposit = money("s", (accounts.wallet("a"), 1), (accounts.DEPOSITS, -1))
    outcomes = await outcomes_of(store, [other.unit(), poison, deposit, table.unit(), other.unit()])
    assert [type(outcome) for outcome in outcomes] == [Durable, Failed, Durable, Failed, Durable]
    await store.recover("t")
    assert await outcome_of(store, sound) == DURABLE
    await store.close()
    audit(tmp_path / "store.db")


class BrokenObserver:
    """An observer that raises what it is given at every commit."""

    def __init__(self, failure: Exception) -> None:
        self._failure = failure

    def commit(self, seconds: float, records: int) -> None:  # noqa: ARG002
        raise self._failure

    def failed(self, units: int, why: str) -> None:  # noqa: ARG002
        raise self._failure


async def test_an_observer_that_fails_stops_nothing(tmp_path: Path) -> None:
    caught: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: caught.append(context["exception"]))
    failure = RuntimeError("the observer's own fault")

    store = SqliteStore(tmp_path / "store.db", observer=BrokenObserver(failure))
    for name in ("t", "u"):
        assert await outcome_of(store, TableUnits(name).created()) == DURABLE
    await store.close()
    assert caught == [failure] * 2


async def test_a_request_that_was_answered_before_is_no_fault_of_the_stores(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db", observer=Commits())
    unit = Unit(request=request("transfer", "", "wallet.reserve"))
    first, again = await outcomes_of(store, [unit, unit])
    assert first is DURABLE
    assert isinstance(again, Failed)
    assert again.repeated
    await store.close()
