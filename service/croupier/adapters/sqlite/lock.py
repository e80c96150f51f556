"""The lock that gives a database file one owner. What the owner does with the file is not its business."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class StoreLocked(RuntimeError):
    """Raised when another store, of this process or another, has the file open."""


class FileLock:
    """Held from construction to `release`, or to the end of the process however it ends.

    The lock is `flock` on a file beside the database, which names the holder's process, and on the database, which
    may have other names (hard links). It binds root as well. SQLite's own locks on the database are lost with any
    descriptor of it that closes: it is to be closed before `release`.
    """

    def __init__(self, database: Path) -> None:
        """Makes the database's file where there is none."""
        self._descriptor = _opened(_file(database))
        if not _taken(self._descriptor):
            holder = _process(self._descriptor)
            os.close(self._descriptor)
            raise StoreLocked(f"{database} is in use by process {holder}")
        self._database = _opened(str(database))
        if not _taken(self._database):
            self.release()
            raise StoreLocked(
                f"{database} is in use by another process, under another name or without its {_file(database)}"
            )
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        os.close(self._database)
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


def _opened(file: str) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _file(database: Path) -> str:
    return f"{database}-lock"


def _process(descriptor: int) -> str:
    """What the holder wrote."""
    return os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
