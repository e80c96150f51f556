"""`croupier load` as a process beside the room: played until it is told to stop, then held against the history."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.integration.cluster.breaking.wired_room import HOUSE_ID
from tests.support.true_history import logged

from croupier.client.load.history.operation import Operation

_CROUPIER: Final = str(Path(sys.executable).with_name("croupier"))
_PATIENCE_S: Final = 30
_LONGEST_S: Final = 3600
_CHECKED_S: Final = 120.0


class Played(NamedTuple):
    """`operations` by table, in the order that they ended."""

    status: int
    report: dict[str, Any]
    said: str
    operations: dict[str, list[Operation]]


class Load:
    def __init__(self, directory: Path, process: asyncio.subprocess.Process) -> None:
        self._directory: Final = directory
        self._process: Final = process

    @classmethod
    async def begin(cls, directory: Path, target: str, tables: int, seed: int) -> Load:
        options = {
            "target": target,
            "house": HOUSE_ID,
            "tables": tables,
            "players-per-table": 3,
            "seed": seed,
            "seconds": _LONGEST_S,
            "patience": _PATIENCE_S,
            "history": directory / "history.jsonl",
            "json": directory / "load.json",
        }
        flags = [f"--{name}={value}" for name, value in options.items()]
        process = await asyncio.create_subprocess_exec(
            _CROUPIER, "load", *flags, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        return cls(directory, process)

    @property
    def running(self) -> bool:
        return self._process.returncode is None

    async def end(self) -> Played:
        """Have it stop, and check everything."""
        if self.running:
            self._process.send_signal(signal.SIGINT)
        async with asyncio.timeout(_CHECKED_S):
            said, _ = await self._process.communicate()
        status = self._process.returncode
        assert status is not None
        assert (self._directory / "load.json").exists(), f"{status}: {said.decode()}"
        report = json.loads((self._directory / "load.json").read_text())
        return Played(status, report, said.decode(), logged(self._directory / "history.jsonl"))

    async def kill(self) -> None:
        if self.running:
            self._process.kill()
            await self._process.wait()
