"""deploy/load: ghz and Locust load the service by the contract that it reflects, where they are installed."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.support.require import require
from tests.support.server import ServerProcess

RECIPES: Final = Path(__file__).parents[3] / "deploy" / "load"


def program(name: str, how: str) -> str:
    return shutil.which(name) or require(name, f"{name} is not installed ({how})")


def test_ghz_calls_by_its_recipe(server: ServerProcess) -> None:
    ghz = program("ghz", "go install github.com/bojand/ghz/cmd/ghz@latest")
    command = [ghz, f"--config={RECIPES / 'ghz.json'}", "--duration=3s", "--format=json", server.target]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["statusCodeDistribution"] == {"OK": told["count"]}
    assert told["count"] > 50


def test_locust_plays_by_its_recipe(server: ServerProcess, tmp_path: Path) -> None:
    locust = program("locust", "pip install locust grpcio-reflection")
    command = [
        locust,
        "--locustfile",
        str(RECIPES / "locustfile.py"),
        "--headless",
        f"--host={server.target}",
    ]
    command += ["--users=3", "--spawn-rate=3", "--run-time=6s", f"--csv={tmp_path / 'load'}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with (tmp_path / "load_stats.csv").open() as file:
        rows = {row["Name"]: row for row in csv.DictReader(file)}
    assert int(rows["Act"]["Request Count"]) > 20
    assert rows["Aggregated"]["Failure Count"] == "0"
