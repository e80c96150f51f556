"""A disk that is full: what does not fit is refused and never half done; with room again everything goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.support.crash.disks import fill, small_disk
from tests.support.crash.faulty import ONCE, be_ready, begin, readiness
from tests.support.live import Backend, running
from tests.support.server import ServerProcess

from croupier.adapters.sqlite.store import SqliteStore

Act = Callable[[], Awaitable[None]]


@pytest.mark.timeout(180)
async def test_a_table_on_a_full_disk_stops_and_goes_on_once_there_is_room(tmp_path: Path) -> None:
    """The log is on that disk as well."""
    with small_disk(tmp_path / "disk", 3 << 20) as disk:
        server = ServerProcess(disk)
        try:
            server.start()

            async def fill_it() -> None:
                fill(disk)

            async def make_room() -> None:
                (disk / "ballast").unlink()

            await stops_and_goes_on(server.target, server.http_port, fill_it, make_room, server.store)
            assert server.stop() == 0
        finally:
            server.kill()


@pytest.mark.timeout(180)
async def test_a_table_whose_file_may_not_grow_stops_and_goes_on_once_it_may(tmp_path: Path) -> None:
    """`max_page_count`, which SQLite answers as a full disk."""
    async with running(tmp_path) as app:

        async def limit(pages: str) -> None:
            store = app._store
            assert isinstance(store, SqliteStore)
            await store._writer.run(lambda: store._connection.execute(f"PRAGMA max_page_count = {pages}"))

        async def fill_it() -> None:
            await limit("1")  # which is raised to what the file has

        async def make_room() -> None:
            await limit(str(1 << 30))

        target = f"127.0.0.1:{app.port}"
        await stops_and_goes_on(target, app.http_port, fill_it, make_room, tmp_path / "croupier.db")


async def stops_and_goes_on(target: str, http_port: int, fill_it: Act, make_room: Act, store: Path) -> None:
    async with Backend(target, retry=ONCE) as backend:
        play = await begin(backend)
        await play.act(backend, 20)
        await fill_it()
        decision = await play.fail(backend)
        await play.must_stand(backend, decision)
        for _ in range(3):
            assert "full: make room on the disk" in await readiness(http_port)
        await make_room()
        await be_ready(http_port)
        await play.answer(backend, decision)
        await play.act(backend, 20)
        play.must_be_kept(store)
