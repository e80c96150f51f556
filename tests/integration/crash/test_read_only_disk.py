"""A disk that cannot be written: no server starts on it, and a server that it happens to stops its tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.crash.disks import BreakableDisk, make_read_only, small_disk
from tests.support.crash.faulty import ONCE, begin, readiness
from tests.support.live import Backend
from tests.support.server import DidNotStart, ServerProcess


@pytest.mark.timeout(180)
async def test_no_server_starts_on_a_read_only_disk_and_nothing_is_lost(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8 << 20) as disk:
        server = ServerProcess(disk)
        server.log = tmp_path / "server.log"
        try:
            server.start()
            async with Backend(server.target, retry=ONCE) as backend:
                play = await begin(backend)
                await play.act(backend, 20)
            assert server.stop() == 0
            make_read_only(disk)
            with pytest.raises(DidNotStart) as refused:
                server.start()
            assert server.wait() == 1
            assert "Traceback" not in str(refused.value)
            assert f"{server.store}" in str(refused.value)
            assert "read-only" in str(refused.value).lower()
        finally:
            server.kill()
        play.must_be_kept(server.store)


@pytest.mark.timeout(180)
async def test_a_disk_that_becomes_read_only_stops_the_table_and_a_restart_goes_on(tmp_path: Path) -> None:
    disk = BreakableDisk(tmp_path, 32 << 20)
    server = ServerProcess(disk.place)
    server.log = tmp_path / "server.log"
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            play = await begin(backend)
            await play.act(backend, 20)
            disk.break_down()
            decision = await play.fail(backend)
            await play.must_stand(backend, decision)
            for _ in range(3):
                assert "start the server again" in await readiness(server.http_port)
        server.kill()
        disk.unmount()
        disk.mend()
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            await play.must_stand(backend, decision)
            await play.answer(backend, decision)
            await play.act(backend, 20)
        assert server.stop() == 0
        play.must_be_kept(server.store)
    finally:
        server.kill()
        disk.unmount()
