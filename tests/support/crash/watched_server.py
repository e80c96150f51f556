"""`croupier serve` whose disk is watched: watched_server.py LOG SYNC SERVE-FLAGS…

SYNC is "synced", or "careless" for one that waits for no disk. The log is tests.support.crash.watched_disk's.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.support.crash.watched_disk import WatchedDisk

from croupier.adapters.sqlite import store, wal
from croupier.adapters.sqlite.schema import open_writer
from croupier.config import load
from croupier.run import run

OFTEN_BYTES = 50 * 4096
"""So that the log is emptied into the database again and again."""


def careless(path: Path) -> sqlite3.Connection:
    connection = open_writer(path)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def main(log: Path, sync: str, flags: list[str]) -> int:
    disk = WatchedDisk(log)
    wal.CHECKPOINT_BYTES = OFTEN_BYTES  # type: ignore[misc]
    if sync == "careless":
        store.open_writer = careless  # type: ignore[attr-defined]
    names = [flag.removeprefix("--").replace("-", "_") for flag in flags[::2]]
    status = run(load(dict(zip(names, flags[1::2], strict=True))))
    del disk
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
