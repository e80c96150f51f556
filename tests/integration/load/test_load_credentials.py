"""A credential that does not do keeps a run from beginning; one that ends before it is nothing of the server's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.bench.processes import CROUPIER, serving
from tests.support.credentials import Secret


class Asked(NamedTuple):
    """A server that asks for tokens, and where its callers keep theirs."""

    target: str
    secret: Secret
    token: Path

    async def load(self, *arguments: str) -> tuple[int, str]:
        """Exit status and output of the command."""
        process = await asyncio.create_subprocess_exec(
            CROUPIER,
            "load",
            f"--target={self.target}",
            f"--token-file={self.token}",
            "--tables=2",
            *arguments,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, " ".join(output.decode().split())


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("asked")
    secret, token = Secret(folder), folder / "token"
    token.touch(0o600)
    with serving(folder / "croupier.db", "--jwt-secret-file", str(secret.file)) as server:
        yield Asked(server.target, secret, token)


@pytest.mark.parametrize(
    ("role", "limits", "missing"),
    [
        ("player", {"player_id": "anna"}, "open tables and act for players such as load-"),
        ("operator", {}, "of role operator, may not open tables and act for players such as load-"),
        ("observer", {}, "open tables and act for players such as load-"),
        ("auditor", {}, "open tables and act for players such as load-"),
        ("backend", {"players": ["anna"]}, "may not "),
        ("backend", {"players": ["load-"]}, "read the whole ledger"),
        ("backend", {"houses": ["puzzle_pirates"]}, "read the whole ledger"),
    ],
)
async def test_a_credential_that_allows_too_little_keeps_the_run_from_beginning(
    asked: Asked, role: str, limits: dict[str, Any], missing: str
) -> None:
    asked.token.write_text(asked.secret.token(role, "loader", **limits))
    status, said = await asked.load("--seconds=1")
    assert status == 2, said
    assert missing in said
    assert "take a backend's that is limited to no players and no houses" in said


@pytest.mark.parametrize("via", ["act", "play"])
async def test_a_token_that_expires_ends_the_run_soon_and_accuses_nobody(asked: Asked, via: str) -> None:
    asked.token.write_text(asked.secret.token("backend", "loader", seconds=12))
    begin = time.monotonic()
    status, said = await asked.load("--seconds=120", f"--via={via}", "--watchers-per-table=1")
    assert status == 4, said
    assert "WRONG" not in said
    assert "NOT CHECKED " in said
    assert "NOT CHECKED ledger and history; 2 tables were left open" in said
    assert "every answer was right, until the credential was refused (CREDENTIALS_EXPIRED)" in said
    assert time.monotonic() - begin < 60


async def test_a_token_that_is_renewed_in_time_carries_the_run_to_its_end(asked: Asked) -> None:
    asked.token.write_text(asked.secret.token("backend", "loader", seconds=9))
    run = asyncio.create_task(asked.load("--seconds=12"))
    await asyncio.sleep(6)
    asked.token.write_text(asked.secret.token("backend", "loader"))
    status, said = await run
    assert status == 0, said
