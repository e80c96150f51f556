"""A million true operations, against which the history checker must raise nothing: prints what was checked.

python -m tests.bench.history [OPERATIONS]
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.bench.processes import CROUPIER, scratch, serving

TABLES: Final = 64
PLAYERS: Final = 6


def main(operations: int) -> int:
    """The exit status of `croupier load`: 0 where nothing was found."""
    with scratch() as directory, serving(directory / "croupier.db") as server:
        begin = time.monotonic()
        command = [CROUPIER, "load", f"--target={server.target}", f"--operations={operations}"]
        sizes = [f"--tables={TABLES}", f"--players-per-table={PLAYERS}", "--seconds=1"]
        log = Path(directory) / "history.jsonl"
        done = subprocess.run([*command, *sizes, f"--history={log}"], check=False)
        size = log.stat().st_size / 1e6
        print(
            f"  {time.monotonic() - begin:,.0f} s in all; the log of requests and answers is {size:,.0f} MB"
        )
        return done.returncode


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
