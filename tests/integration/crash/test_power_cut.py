"""A power cut that loses what was not synced loses nothing that was acknowledged."""

from __future__ import annotations

import asyncio
import random
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
from tests.support.audited import audited
from tests.support.crash import watched_server
from tests.support.crash.faulty import ONCE, Play, begin, lost
from tests.support.crash.watched_disk import NotLinked, disk_after, must_be_linked, read
from tests.support.live import Backend
from tests.support.require import require
from tests.support.server import ServerProcess

from croupier.client.errors import Unanswered

TABLES = 3
LOADED_S = 1.5
CUTS = 6
"""Power cuts in each of which other sectors of what was not synced got to the disk; one has none of them."""


class Watched(ServerProcess):
    """A server whose disk is watched, in `log`."""

    def __init__(self, directory: Path, sync: str) -> None:
        super().__init__(directory)
        self.disk_log = directory / "disk.log"
        self._command = (sys.executable, watched_server.__file__, str(self.disk_log), sync)  # type: ignore[misc]


async def cut_off(directory: Path, sync: str) -> tuple[Watched, list[Play]]:
    """A server killed under load, and what its callers had been answered by then."""
    try:
        must_be_linked()
    except NotLinked as why:
        require("sqlite", str(why))
    server = Watched(directory, sync)
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            plays = [await begin(backend, f"table-{number}-") for number in range(TABLES)]
            load = [asyncio.create_task(play.act(backend, 1_000_000)) for play in plays]
            await asyncio.sleep(LOADED_S)
            server.kill()
            ended = await asyncio.gather(*load, return_exceptions=True)
        assert all(isinstance(end, Unanswered) for end in ended), ended
    finally:
        server.kill()
    return server, plays


def after_the_cut(server: Watched, directory: Path, lucky: Random | None) -> Path:
    """The store as it is found when there is power again."""
    directory.mkdir()
    for path, data in disk_after(server.disk_log, lucky).items():
        (directory / Path(path).name).write_bytes(data)
    shutil.copy(server.store.with_suffix(".key"), directory)
    return directory / server.store.name


@pytest.mark.timeout(180)
async def test_nothing_acknowledged_is_lost_with_what_was_not_synced(tmp_path: Path) -> None:
    server, plays = await cut_off(tmp_path, "synced")
    assert sum(len(play.acknowledged) for play in plays) > 50
    assert any(done.what == "write" and done.path == str(server.store) for done in read(server.disk_log))
    for number in range(CUTS):
        lucky = random.Random(number) if number else None
        store = after_the_cut(server, tmp_path / f"cut {number}", lucky)
        for play in plays:
            assert lost(play.acknowledged, store) == []
        assert audited(store, redecide=True).findings == []
    again = ServerProcess(tmp_path / "cut 1")
    try:
        again.start()
        async with Backend(again.target, retry=ONCE) as backend:
            for play in plays:
                await play.act(backend, 10)
        assert again.stop() == 0
        for play in plays:
            play.must_be_kept(again.store)
    finally:
        again.kill()


@pytest.mark.timeout(180)
async def test_a_store_that_does_not_sync_would_be_found_out(tmp_path: Path) -> None:
    server, plays = await cut_off(tmp_path, "careless")
    store = after_the_cut(server, tmp_path / "cut", None)
    assert all(lost(play.acknowledged, store) for play in plays)
