"""`croupier serve` that tells of itself: server.py REPORT SERVE-FLAGS…

Its first line of output is where it listens, gRPC and HTTP. On SIGUSR1 it writes REPORT anew, which is renamed into its
place when it is whole. With a number as TRACE in the environment, reports after so many have the lines of code whose
memory has grown since then, and calls take several times as long.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import tracemalloc
from pathlib import Path
from typing import Final

import msgspec

from croupier.config import load
from croupier.run import run

TRACE: Final = "SOAK_TRACE"
_LINES: Final = 40
_FRAMES: Final = 1


class Told(msgspec.Struct):
    """Tasks of the event loop, blocks of memory that Python's own allocator has given out, and what has grown."""

    tasks: int
    blocks: int
    grown: list[str] = []


class Teller:
    """Writes reports."""

    def __init__(self, report: Path, skipped: int) -> None:
        self._report: Final = report
        self._skipped = skipped
        self._first: tracemalloc.Snapshot | None = None

    def tell(self) -> None:
        """One report."""
        told = Told(len(asyncio.all_tasks()), sys.getallocatedblocks(), self._grown())
        part = self._report.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(told))
        part.rename(self._report)

    def _grown(self) -> list[str]:
        self._skipped -= 1
        if not tracemalloc.is_tracing() or self._skipped >= 0:
            return []
        gc.collect()
        now = tracemalloc.take_snapshot()
        if self._first is None:
            self._first = now
        return [str(one) for one in now.compare_to(self._first, "lineno")[:_LINES]]


def main(report: Path, flags: list[str]) -> int:
    names = [flag.removeprefix("--").replace("-", "_") for flag in flags[::2]]
    skipped = os.environ.get(TRACE)
    if skipped:
        tracemalloc.start(_FRAMES)
    teller = Teller(report, int(skipped or 0))

    def started(port: int, http_port: int) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, teller.tell)
        print(f"127.0.0.1:{port} 127.0.0.1:{http_port}", flush=True)

    return run(load(dict(zip(names, flags[1::2], strict=True))), started=started)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
