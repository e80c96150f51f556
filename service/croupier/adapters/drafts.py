"""Files that are whole or not there: written under a name that is nobody else's, then given their own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def draft(path: Path, content: bytes, mode: int) -> Iterator[Path]:
    """The content in a file beside `path`, safe on the disk, to be linked or renamed there; what is left of it is
    removed. Raises OSError.
    """
    name = path.with_name(f".{path.name}.{secrets.token_hex(8)}.draft")
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
            yield name
    finally:
        name.unlink(missing_ok=True)


def settle(path: Path) -> None:
    """Make the name that a file was given last as safe as what is in it. Raises OSError."""
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def clear(path: Path) -> None:
    """Remove the drafts for `path` that a process which was killed has left; those being written stay."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.draft")
    with contextlib.suppress(OSError):
        for left in [entry for entry in path.parent.iterdir() if name.fullmatch(entry.name)]:
            _remove(left)


def _remove(left: Path) -> None:
    """Unless the lock of who writes it is on it."""
    descriptor = os.open(left, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        left.unlink(missing_ok=True)
    except BlockingIOError:
        return
    finally:
        os.close(descriptor)
