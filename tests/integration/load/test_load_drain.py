"""`croupier load` at a server that drains: it deals no more hands, which is an outage and no wrong answer."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.integration.load.restarts import settled
from tests.integration.lying_proxy import lying
from tests.support.live import Backend
from tests.support.server import ServerProcess

from croupier.client.load import Plan, Report, run
from croupier.v1.table_service_pb2 import GetTableResponse

PLAN: Final = Plan("", tables=2, seconds=1.0, operations=150)
DRAINS: Final = 4
"""Several times as long as a table waits for a hand in these tests."""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    monkeypatch.setattr("croupier.client.load.waiting._PATIENCE", 0.7)
    process = ServerProcess(tmp_path)
    process.start("--drain-timeout", str(DRAINS))
    yield process
    process.kill()


async def over_a_drain(server: ServerProcess, plan: Plan) -> Report:
    """A run in which the server is stopped, for whose end a hand at another table has it wait, and started again."""
    async with Backend(server.target) as backend, asyncio.TaskGroup() as group:
        await backend.dealt(await backend.open_table("anna", "bert"))
        running = group.create_task(run(plan._replace(target=server.target)))
        await settled(server, 4)
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.wait)
        await asyncio.to_thread(server.start)
    return running.result()


@pytest.mark.parametrize("via", ["act", "play"])
async def test_a_drain_is_waited_for_with_patience(server: ServerProcess, via: str) -> None:
    report = await over_a_drain(server, PLAN._replace(patience=60, via="act" if via == "act" else "play"))
    assert report.wrong == []
    assert report.away > 2 * DRAINS, "looked again and again"
    assert not report.outage
    assert report.operations >= PLAN.operations


async def test_a_drain_is_an_outage_without_patience(server: ServerProcess) -> None:
    report = await over_a_drain(server, PLAN)
    assert report.wrong == []
    assert report.outage


async def test_a_drain_that_lasts_longer_than_patience_is_an_outage(server: ServerProcess) -> None:
    report = await over_a_drain(server, PLAN._replace(patience=1.0, operations=0, seconds=3.0))
    assert report.wrong == []
    assert report.outage


async def test_a_server_that_could_start_a_hand_and_does_not_is_wrong(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.client.load.table.HANDS_BETWEEN_REFILLS", 5)
    looks = 0

    def lie(name: str, message: bytes) -> bytes:
        nonlocal looks
        looks += name == "GetTable"
        if name != "GetTable" or looks < 8:
            return message
        response = GetTableResponse.FromString(message)
        response.table.ClearField("next_decision")
        return response.SerializeToString()

    async with lying(server.target, lie) as proxy:
        report = await run(PLAN._replace(target=proxy, operations=0, seconds=2.0))
    assert any("no hand starts although the seats are taken" in wrong for wrong in report.wrong), report.wrong
