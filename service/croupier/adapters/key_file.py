"""The master key's file: read, or made from the operating system's entropy where the store is new.

What is sealed with the key is the room's business.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from croupier.adapters import drafts

KEY_BYTES: Final = 32
MASTER_KEY_VARIABLE: Final = "CROUPIER_MASTER_KEY"
"""Where the environment has the key, no file is looked for; it is no flag, which others could read."""


class KeyFileError(RuntimeError):
    """Raised for a key file that cannot be used, with what to do about it."""


def from_environment(environment: Mapping[str, str]) -> bytes | None:
    """The master key in MASTER_KEY_VARIABLE; None where that is not set. Raises KeyFileError."""
    text = environment.get(MASTER_KEY_VARIABLE)
    return None if text is None else _parsed(text, MASTER_KEY_VARIABLE)


def read_or_make(path: Path, database: Path) -> bytes:
    """The master key. It is made, with mode 0600, only where neither it nor the database is there yet."""
    used = database.exists() and database.stat().st_size > 0
    return read_or_make_for(path, str(database) if used else "")


def read_or_make_for(path: Path, used_store: str) -> bytes:
    """The master key. It is made, with mode 0600, only where it is missing and no store in use is named.

    Where the environment has it, that holds.
    """
    stated = from_environment(os.environ)
    if stated is not None:
        return stated
    if not path.exists():
        if used_store:
            raise KeyFileError(
                f"{path} is missing, but {used_store} holds cards sealed with it: put the key file back, "
                "or choose another --store"
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _make(path)
        except OSError as error:
            raise KeyFileError(
                f"the key file {path} cannot be made: {error.strerror}; its folder must be one that "
                f"user {os.geteuid()} may write to: choose another with --store or --key-file"
            ) from error
    key = read(path)
    drafts.clear(path)
    return key


def mark_of(key: bytes) -> bytes:
    """What a store keeps to know its master key again: it tells nothing of the key."""
    return hmac.digest(key, b"croupier: mark of the master key", hashlib.sha256)


def must_be_of_store(mark: bytes, stores: bytes, path: Path, store: str) -> None:
    """Raises KeyFileError where the key with this mark is not the one that the store has the mark of."""
    if not hmac.compare_digest(mark, stores):
        where = path if from_environment(os.environ) is None else MASTER_KEY_VARIABLE
        raise KeyFileError(
            f"{where} is not the master key of {store}, which has cards sealed with another: "
            "all servers of a store need the same one; put that in its place"
        )


def read(path: Path) -> bytes:
    """The master key. Raises KeyFileError where it is missing, malformed or open to others."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            text = file.read(4 * KEY_BYTES)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}; see --key-file") from error
    if mode & 0o007:
        raise KeyFileError(f"{path} has mode {mode:04o}, open to every user: run chmod 600 {path}")
    return _parsed(text.decode("ascii", "replace"), f"{path} is no key file: it")


def _parsed(text: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise KeyFileError(f"{where} must hold {2 * KEY_BYTES} hexadecimal digits")
    return key


def _make(path: Path) -> None:
    """Write the file whole before it gets its name; one made meanwhile by another process stays."""
    key = os.urandom(KEY_BYTES).hex().encode("ascii") + b"\n"
    with drafts.draft(path, key, 0o600) as draft, contextlib.suppress(FileExistsError):
        os.link(draft, path)
    drafts.settle(path)
