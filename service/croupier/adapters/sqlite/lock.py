"""The lock that gives a database file one owner. What the owner does with the file is not its business."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class StoreLocked(RuntimeError):
    """Raised when another store, of this process or another, has the file open."""


class FileLock:
    """Held from construction to `release`, or to the end of the process however it ends.

    The lock is `flock` on a file beside the database (SQLite's own locks on the database itself would be
    lost with any descriptor of it that closes). It binds root as well, and names the holder's process.
    """

    def __init__(self, database: Path) -> None:
        self._descriptor = os.open(_file(database), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _process(self._descriptor)
            os.close(self._descriptor)
            raise StoreLocked(f"{database} is in use by process {holder}") from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        os.close(self._descriptor)


def holder_of(database: Path) -> str:
    """The process that has the lock, or "unknown"; empty where nobody has it. Nothing is made or changed."""
    try:
        descriptor = os.open(_file(Path(os.path.realpath(database))), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _process(descriptor)
    finally:
        os.close(descriptor)
    return ""


def _file(database: Path) -> str:
    return f"{database}-lock"


def _process(descriptor: int) -> str:
    """What the holder wrote."""
    return os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
