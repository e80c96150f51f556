"""`croupier load` in an open loop, by Play and over a mix: what it measures, and that every check holds there too."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from tests.bench.processes import CROUPIER, serving
from tests.integration.lying_proxy import Send, lying

from croupier.client import Croupier
from croupier.client.load import Plan, TableKind, run
from croupier.client.load.arrivals import schedule
from croupier.client.load.dice import Dice
from croupier.v1.betting_service_pb2 import ActResponse
from croupier.v1.play_service_pb2 import PlayResponse
from croupier.v1.table_pb2 import TableState

OPEN = TableState.TABLE_STATE_OPEN


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server.target


def plan(target: str, **changes: Any) -> Plan:
    return Plan(target, tables=3, players_per_table=3, seconds=1.5, probes=100)._replace(**changes)


MIX = (TableKind(weight=2), TableKind("five_aces"), TableKind("poker_ocean", "omaha_hi_lo"))


@pytest.mark.parametrize("via", ["act", "play"])
@pytest.mark.parametrize("rate", [0.0, 60.0])
async def test_every_way_to_load_is_checked_whole(target: str, via: str, rate: float) -> None:
    report = await run(plan(target, via=via, rate=rate, ramp=0.5, mix=MIX, tables=4))
    assert report.wrong == []
    assert report.of_acts.calls > 20
    assert next(iter(report.latency)) == via.capitalize()
    assert report.operations_unknown == 0
    assert report.history_events > report.acknowledged
    assert {point.phase for point in report.points} >= {"ramp", "steady"}


async def test_each_kind_of_a_mix_is_opened_as_often_as_it_weighs(target: str, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    await run(plan(target, mix=MIX, tables=4, seconds=0.2, history=path))
    created = {
        told["table_id"]
        for told in map(json.loads, path.read_text().splitlines())
        if told["method"] == "CreateTable"
    }
    async with Croupier(target) as client:
        houses = [(await client.get_table(table_id)).options.house_id for table_id in created]
    assert sorted(houses) == ["five_aces", "poker_ocean", "puzzle_pirates", "puzzle_pirates"]


async def test_the_rate_is_kept_to_and_counts_what_was_due(target: str) -> None:
    report = await run(plan(target, rate=40.0, ramp=1.0, seconds=3.0, tables=6))
    assert report.wrong == []
    assert (report.unserved, report.late) == (0, 0)
    assert 80 < report.due < 165
    assert report.due == report.of_acts.calls == report.from_sending.calls < report.acknowledged


@pytest.mark.parametrize("ramp", [0.0, 0.7])
async def test_what_was_due_is_what_the_schedule_has_for_the_steady_phase(target: str, ramp: float) -> None:
    """However late the phase is noticed to begin and to end."""
    moments = takewhile(lambda at: at < ramp + 1.2, schedule(60.0, ramp, Dice(5)))
    report = await run(plan(target, rate=60.0, ramp=ramp, seconds=1.2, seed=5, via="play", tables=6))
    assert report.due == sum(at >= ramp for at in moments)
    assert report.due == report.of_acts.calls + report.unmeasured


async def test_a_stall_is_in_the_latency_of_all_that_was_due_meanwhile(target: str) -> None:
    """No coordinated omission: one answer is held back for a second at the only table there is."""
    acts = 0

    async def meddle(name: str, _request: bytes, _send: Send) -> bytes | None:
        nonlocal acts
        acts += name == "Act"
        if name == "Act" and acts == 10:
            await asyncio.sleep(1)
        return None

    async with lying(target, meddle=meddle) as proxy:
        report = await run(plan(proxy, rate=20.0, seconds=2.5, tables=1, probes=0))
    assert report.wrong == []
    assert report.of_acts.max_ms > 1000
    assert report.from_sending.quantile_ms(90) < 500 < report.of_acts.quantile_ms(90)
    assert max(point.waiting for point in report.points) > 3


async def test_what_no_table_could_take_counts_with_the_time_it_waited(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.client.load.loops._DRAIN_SECONDS", 0.2)
    report = await run(plan(target, rate=20_000.0, seconds=0.6, tables=1, probes=0))
    assert report.wrong == []
    assert report.unserved > 100
    assert report.of_acts.calls == report.from_sending.calls + report.unserved
    assert report.due == report.of_acts.calls + report.unmeasured
    assert report.of_acts.p50_ms > 200


async def test_a_lie_on_the_stream_is_found(target: str) -> None:
    seen = 0

    def lie(name: str, message: bytes) -> bytes:
        nonlocal seen
        if name != "Play":
            return message
        response = PlayResponse.FromString(message)
        for result in response.results:
            seen += 1
            if seen == 15 and result.HasField("acted"):
                falsify(result.acted)
        return response.SerializeToString()

    async with lying(target, lie) as proxy:
        report = await run(plan(proxy, via="play", probes=0))
    assert any("was followed by" in wrong for wrong in report.wrong), report.wrong


def falsify(answer: ActResponse) -> None:
    answer.sequence += 5


async def command(target: str, *arguments: str, interrupt: signal.Signals | None = None) -> tuple[int, str]:
    """Exit status and output; interrupted by the signal when its bots have played for two seconds."""
    process = await asyncio.create_subprocess_exec(
        CROUPIER,
        "load",
        f"--target={target}",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    if interrupt is not None:
        async with Croupier(target) as client:
            while not any(table.state == OPEN for table in (await client.list_tables()).tables):
                await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        process.send_signal(interrupt)
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def test_a_missed_objective_exits_3_and_says_which(target: str) -> None:
    status, output = await command(target, "--tables=2", "--seconds=1", "--slo=p99=1us", "--slo=max=60s")
    assert (status, "SLO MISSED p99=1us: " in output, "SLO met max=60s: " in output) == (3, True, True), (
        output
    )


async def test_an_objective_kept_exits_0_and_the_page_is_written(target: str, tmp_path: Path) -> None:
    page, figures = tmp_path / "load.html", tmp_path / "load.json"
    arguments = ["--rate=30", "--via=play", "--seconds=1.5", "--house=five_aces", "--slo=p50=30s"]
    status, output = await command(target, *arguments, f"--html={page}", f"--json={figures}")
    assert status == 0, output
    assert "Play, from its time" in page.read_text()
    told = json.loads(figures.read_text())
    assert told["slo"] == [
        {"objective": "p50=30s", "took_ms": told["latency"]["Play"]["p50_ms"], "met": True}
    ]


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
async def test_an_end_from_outside_reports_what_was_measured_until_then(
    target: str, tmp_path: Path, ending: signal.Signals
) -> None:
    figures = tmp_path / "load.json"
    arguments = ["--seconds=300", "--tables=2", "--rate=20", f"--json={figures}"]
    status, output = await command(target, *arguments, interrupt=ending)
    assert status == 0, output
    assert "interrupted" in output
    assert "every answer was right" in output
    told = json.loads(figures.read_text())
    assert told["interrupted"]
    assert 0.1 < told["seconds"] < 60
    assert told["latency"]["Act"]["calls"] > 5
