"""What `croupier doctor` looks at of the master key: whether a server would take it for this store. It makes none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from croupier.cli.problem import Problem
from croupier.config import Settings


class _OfStore(NamedTuple):
    """Whether a store holds what is sealed with its master key, and the key's mark, where it has one."""

    used: bool
    mark: bytes


def key_file(settings: Settings) -> str:
    """Whether there is the key that the store has, or one can be made."""
    from croupier.adapters import key_file as keys

    path = settings.key_path
    try:
        stated = keys.from_environment(os.environ)
        if stated is None and path.exists():
            keys.read(path)
    except keys.KeyFileError as failure:
        raise Problem(str(failure), "see there") from None
    of_store = _of_store(settings)
    if stated is None and not path.exists():
        if of_store.used:
            raise Problem(f"{path} is missing, but {settings.store_place} needs it", "put the key file back")
        must_take_files(path, "--key-file")
        return f"{path} will be made"
    try:
        key = keys.read(path) if stated is None else stated
        if of_store.mark:
            keys.must_be_of_store(keys.mark_of(key), of_store.mark, path, settings.store_place)
    except keys.KeyFileError as failure:
        raise Problem(str(failure), "see there") from None
    if stated is not None:
        return f"in {keys.MASTER_KEY_VARIABLE}"
    return f"{path}, mode {path.stat().st_mode & 0o777:04o}"


def must_take_files(path: Path, flag: str) -> Path:
    """The folder that a file would be made in, or the nearest above it; raises Problem where that is none to write."""
    directory = path.absolute().parent
    while not directory.exists():
        directory = directory.parent
    if not directory.is_dir():
        raise Problem(f"{directory} is no folder", f"choose another {flag}")
    if os.statvfs(directory).f_flag & os.ST_RDONLY:
        raise Problem(
            f"{directory} is on a disk that is read-only",
            f"choose another {flag}, or make that disk writable",
        )
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Problem(
            f"{directory} cannot be written by user {os.geteuid()}", f"choose another {flag}, or chown it"
        )
    return directory


def _of_store(settings: Settings) -> _OfStore:
    """As the server asks it. Raises Problem."""
    try:
        return (
            _of_file(settings.database) if settings.store_name == "sqlite" else _of_database(settings.store)
        )
    except RuntimeError as failure:
        raise Problem(
            f"whether the store has this key cannot be told: {failure}", "see store above"
        ) from None


def _of_file(database: Path) -> _OfStore:
    from croupier.adapters.sqlite.beforehand import key_mark

    return _OfStore(database.is_file() and database.stat().st_size > 0, key_mark(database))


def _of_database(dsn: str) -> _OfStore:
    import asyncio

    from croupier.adapters.postgres_opening import key_of

    return _OfStore(*asyncio.run(key_of(dsn)))
