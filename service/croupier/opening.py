"""The store that the settings name, opened, with the master key of its sealed decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from croupier.adapters import key_file
from croupier.adapters.metrics import Metrics
from croupier.adapters.sqlite.schema import refuse_other_files
from croupier.adapters.sqlite.store import SqliteStore
from croupier.config import Settings
from croupier.room.ports import Store


class Opened(NamedTuple):
    """`trouble` says why nothing can be written just now, empty while it can; `wal_bytes` is SQLite's alone.

    `lapsed`: whether another server may have the store by now, or some of its tables; None where none can.
    """

    store: Store
    master_key: bytes
    wal_bytes: Callable[[], int]
    trouble: Callable[[], str]
    lapsed: Callable[[], bool] | None = None


async def open_store(
    settings: Settings,
    metrics: Metrics,
    before_commit: Callable[[], None] | None,
    *,
    waiting: Callable[[str, float], None],
    replaced: Callable[[str], None],
) -> Opened:
    """Once it is this server's, or shared with others. `waiting` and `replaced` as PostgresStore.open has them."""
    if settings.store_name == "sqlite":
        refuse_other_files(settings.database)
        master_key = key_file.read_or_make(settings.key_path, settings.database)
        sqlite = SqliteStore(settings.database, observer=metrics, before_commit=before_commit)
        try:
            mark = key_file.mark_of(master_key)
            key_file.must_be_of_store(mark, sqlite.key_mark(mark), settings.key_path, str(settings.database))
        except BaseException:
            await sqlite.close()
            raise
        return Opened(sqlite, master_key, lambda: sqlite.wal_bytes, sqlite.trouble)
    # Left out where no PostgreSQL is used: its driver need not be installed, and is megabytes of memory.
    from croupier.adapters.postgres_opening import PostgresOpening

    opening = PostgresOpening(settings.store, settings.store_place, settings.key_path)
    master_key = await opening.master_key()
    postgres = await opening.store(
        observer=metrics,
        before_commit=before_commit,
        waiting=waiting,
        replaced=replaced,
        address=settings.advertised if settings.bus else "",
    )
    return Opened(postgres, master_key, int, lambda: postgres.trouble, postgres.lapsed)
