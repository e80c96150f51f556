"""Files that are not what SQLite wrote: nothing is served of a damaged page, and a torn tail is left out."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from tests.support.audited import audited
from tests.support.crash.faulty import ONCE, begin, lost, readiness
from tests.support.live import Backend, running
from tests.support.server import DidNotStart, ServerProcess

from croupier.client.errors import Unanswered

PAGE = 4096
SPOILT = ("noise", "zeros", "cut off")
CUTS = 40


@pytest.mark.parametrize("spoilt", SPOILT)
async def test_no_server_starts_on_a_file_whose_last_page_is_spoilt(tmp_path: Path, spoilt: str) -> None:
    server = ServerProcess(tmp_path)
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            play = await begin(backend)
            await play.act(backend, 60)
        assert server.stop() == 0
        spoil(server.store, spoilt)
        found = server.store.read_bytes()
        with pytest.raises(DidNotStart) as refused:
            server.start()
        assert server.wait() == 1
        assert "Traceback" not in str(refused.value)
        assert f"{server.store} cannot be" in str(refused.value)
        assert "restore the last backup" in str(refused.value)
        assert server.store.read_bytes() == found, "what is left of it was changed"
    finally:
        server.kill()


def spoil(store: Path, how: str) -> None:
    """The last page but for those that nothing is in."""
    with sqlite3.connect(store) as connection:
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    connection.close()
    assert free == 0
    with store.open("r+b") as file:
        file.seek(-PAGE, os.SEEK_END)
        if how == "cut off":
            file.truncate()
        else:
            file.write(os.urandom(PAGE) if how == "noise" else bytes(PAGE))


async def test_a_page_found_damaged_while_serving_is_told_until_the_server_stops(tmp_path: Path) -> None:
    """An index of hands is read when somebody asks for them; what is damaged is not said to be well again."""
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}", retry=ONCE) as backend:
        play = await begin(backend)
        await play.act(backend, 60)
    with sqlite3.connect(tmp_path / "croupier.db") as connection:
        named = "SELECT rootpage FROM sqlite_schema WHERE name = 'hand_players'"
        (root,) = connection.execute(named).fetchone()
    connection.close()
    with (tmp_path / "croupier.db").open("r+b") as file:
        file.seek((root - 1) * PAGE)
        file.write(os.urandom(PAGE))
    async with running(tmp_path) as app, Backend(f"127.0.0.1:{app.port}", retry=ONCE) as backend:
        with pytest.raises(Unanswered, match="STORE_UNAVAILABLE"):
            _ = [hand async for hand in backend.list_hands(played_by="anna")]
        for _ in range(3):
            assert "restore the last backup" in await readiness(app.http_port)


async def test_a_log_cut_anywhere_in_its_last_commit_leaves_the_commits_before_it(tmp_path: Path) -> None:
    """The last commit is what a power cut may tear: it is there whole, or not at all; the books are sound."""
    server = ServerProcess(tmp_path)
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            play = await begin(backend)
            await play.act(backend, 30)
            before = log_of(server.store).stat().st_size
            await play.act(backend, 1)
        server.kill()
    finally:
        server.kill()
    whole = log_of(server.store).read_bytes()
    *rest, last = play.acknowledged
    assert rest
    assert len(whole) > before
    found = set()
    for number in range(CUTS):
        end = before + (len(whole) - before) * number // CUTS
        tail = b"" if number % 2 else os.urandom(len(whole) - end)
        copy = copied(server.store, tmp_path / f"cut {number}", whole[:end] + tail)
        gone = lost(play.acknowledged, copy)
        assert gone in ([last], [])
        assert audited(copy, redecide=True).findings == []
        found.add(bool(gone))
    assert True in found
    server_of_copy = ServerProcess(tmp_path / "cut 7")
    try:
        server_of_copy.start()
        async with Backend(server_of_copy.target, retry=ONCE) as backend:
            await play.act(backend, 20)
        assert server_of_copy.stop() == 0
        play.must_be_kept(server_of_copy.store)
    finally:
        server_of_copy.kill()


def log_of(store: Path) -> Path:
    return store.with_name(f"{store.name}-wal")


def copied(store: Path, directory: Path, log: bytes) -> Path:
    directory.mkdir()
    for part in (store, store.with_suffix(".key")):
        shutil.copy(part, directory)
    log_of(directory / store.name).write_bytes(log)
    return directory / store.name
