"""The example clients play a hand at a real server, each in its own language."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.bench.processes import ROOT, serving
from tests.support.require import require

CLIENTS = ROOT / "tests" / "clients"
NODE = ROOT / "build" / "node_clients"
GO = ROOT / "build" / "go_clients"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own process, for all tests of this module."""
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server.target


@pytest.fixture(scope="module")
def node_client() -> Path:
    """The Node example with its packages, under build/."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        require("node", "node and npm are not installed")
    NODE.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "play_hand.mjs"):
        shutil.copy(CLIENTS / "node" / name, NODE)
    install = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]
    done = subprocess.run(install, cwd=NODE, capture_output=True, text=True, check=False, timeout=100)
    if done.returncode != 0:
        require("node", f"npm could not install the client's packages: {done.stderr[-500:]}")
    return NODE / "play_hand.mjs"


@pytest.fixture(scope="module")
def go_client() -> Path:
    """The Go example, with its package of the contract, built under build/."""
    if shutil.which("go") is None:
        require("go", "go is not installed")
    shutil.rmtree(GO, ignore_errors=True)
    shutil.copytree(CLIENTS / "go", GO, ignore=shutil.ignore_patterns("gen"))
    buf = Path(sys.executable).with_name("buf")
    steps = (
        (str(buf), "generate", str(ROOT / "proto")),
        ("go", "vet", "."),
        ("go", "build", "-o", "play_hand", "."),
    )
    for command in steps:
        done = subprocess.run(command, cwd=GO, capture_output=True, text=True, check=False, timeout=240)
        if done.returncode != 0 and any(word in done.stderr for word in ("dial tcp", "lookup", "connection")):
            require("go", f"go could not fetch the client's modules: {done.stderr[-500:]}")
        assert done.returncode == 0, done.stderr
    return GO / "play_hand"


def story(command: list[str | Path], environment: Mapping[str, str] | None = None) -> str:
    """What a client that ends well prints."""
    environment = {**os.environ, **(environment or {})}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_hand_is_told(told: str) -> None:
    """Every stage of one hand from the first chip to the last, each once and in order."""
    stages = [
        r"ann-\w+ buys in at seat 1",
        r"bob-\w+ buys in at seat 2",
        r"hand \S+, button at seat \d",
        r"posts a blind of 1",
        r"posts a blind of 2",
        r"raises to 4",
        r"calls 2",
        r"flop:( [2-9TJQKA][cdhs]){3}\n",
        r"turn:( [2-9TJQKA][cdhs])\n",
        r"river:( [2-9TJQKA][cdhs])\n",
        r"seat \d shows( [2-9TJQKA][cdhs]){2}\n",
        r"pot of 8, rake 0: seat \d wins \d",
        r"hand over: ",
        r"table closed\n",
    ]
    places = []
    for stage in stages:
        found = list(re.finditer(stage, told))
        assert found, f"{stage} is missing in:\n{told}"
        places.append(found[0].start())
    assert places == sorted(places), told
    assert told.count("hand over") == 1
    wallets = [int(amount) for amount in re.findall(r"has (\d+) PoE in the wallet", told)]
    assert sum(wallets) == 2000, told


def test_the_python_example_plays_a_hand(target: str) -> None:
    assert_hand_is_told(story([sys.executable, CLIENTS / "python" / "play_hand.py", target]))


def test_the_node_example_plays_a_hand(target: str, node_client: Path) -> None:
    assert_hand_is_told(story(["node", node_client, target], {"CROUPIER_PROTO": str(ROOT / "proto")}))


@pytest.mark.timeout(400)
def test_the_go_example_plays_a_hand(target: str, go_client: Path) -> None:
    assert_hand_is_told(story([go_client, target]))
