"""Files of credentials: what they hold, and whether they have changed. What is in them never leaves in an error."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_MOST_BYTES: Final = 1024 * 1024

Mark = tuple[tuple[int, int, int], ...]


class CredentialsFileError(RuntimeError):
    """Raised for a file that cannot be used, with what to do about it."""


def mark(*paths: Path) -> Mark:
    """What tells this state of the files from any other; a file that is not there counts too."""
    return tuple(_mark(path) for path in paths)


def _mark(path: Path) -> tuple[int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def read(path: Path, option: str, *, secret: bool = False) -> bytes:
    """The file that an option names, whole.

    Raises CredentialsFileError where it cannot be read, or is a secret that is open to others.
    """
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            content = file.read(_MOST_BYTES)
    except OSError as error:
        raise CredentialsFileError(f"{path} cannot be read: {error.strerror}; see {option}") from error
    if secret and mode & 0o007:
        raise CredentialsFileError(f"{path} has mode {mode:04o}, open to every user: run chmod 600 {path}")
    return content
