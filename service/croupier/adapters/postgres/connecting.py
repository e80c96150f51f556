"""How a connection to the database is made, and what can go wrong in it. Runs no statement of the store's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import asyncpg

from croupier.adapters.postgres.unusable import StoreUnusable

if TYPE_CHECKING:
    Reading: TypeAlias = asyncpg.pool.PoolConnectionProxy[Any]
else:
    Reading = asyncpg.pool.PoolConnectionProxy

CONNECT_S: Final = 5.0
"""How long one try to connect may take."""
STATEMENT_S: Final = 30.0
"""After so long a statement that is not answered counts as lost with its connection."""

LOST: Final = (
    OSError,
    EOFError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)
"""What a connection that is gone, or cannot be made, raises."""

_SETTINGS: Final = {
    "application_name": "croupier",
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "10s",
}


@contextmanager
def usable() -> Iterator[None]:
    """Raises StoreUnusable in place of what a database comes to that is not there, or does not let itself be used."""
    try:
        yield
    except (*LOST, ValueError) as failure:
        why = f"the database cannot be reached: {_told(failure)}; see whether it runs, and --store"
        raise StoreUnusable(why) from failure
    except asyncpg.PostgresError as failure:
        raise StoreUnusable(f"the database cannot be used: {failure}") from failure


def _told(failure: BaseException) -> str:
    """Without a number that means nothing to who reads it."""
    if isinstance(failure, OSError) and failure.errno:
        return os.strerror(failure.errno) if failure.errno > 0 else str(failure.strerror)
    if isinstance(failure, TimeoutError):
        return f"no answer within {CONNECT_S:.0f} s"
    return str(failure) or repr(failure)


async def connect(dsn: str) -> asyncpg.Connection[Any]:
    """A connection whose commits are durable when they are answered. Raises one of LOST, PostgresError."""
    connection = await asyncpg.connect(
        dsn, timeout=CONNECT_S, command_timeout=STATEMENT_S, server_settings=dict(_SETTINGS)
    )
    await make_durable(connection)
    return connection


async def make_durable(connection: asyncpg.Connection[Any]) -> None:
    """Undo a server's or a role's setting by which commits are answered before they are on disk."""
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit', true) = 'off'",
        timeout=CONNECT_S,
    )


def readers(dsn: str, most: int) -> asyncpg.Pool[Any]:
    """Connections to read by; made as they are needed."""
    return asyncpg.create_pool(
        dsn,
        min_size=0,
        max_size=most,
        timeout=CONNECT_S,
        command_timeout=STATEMENT_S,
        server_settings={**_SETTINGS, "default_transaction_read_only": "on"},
    )
