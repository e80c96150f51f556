"""`croupier serve` tells whoever starts it by hand where everything is, and tells programs by its log alone."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.server import ServerProcess

CROUPIER = str(Path(sys.executable).with_name("croupier"))


def test_a_terminal_is_told_where_everything_is(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    ports = ["--port", "0", "--http-port", "0", "--drain-timeout", "0"]
    command = [CROUPIER, "serve", "--console", "--store", f"sqlite:{tmp_path}/t.db", *ports]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL) as process:
        os.close(follower)
        told, until = "", time.monotonic() + 30
        while "Ctrl-C" not in told:
            assert time.monotonic() < until, told
            told += os.read(leader, 4096).decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    os.close(leader)
    words = [line.split(maxsplit=1) for line in told.splitlines()]
    assert [line[0] for line in words] == ["gRPC", "metrics", "console", "store", "key", "wallet", "to"]
    assert ":0" not in told
    assert f"{tmp_path}/t.key" in told


def test_programs_are_told_by_the_log_alone(server: ServerProcess) -> None:
    assert server.stop() == 0
    assert all(line.startswith("{") for line in server.log.read_text().splitlines())
