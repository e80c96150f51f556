"""All stores behind one opener, for tests of what every store promises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.memory_store import MemoryStore
from tests.support.postgres import empty_database

from croupier.adapters.sqlite import SqliteStore
from croupier.room.ports import Store

STORES = ("sqlite", "postgres", "memory")


@asynccontextmanager
async def opened(
    kind: str, directory: Path, before_commit: Callable[[], None] | None = None
) -> AsyncIterator[Store]:
    """A store of the kind, empty unless `directory` has been used before by SQLite; closed at the end."""
    if kind == "postgres":
        from croupier.adapters.postgres import PostgresStore

        async with empty_database() as dsn:
            postgres = await PostgresStore.open(dsn, before_commit=before_commit)
            try:
                yield postgres
            finally:
                await postgres.close()
        return
    store: Store = (
        MemoryStore()
        if kind == "memory"
        else SqliteStore(directory / "store.db", before_commit=before_commit)
    )
    try:
        yield store
    finally:
        await store.close()
