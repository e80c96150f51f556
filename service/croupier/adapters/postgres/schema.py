"""Whether the database has the schema that this version of the service works with, and bringing it there."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import connect
from croupier.adapters.postgres.unusable import SchemaTooNew, StoreUnusable

VERSION: Final = "0007"
"""The newest version under migrations/versions/."""

_TRIES: Final = 5
_PAUSE_S: Final = 0.5
_THERE: Final = "SELECT to_regclass('alembic_version') IS NOT NULL"
_AT: Final = "SELECT version_num FROM alembic_version"


async def prepare(dsn: str) -> None:
    """Bring the database to VERSION where it is not there yet. Raises SchemaTooNew, StoreUnusable.

    Servers that start at once may both try: a migration is one transaction, and who loses finds it done.
    """
    for left in reversed(range(_TRIES)):
        version = await _version(dsn)
        if version == VERSION:
            return
        if version is not None and version > VERSION:
            raise SchemaTooNew(
                f"the database has version {version}; this version of croupier reads up to {VERSION}"
            )
        try:
            await _migrate(dsn)
        except Exception as failure:
            if not left:
                raise StoreUnusable(f"the database cannot be migrated: {failure}") from failure
            await asyncio.sleep(_PAUSE_S)


async def must_be_current(connection: asyncpg.Connection[Any]) -> None:
    """Raises StoreUnusable, SchemaTooNew unless the database has VERSION."""
    version = await version_of(connection)
    if version is None:
        raise StoreUnusable("the database holds no store")
    if version != VERSION:
        kind = SchemaTooNew if version > VERSION else StoreUnusable
        raise kind(f"the database has version {version}; this version of croupier reads {VERSION}")


async def version_of(connection: asyncpg.Connection[Any]) -> str | None:
    """The version that the database has; None for one that has none."""
    if not await connection.fetchval(_THERE):
        return None
    version: str | None = await connection.fetchval(_AT)
    return version


async def _version(dsn: str) -> str | None:
    connection = await connect(dsn)
    try:
        return await version_of(connection)
    except asyncpg.PostgresError as failure:
        raise StoreUnusable(f"the database cannot be used: {failure}") from failure
    finally:
        await connection.close()


async def _migrate(dsn: str) -> None:
    """Imports what only a migration needs: a server that has nothing to migrate does without."""
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn), poolclass=NullPool
    )
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_upgrade)
    finally:
        await engine.dispose()


def _upgrade(connection: Any) -> None:
    from alembic import command

    config = configuration()
    config.attributes["connection"] = connection
    command.upgrade(config, VERSION)


def configuration() -> Any:
    """Alembic's, for the migrations that come with the package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "croupier.adapters.postgres:migrations")
    config.set_main_option("path_separator", "os")
    return config
