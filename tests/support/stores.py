"""Both stores behind one opener, for tests of what every store promises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.fakes.memory_store import MemoryStore

from croupier.adapters.sqlite import SqliteStore
from croupier.room.ports import Store

STORES = ("sqlite", "memory")


@asynccontextmanager
async def opened(
    kind: str, directory: Path, before_commit: Callable[[], None] | None = None
) -> AsyncIterator[Store]:
    """A store of the kind, empty unless `directory` has been used before; closed at the end."""
    store: Store = (
        MemoryStore()
        if kind == "memory"
        else SqliteStore(directory / "store.db", before_commit=before_commit)
    )
    try:
        yield store
    finally:
        await store.close()
