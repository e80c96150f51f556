"""`croupier load` over a server that is killed: an outage is told as one, and what is wrong is found all the same."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.bench.processes import CROUPIER
from tests.integration.load.restarts import copied, killed_in_play, put_back, settled
from tests.integration.lying_proxy import Send, lying
from tests.support.server import ServerProcess

from croupier.client.load import Plan, Report, run
from croupier.client.load.progress import Now
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.table_service_pb2 import WatchTableResponse

PLAN: Final = Plan("", tables=3, seconds=1.0, operations=300, probes=50)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path)
    process.start()
    yield process
    process.kill()


@pytest.mark.parametrize(
    ("patience", "status", "said"),
    [
        (0, 4, ("OUTAGE ", "every answer was right, but there was no server at times")),
        (60, 0, ("tries that were not answered", "\nevery answer was right\n")),
    ],
)
async def test_a_restart_is_no_wrong_answer(
    server: ServerProcess, tmp_path: Path, patience: int, status: int, said: tuple[str, ...]
) -> None:
    """Killed in the middle: bots go on where they were, watchers too, and all is held against the history."""
    path = tmp_path / "load.json"
    options = {"target": server.target, "tables": 3, "seconds": 1, "operations": 180, "patience": patience}
    flags = [f"--{name}={value}" for name, value in options.items()]
    process = await asyncio.create_subprocess_exec(
        CROUPIER,
        "load",
        *flags,
        f"--json={path}",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    await killed_in_play(server)
    output, _ = await process.communicate()
    told = output.decode()
    assert process.returncode == status, told
    assert all(words in told for words in said), told
    assert "WRONG" not in told
    figures = json.loads(path.read_text())
    assert figures["away"] > 0
    assert bool(figures["unanswered"]) == (patience == 0)
    assert figures["unchecked"] == []
    assert figures["operations"] >= 180
    assert figures["watched_sequences"] > figures["acknowledged"] > 60


async def test_a_server_that_stays_away_is_no_wrong_answer(server: ServerProcess) -> None:
    """What can be checked no longer is told, too."""
    async with asyncio.TaskGroup() as group:
        running = group.create_task(run(PLAN._replace(target=server.target, patience=0.5, operations=0)))
        await settled(server, 3)
        server.kill()
    report = running.result()
    assert report.wrong == []
    assert report.outage
    assert [what.partition(",")[0] for what in report.unchecked if "chips" in what]
    assert any(what.startswith("the ledger") for what in report.unchecked), report.unchecked


async def test_a_server_that_is_gone_is_waited_for_once_and_not_by_each_call(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the playing, the closing, the ledger and the history together, however many operations were still to come."""
    monkeypatch.setattr("croupier.client.load.absence._HALF_A_MINUTE", 3.0)
    shown: list[Now] = []
    async with asyncio.TaskGroup() as group:
        running = group.create_task(run(PLAN._replace(target=server.target, operations=10**6), shown.append))
        await settled(server, 3)
        server.kill()
        killed = time.monotonic()
    assert time.monotonic() - killed < 6
    report = running.result()
    assert report.wrong == []
    assert report.outage
    assert any(what.startswith("the history") for what in report.unchecked), report.unchecked
    assert max(now.away for now in shown) > 1.5


async def test_what_was_acknowledged_before_the_kill_and_is_forgotten_is_found(
    server: ServerProcess, tmp_path: Path
) -> None:
    """A store that comes back as it was some hands ago."""
    copy = tmp_path / "copy.db"
    async with asyncio.TaskGroup() as group:
        running = group.create_task(run(PLAN._replace(target=server.target)))
        await settled(server, 3)
        copied(server.store, copy)
        await killed_in_play(server, lambda: put_back(copy, server.store), hands=20)
    report = running.result()
    assert found(report, "LOST", "was acknowledged, and is not in the history"), report.wrong
    assert found(report, "watcher was told"), report.wrong


class Restarted:
    """Lies once each, from when the server was started again, and of one action at each table."""

    def __init__(self) -> None:
        self.lies = {"act", "deed", "news"}
        self.began = False
        self._at: dict[str, int] = {}
        self._lied_at: set[str] = set()

    def told(self, lie: str, table_id: str) -> bool:
        """Whether it is to be told now."""
        if not self.began or lie not in self.lies or table_id in self._lied_at:
            return False
        self.lies.remove(lie)
        self._lied_at.add(table_id)
        return True

    def lie(self, name: str, message: bytes) -> bytes | None:
        """The news of an action never come."""
        if name != "WatchTable":
            return message
        events = WatchTableResponse.FromString(message).events.events
        return None if events and self.told("news", "") else message

    async def meddle(self, name: str, request: bytes, send: Send) -> bytes | None:
        """One action paid more than it is told, and one is answered that was never done."""
        if name != "Act":
            return None
        act = ActRequest.FromString(request)
        if act.table_id in self._at and self.told("deed", act.table_id):
            invented = ActResponse(sequence=self._at[act.table_id] + 1)
            invented.result.action = act.action
            return invented.SerializeToString()
        response = ActResponse.FromString(await send(request))
        self._at[act.table_id] = response.sequence
        if self.told("act", act.table_id):
            response.result.paid += 1
        return response.SerializeToString()


async def test_lies_after_a_restart_are_found(server: ServerProcess) -> None:
    lies = Restarted()
    async with lying(server.target, lies.lie, meddle=lies.meddle) as proxy, asyncio.TaskGroup() as group:
        running = group.create_task(run(PLAN._replace(target=proxy, probes=0)))
        await killed_in_play(server)
        lies.began = True
    report = running.result()
    assert not lies.lies
    assert report.away
    assert found(report, "ALTERED", "answered as"), report.wrong
    lost = found(report, "LOST", "was acknowledged, and is not in the history")
    assert lost or found(report, "INVENTED"), report.wrong  # its player may have done the same a moment later
    assert found(report, "LOST", "a watcher was told nothing of"), report.wrong


def found(report: Report, *words: str) -> bool:
    """Whether something wrong is told in all the words."""
    return any(all(word in wrong for word in words) for wrong in report.wrong)
