"""What a database is asked before a store is opened on it: what is in it, of which version, with which key."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import connect, usable
from croupier.adapters.postgres.own_node import holders_now
from croupier.adapters.postgres.schema import VERSION, prepare, version_of
from croupier.adapters.postgres.unusable import NO_OWNER_ROW, StoreUnusable

_IN_USE: Final = (
    "SELECT EXISTS (SELECT FROM tables) OR EXISTS (SELECT FROM ownership WHERE key_mark IS NOT NULL)"
)

_MARK_OF_ANY_VERSION: Final = "SELECT to_jsonb(ownership) ->> 'key_mark' FROM ownership"
"""As text; NULL for versions without the column too."""


async def in_use(dsn: str) -> bool:
    """Whether the database has a master key, or had tables; it is migrated where it needs it."""
    connection = await prepared(dsn)
    try:
        return bool(await connection.fetchval(_IN_USE))
    finally:
        await connection.close()


async def key_mark(dsn: str, mark: bytes) -> bytes:
    """The mark of the database's master key: this one from now on, where it has none."""
    connection = await prepared(dsn)
    try:
        await connection.execute("UPDATE ownership SET key_mark = $1 WHERE key_mark IS NULL", mark)
        return bytes(await connection.fetchval("SELECT key_mark FROM ownership"))
    finally:
        await connection.close()


async def key_of(dsn: str) -> tuple[bool, bytes]:
    """As `in_use`, and the mark of the master key, empty where there is none, of a database of any version, which is
    left as it is.
    """
    with usable():
        connection = await connect(dsn)
        try:
            if await version_of(connection) is None:
                return False, b""
            had_tables = bool(await connection.fetchval("SELECT EXISTS (SELECT FROM tables)"))
            mark = await connection.fetchval(_MARK_OF_ANY_VERSION)
            return had_tables or mark is not None, bytes.fromhex((mark or "").removeprefix("\\x"))
        finally:
            await connection.close()


async def looked_at(dsn: str) -> tuple[str, str]:
    """The version that a database has, empty where it has none, and who has the store, empty for nobody."""
    with usable():
        connection = await connect(dsn)
        try:
            version = await version_of(connection)
            if version == VERSION:
                await _must_have_owner_row(connection)
            holders = await holders_now(connection) if version == VERSION else []
            return version or "", ", ".join(holders)
        finally:
            await connection.close()


async def room_of(dsn: str) -> str:
    """The name of the room that a database is of, empty where it has none yet."""
    with usable():
        connection = await connect(dsn)
        try:
            known = await version_of(connection) == VERSION
            return str(await connection.fetchval("SELECT room FROM ownership") or "") if known else ""
        finally:
            await connection.close()


async def prepared(dsn: str) -> asyncpg.Connection[Any]:
    """A connection to the database, which is migrated where it needs it. Raises StoreUnusable, SchemaTooNew."""
    with usable():
        await prepare(dsn)
        connection = await connect(dsn)
        try:
            await _must_have_owner_row(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection


async def _must_have_owner_row(connection: asyncpg.Connection[Any]) -> None:
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM ownership)"):
        raise StoreUnusable(NO_OWNER_ROW)
