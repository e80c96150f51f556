"""The driver of the benches: what fails becomes a row, what falls short is named, the status stays 0."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.bench import run
from tests.bench.rows import Row, row
from tests.support.require import require


def figure(name: str, ratio: float) -> Row:
    return row(name, 10, "acts/s", against="echo", ratio=ratio, goal=0.75, runs=3, conditions="here")


def broken() -> list[Row]:
    raise RuntimeError("no server")


def numbers() -> list[dict[str, object]]:
    return [{**figure("numbers", 2), "against": 1300.5, "runs": [1, 2], "conditions": {"peer_runs": [3]}}]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three benches in place of the real ones, and the file that their rows go to."""
    benches = {"fast": lambda: [figure("fast", 0.8)], "slow": lambda: [figure("slow", 0.5)], "broken": broken}
    monkeypatch.setattr(run, "_benches", lambda: {**benches, "numbers": numbers})
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(run, "RESULTS", tmp_path / "build" / "bench.json")
    return tmp_path / "build" / "bench.json"


def test_every_bench_leaves_a_row_and_what_is_short_is_named(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main([]) == 0
    rows = json.loads(results.read_text())
    assert [each["name"] for each in rows] == ["fast", "slow", "broken", "numbers"]
    assert rows[2]["conditions"] == "FAILED: RuntimeError: no server"
    printed = capsys.readouterr().out
    assert printed.count("MISSED") == 1
    assert "2 short of the goal" in printed


def test_rows_are_written_alike_whatever_a_bench_gives(results: Path) -> None:
    run.main(["numbers"])
    (only,) = json.loads(results.read_text())
    assert only["against"] == "1,300.5 acts/s"
    assert only["runs"] == 2
    assert only["conditions"] == "peer runs [3]"


def test_a_bench_without_what_it_needs_is_left_out_by_name(
    results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benches = {"distant": lambda: require("nats", "not there"), "fast": lambda: [figure("fast", 0.8)]}
    monkeypatch.setattr(run, "_benches", lambda: benches)
    monkeypatch.delenv("CROUPIER_REQUIRE", raising=False)
    assert run.main([]) == 0
    assert [each["name"] for each in json.loads(results.read_text())] == ["fast"]
    assert "distant ...\n  left out: nats: not there" in capsys.readouterr().out
    monkeypatch.setenv("CROUPIER_REQUIRE", "nats")
    run.main([])
    (required, _) = json.loads(results.read_text())
    assert required["conditions"] == "FAILED: Failed: nats is required here: not there"


def test_an_unknown_bench_is_refused(results: Path) -> None:
    with pytest.raises(SystemExit):
        run.main(["other"])
    assert not results.exists()
