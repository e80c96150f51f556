"""A server that is killed and started again while it is loaded."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.support.server import ServerProcess


async def settled(server: ServerProcess, hands: int) -> None:
    """Returns once the server, since its start, has seen the end of so many hands."""
    found = 0.0
    while found < hands:
        await asyncio.sleep(0.05)
        lines = (await asyncio.to_thread(server.page, "metrics")).splitlines()
        found = sum(
            float(line.rpartition(" ")[2]) for line in lines if line.startswith("croupier_hands_total")
        )


async def killed_in_play(
    server: ServerProcess, meanwhile: Callable[[], None] = lambda: None, hands: int = 4
) -> None:
    """Kills it once some hands have been played, and starts it again after `meanwhile`."""
    await settled(server, hands)
    server.kill()
    meanwhile()
    await asyncio.to_thread(server.start)


def copied(store: Path, copy: Path) -> None:
    """A copy of a store in use."""
    with sqlite3.connect(store) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    source.close()
    target.close()


def put_back(copy: Path, store: Path) -> None:
    """A store that nobody uses is again what it was when it was copied."""
    for name in (f"{store}-wal", f"{store}-shm"):
        Path(name).unlink(missing_ok=True)
    shutil.copyfile(copy, store)
