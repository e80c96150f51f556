"""Opening a PostgreSQL store for a server: what it needs that may not be installed, and its master key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.adapters import key_file
from croupier.adapters.units.queue import CommitObserver

if TYPE_CHECKING:
    from croupier.adapters.postgres import PostgresStore


class DriverMissing(RuntimeError):
    """Raised where what a PostgreSQL store needs is not installed, with what to do about it."""


class PostgresOpening:
    """A database by its DSN; `place` names it without a password."""

    def __init__(self, dsn: str, place: str, key_path: Path) -> None:
        self._dsn = dsn
        self._place = place
        self._key_path = key_path
        _must_be_installed()

    async def master_key(self) -> bytes:
        """The master key; made where the database has none yet. Raises KeyFileError where it has another."""
        from croupier.adapters.postgres import in_use, key_mark

        used = await in_use(self._dsn)
        key = key_file.read_or_make_for(self._key_path, self._place if used else "")
        mark = key_file.mark_of(key)
        key_file.must_be_of_store(mark, await key_mark(self._dsn, mark), self._key_path, self._place)
        return key

    async def store(
        self,
        *,
        observer: CommitObserver,
        before_commit: Callable[[], None] | None,
        waiting: Callable[[str, float], None],
        replaced: Callable[[str], None],
        address: str = "",
    ) -> PostgresStore:
        """The store, once this server owns it; `waiting` is told of an owner and what is left of its lease.

        With an `address`, that at which the others reach this server, it is shared with them.
        """
        from croupier.adapters.postgres import PostgresStore

        return await PostgresStore.open(
            self._dsn,
            shared=bool(address),
            address=address,
            observer=observer,
            before_commit=before_commit,
            waiting=lambda holder: waiting(holder.owner_id, holder.seconds),
            replaced=replaced,
        )


async def look(dsn: str) -> tuple[str, str]:
    """The schema version that a database has, empty where it has none, and who has the store, empty for nobody.

    Changes nothing. Raises DriverMissing, StoreUnusable.
    """
    _must_be_installed()
    from croupier.adapters.postgres import looked_at

    return await looked_at(dsn)


async def key_of(dsn: str) -> tuple[bool, bytes]:
    """Whether a database needs a master key that there was, and that one's mark, empty where it has none.

    Changes nothing. Raises DriverMissing, StoreUnusable.
    """
    _must_be_installed()
    from croupier.adapters.postgres import key_of as found

    return await found(dsn)


async def room_of(dsn: str) -> str:
    """The name of a database's room, empty where it has none yet. Raises DriverMissing, StoreUnusable."""
    _must_be_installed()
    from croupier.adapters.postgres import room_of as found

    return await found(dsn)


def _must_be_installed() -> None:
    try:
        import asyncpg  # noqa: F401
    except ImportError as missing:
        raise DriverMissing(
            f"PostgreSQL needs {missing.name}, which is not installed: run pip install 'croupier[postgres]'"
        ) from missing
