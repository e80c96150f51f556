"""A loaded server is killed twenty times; what its clients were told is held against every restart."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.support import table_load
from tests.support.client_log import ClientLog
from tests.support.evidence import TableEvidence, standing
from tests.support.holding import Point
from tests.support.journal_file import Written, written, written_to
from tests.support.postgres import emptied_database
from tests.support.server import ServerProcess
from tests.support.survey import CURRENCY, Survey
from tests.support.table_load import PLAYERS

from croupier.v1 import hand_pb2, house_pb2, table_pb2
from croupier.v1.betting_service_pb2 import ActRequest
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.table_pb2 import Table
from croupier.v1.table_service_pb2 import CloseTableRequest, CreateTableRequest
from croupier.v1.table_service_pb2_grpc import TableServiceStub

TABLES: Final = 5
KILLS: Final[tuple[Point | None, ...]] = ("open", "told", "open", None) * 5
POSTGRES_KILLS: Final[tuple[Point | None, ...]] = ("open", "told", "open", "told", None, "told")
ACTION_SECONDS: Final = 20
LOADED_SECONDS: Final = 0.3
QUIET_SECONDS: Final = 0.15


class Run:
    """The server, its clients in a process of their own, and what is known of every table."""

    def __init__(self, directory: Path, dsn: str = "") -> None:
        self.server = ServerProcess(directory, holding=True, dsn=dsn)
        self._dsn = dsn
        self._scratch = directory / "copy"
        self._scratch.mkdir()
        self.log = ClientLog(directory / "clients.log")
        self.tables: list[TableEvidence] = []
        self.hits = 0
        """Kills in an open commit with actions in flight."""
        self.untold = 0
        """Kills after a commit, with an action in it that its client was not told of."""
        self.hands_compared = 0
        self._log_path = directory / "clients.log"
        self._clients: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.server.start()
        with Survey(self.server.target) as survey:
            stub = TableServiceStub(survey.channel)
            for number in range(TABLES):
                request = CreateTableRequest(
                    request_id=f"table {number}",
                    house_id="puzzle_pirates",
                    structure=house_pb2.BET_STRUCTURE_NO_LIMIT,
                    min_bet=2,
                    seat_count=PLAYERS,
                    action_time=Duration(seconds=ACTION_SECONDS),
                    hand_pause=Duration(),
                )
                table_id = stub.CreateTable(request).table.table_id
                self.tables.append(TableEvidence(table_id, self.log))
        ids = [table.table_id for table in self.tables]
        command = [sys.executable, table_load.__file__, self.server.target, str(self._log_path), *ids]
        self._clients = subprocess.Popen(command)

    @property
    def clients(self) -> subprocess.Popen[bytes]:
        assert self._clients is not None
        assert self._clients.poll() is None, "the clients are gone"
        return self._clients

    def end(self) -> None:
        self.server.hold.open()
        if self._clients is not None:
            self._clients.kill()
            self._clients.wait()
        self.server.kill()

    def be_loaded(self) -> None:
        """Return once the clients have acted for a while since the last restart."""
        self.log.read()
        known = len(self.log.calls)
        deadline = time.monotonic() + 30
        while len(self.log.calls) < known + 20 * TABLES:
            assert time.monotonic() < deadline, "the clients do not get on"
            assert self.clients.poll() is None
            time.sleep(0.01)
            self.log.read()
        time.sleep(LOADED_SECONDS)

    def be_quiet(self) -> None:
        """Return once the clients have heard all that the server had to tell."""
        time.sleep(QUIET_SECONDS)
        while self.log.read():
            time.sleep(QUIET_SECONDS)

    def kill(self, point: Point | None, passing: int) -> dict[str, Written]:
        """Kill the server, in a commit held at the point if any; what is in its journal then."""
        if point is not None:
            self.server.hold.shut(point, after=passing)
            self.server.hold.wait()
            self.be_quiet()
        in_flight = dict(self.log.in_flight())
        self.server.kill()
        self.server.hold.open()
        time.sleep(0.02)
        self.clients.send_signal(signal.SIGSTOP)
        self.log.read()
        journal = self.written()
        carried_out = [request_id for request_id in in_flight if request_id in journal]
        if point == "open":
            self.hits += bool(in_flight)
            assert not carried_out, "an action was in the journal before its commit was through"
        elif point == "told":
            self.untold += bool(carried_out)
        return journal

    def written(self) -> dict[str, Written]:
        """What is in the journal of the server, which has ended."""
        return written_to(self._dsn) if self._dsn else written(self.server.store, self._scratch)

    def check(self, journal: dict[str, Written], point: Point | None, before: dict[str, Table]) -> None:
        """Hold what the clients were told against the server, which has just been restarted."""
        with Survey(self.server.target) as survey:
            info = survey.info()
            self._until_nothing_is_on_its_way(survey)
            for table in self.tables:
                stands = survey.table(table.table_id)
                self._check_standing(table, stands, journal, point)
                table.read(survey, stands.sequence)
                table.check_watchers()
                table.check_answers(self.log.calls, journal)
                table.check_stacks(survey, stands)
                self._check_cards(survey, table, before)
                if stands.HasField("next_decision"):
                    left = stands.next_decision.deadline_time.ToNanoseconds()
                    left -= info.started_time.ToNanoseconds()
                    assert left > (ACTION_SECONDS - 1) * 10**9, "the decision time was not started again"
            self._check_books(survey)

    def _check_standing(
        self, table: TableEvidence, stands: Table, journal: dict[str, Written], point: Point | None
    ) -> None:
        """The decision that the last answer named still stands, unless the action in flight was carried out."""
        last = table.last_standing()
        now = standing(stands.next_decision)
        carried_out = table.carried_out(journal)
        assert carried_out <= 1
        if last is not None and not carried_out:
            assert now == last
        elif last is not None:
            assert point != "open"
            assert now != last

    def _check_cards(self, survey: Survey, table: TableEvidence, before: dict[str, Table]) -> None:
        for player in table.players:
            after = survey.table(table.table_id, player)
            self.hands_compared += table.check_cards(player, after)
            hand = before[player].hand
            if hand.hand_id == after.hand.hand_id:
                for old, new in zip(hand.seats, after.hand.seats, strict=True):
                    assert (old.player_id, old.hole_cards) == (new.player_id, new.hole_cards)

    def _until_nothing_is_on_its_way(self, survey: Survey) -> None:
        """No transfer is stuck: with nobody asking, each comes to its end."""
        deadline = time.monotonic() + 10
        while any(survey.accounts("reserved/").values()):
            assert time.monotonic() < deadline, "a transfer is stuck"
            time.sleep(0.02)

    def _check_books(self, survey: Survey) -> None:
        """Every account adds up; what was deposited is what the answers say, or is still in flight."""
        held = survey.accounts()
        assert sum(held.values()) == 0
        assert self.server.metric(f'croupier_ledger_imbalance_chips{{currency="{CURRENCY}"}}') == 0
        answered = sum(call.request.amount for _, call in self.log.acknowledged("Deposit"))  # type: ignore[attr-defined]
        waiting = sum(call.request.amount for call in self.log.in_flight("Deposit").values())  # type: ignore[attr-defined]
        assert answered <= -held["world/deposits"] <= answered + waiting


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    run = Run(tmp_path)
    try:
        run.start()
        yield run
    finally:
        run.end()


@pytest.mark.timeout(400)
def test_a_loaded_server_killed_twenty_times_loses_nothing_and_does_nothing_twice(run: Run) -> None:
    kill_again_and_again(run, KILLS)


@pytest.mark.timeout(300)
def test_a_loaded_server_on_postgresql_killed_six_times_loses_nothing(tmp_path: Path) -> None:
    with emptied_database() as dsn:
        run = Run(tmp_path, dsn)
        try:
            run.start()
            kill_again_and_again(run, POSTGRES_KILLS)
        finally:
            run.end()


def kill_again_and_again(run: Run, kills: Sequence[Point | None]) -> None:
    for number, point in enumerate(kills):
        run.be_loaded()
        with Survey(run.server.target) as survey:
            before = {
                player: survey.table(table.table_id, player)
                for table in run.tables
                for player in table.players
            }
        journal = run.kill(point, number % 3)
        run.server.start()
        run.check(journal, point, before)
        run.clients.send_signal(signal.SIGCONT)
    assert run.hits >= kills.count("open") - 1, (
        "too few kills fell into a held commit with commands in flight"
    )
    assert run.untold >= kills.count("told") // 3
    assert run.hands_compared >= 3 * len(kills)
    run.be_loaded()
    run.clients.send_signal(signal.SIGTERM)
    assert run.clients.wait(30) == 0
    conclude(run)


def conclude(run: Run) -> None:
    """Every request has its answer; the tables close, and every chip is in a wallet or was taken as rake."""
    run.log.read()
    assert not [call for call in run.log.calls.values() if call.open]
    with Survey(run.server.target) as survey:
        for table in run.tables:
            close(survey, table.table_id)
        held = survey.accounts()
        assert not any(
            held.pop(account) for account in list(held) if account.startswith(("stack/", "reserved/"))
        )
        deposited = sum(call.request.amount for _, call in run.log.acknowledged("Deposit"))  # type: ignore[attr-defined]
        assert -held["world/deposits"] == deposited
        assert sum(held.values()) == 0
    run.server.stop()
    journal = run.written()
    lost = [request_id for request_id, _ in run.log.acknowledged("Act") if request_id not in journal]
    assert not lost


def close(survey: Survey, table_id: str) -> None:
    """Close a table, playing what is left of its hand."""
    tables, betting = TableServiceStub(survey.channel), BettingServiceStub(survey.channel)
    tables.CloseTable(CloseTableRequest(request_id=f"close {table_id}", table_id=table_id))
    while (table := survey.table(table_id)).state != table_pb2.TABLE_STATE_CLOSED:
        decision = table.next_decision
        if decision.hand_id:
            request = ActRequest(
                request_id=f"{decision.hand_id}/{decision.action_sequence}",
                table_id=table_id,
                player_id=decision.player_id,
                hand_id=decision.hand_id,
                action_sequence=decision.action_sequence,
                action=hand_pb2.ACTION_KIND_FOLD,
            )
            betting.Act(request)
