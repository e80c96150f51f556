"""Every command that the pages for users name is run as it stands there, or is named here with what else tests it.

Commands run in a copy of the folders that they name, at a server of the tests': its ports stand in for 50051 and 9464.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.bench.processes import Server, serving
from tests.support.require import require
from tests.tidy.sources import ROOT

PAGES = (
    "README.md",
    "proto/README.md",
    "deploy/README.md",
    "deploy/load/README.md",
    "deploy/verify/README.md",
)
COPIED = ("proto", "deploy", "tests/clients")
LINKED = (".venv", "service")

RUN = {
    "README.md": (
        ".venv/bin/croupier doctor ",
        ".venv/bin/croupier watch ",
        'eval "$(.venv/bin/croupier --show-completion ',
        ".venv/bin/python tests/clients/python/play_hand.py",
        "cd tests/clients/node ",
    ),
    "proto/README.md": (
        ".venv/bin/croupier watch",
        ".venv/bin/python tests/clients/python/play_hand.py",
        "cd tests/clients/node ",
        "cd tests/clients/go ",
    ),
}
"""Blocks that are run here, by what they begin with."""
ELSEWHERE: dict[str, dict[str, str]] = {
    "README.md": {"make run ": "tests/integration/test_serve_command.py"},
    "deploy/README.md": {
        "docker compose up": "tests/integration/deploy/test_compose.py",
        "docker compose --file compose.cluster.yml": "tests/integration/deploy/test_compose_cluster.py",
        "kubectl --namespace croupier patch hpa": "tests/integration/deploy/test_kubernetes_cluster.py",
        "docker compose exec": "tests/integration/deploy/test_image.py",
        "kubectl apply": "tests/integration/deploy/test_kubernetes.py",
        "kubectl --namespace croupier delete pod": "tests/integration/test_postgres_takeover.py",
        "croupier archive": "tests/integration/test_archive.py",
        "croupier audit --rebuild-feed": "tests/integration/cluster/test_feed.py",
        "source.backup(target)": "tests/integration/deploy/test_backup.py",
        "cp backup/croupier.db": "tests/integration/deploy/test_backup.py",
        "pg_dump": "tests/integration/deploy/test_backup.py",
        "pg_restore": "tests/integration/deploy/test_backup.py",
        "> data/croupier.key": "tests/integration/deploy/test_backup.py",
    },
}
"""What stands in blocks that are not run here, and the test of what they do: they need what no test may have, such as
a cluster, the ports that servers have by default, or a store of their own to lose."""
NEEDS = {"npm": "node", "go": "go"}


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}: {self.text.splitlines()[0]}"


def blocks(language: str) -> list[Block]:
    return [
        Block(page, text)
        for page in PAGES
        if (ROOT / page).exists()
        for text in re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.S | re.M)
    ]


def run_here(block: Block) -> bool:
    return block.text.startswith(RUN.get(block.page, ()))


SHELL = blocks("sh")


@pytest.mark.parametrize("block", SHELL, ids=lambda block: block.name)
def test_every_block_is_run_or_tested_elsewhere(block: Block) -> None:
    elsewhere = [test for words, test in ELSEWHERE.get(block.page, {}).items() if words in block.text]
    assert run_here(block) or elsewhere, f"run it here, or say in ELSEWHERE what tests it:\n{block.text}"
    assert all((ROOT / test).exists() for test in elsewhere)


def test_no_block_is_named_that_is_not_there() -> None:
    for page, named in (*RUN.items(), *ELSEWHERE.items()):
        for words in named:
            assert any(block.page == page and words in block.text for block in SHELL), words


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own process, for all commands."""
    with serving(tmp_path_factory.mktemp("store") / "croupier.db") as server:
        yield server


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders that commands name, to be written into."""
    tree = tmp_path_factory.mktemp("tree")
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("node_modules", "gen"))
    for name in LINKED:
        (tree / name).symlink_to(ROOT / name)
    return tree


@pytest.mark.timeout(400)
@pytest.mark.parametrize("block", [block for block in SHELL if run_here(block)], ids=lambda block: block.name)
def test_a_block_does_what_the_page_says(block: Block, server: Server, tree: Path) -> None:
    for program, needed in NEEDS.items():
        if re.search(rf"\b{program} ", block.text) and shutil.which(program) is None:
            require(needed, f"{program} is not installed")
    text = block.text.replace("http://127.0.0.1:9464", f"http://{server.http}")
    text = re.sub(r"(play_hand\.py|play_hand\.mjs|go run \.)", rf"\1 {server.target}", text)
    text = re.sub(r"(croupier watch)", rf"\1 --target {server.target}", text)
    if "--show-completion" in text:
        text += "complete -p croupier"
    settings = {"CROUPIER_PORT": "0", "CROUPIER_HTTP_PORT": "0"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CROUPIER_")}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=tree,
        env={**kept, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
    if "play_hand" in text or "go run" in text:
        assert "hand over: " in done.stdout


async def test_the_program_of_the_page_for_developers_runs(server: Server) -> None:
    """Its blocks are one program; what they say in passing is so."""
    names: dict[str, Any] = {}
    for block in blocks("python"):
        if block.page == "proto/README.md":
            text = block.text.replace("127.0.0.1:50051", server.target)
            code = compile(text, block.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            made = eval(code, names)
            if inspect.isawaitable(made):
                await made
    assert names["offers"]
    assert sum(names["won"].values()) == 0
    assert (names["reason"], names["facts"]) == ("SEAT_NOT_RESERVED", {"seat_number": "1"})
    assert abs(names["total"] - 1050) < 10
