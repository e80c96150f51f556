"""Holding a server's commits open, from another process: both sides of a directory of small files.

A file named for a point of a commit holds the server there; it holds a number, of the commits that pass first.
The file `failing` makes one commit fail, and is gone then.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Final, Literal

Point = Literal["open", "told"]
"""`open`: everything is written but the COMMIT. `told`: it is on disk, and nobody has been told."""

_POLL_SECONDS: Final = 0.001


class Hold:
    """The test's side."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory: Final = directory
        self._held = directory / "held"

    def shut(self, point: Point = "open", *, after: int = 0) -> None:
        """Hold the next commit there, or the one after so many others."""
        self._held.unlink(missing_ok=True)
        _write(self.directory / point, after)

    def held(self) -> bool:
        """Whether a commit is being held."""
        return self._held.exists()

    def wait(self, seconds: float = 10.0) -> None:
        """Return once a commit is held; raises TimeoutError where none comes."""
        deadline = time.monotonic() + seconds
        while not self.held():
            if time.monotonic() > deadline:
                raise TimeoutError("no commit came to be held")
            time.sleep(_POLL_SECONDS)

    def open(self) -> None:
        """Let commits through; one that is held fails where `fail` asked for it."""
        for point in ("open", "told"):
            (self.directory / point).unlink(missing_ok=True)

    def fail(self) -> None:
        """Make the next commit fail as on a broken disk, or the one that is held."""
        (self.directory / "failing").touch()


class Gate:
    """The server's side; called in the store's writer thread."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def before_commit(self) -> None:
        """Between a transaction's last statement and its COMMIT."""
        self.pass_by("open")
        failing = self._directory / "failing"
        if failing.exists():
            failing.unlink()
            raise sqlite3.OperationalError("disk I/O error, on purpose")

    def pass_by(self, point: Point) -> None:
        """Wait as long as this point is shut."""
        shut = self._directory / point
        passing = _read(shut)
        if passing:
            _write(shut, passing - 1)
        elif passing == 0:
            (self._directory / "held").touch()
            while shut.exists():
                time.sleep(_POLL_SECONDS)


def _write(path: Path, number: int) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(str(number))
    draft.rename(path)


def _read(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except FileNotFoundError:
        return None
