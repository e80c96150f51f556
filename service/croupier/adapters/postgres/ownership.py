"""Who writes to the store: one row that says which owner, in which epoch, over which of its connections.

An owner's lease runs out by the database's clock unless it commits or renews; then another server may take over,
by one statement that counts up the epoch, its own and that of each open table. The row is updated by whatever
writes, so that an owner which was replaced writes nothing more, however late it wakes.
"""

from __future__ import annotations

import os
import secrets
import socket
from typing import Any, Final, NamedTuple

import asyncpg

from croupier.adapters.postgres.unusable import Replaced, StoreUnusable

LEASE_S: Final = 3.0

_TAKE: Final = """
WITH taken AS (
  UPDATE ownership SET owner_id = $1, epoch = epoch + 1, connection_number = 0, commits = 0,
                       expires = now() + $2 * INTERVAL '1 second'
  WHERE expires <= now() RETURNING epoch),
moved AS (UPDATE tables SET epoch = tables.epoch + 1 FROM taken WHERE NOT tables.closed)
SELECT epoch FROM taken"""
_HELD: Final = """
SELECT owner_id, epoch, CAST(extract(epoch FROM expires - clock_timestamp()) AS double precision)
FROM ownership"""
_CONNECTED: Final = """
UPDATE ownership SET connection_number = connection_number + 1, expires = now() + $1 * INTERVAL '1 second'
WHERE owner_id = $2 AND epoch = $3 RETURNING connection_number, commits"""
_GIVEN_BACK: Final = "UPDATE ownership SET expires = now() WHERE owner_id = $1 AND epoch = $2"


class Holder(NamedTuple):
    """Another owner, and for how many seconds it holds the store unless it renews."""

    owner_id: str
    seconds: float


class Ownership:
    """This server's claim: taken once, proven by every statement that writes."""

    def __init__(self, lease_s: float = LEASE_S) -> None:
        self.lease_s = lease_s
        self.owner_id = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"
        self.epoch = 0
        self.commits = 0
        self._connection = 0

    async def take(self, connection: asyncpg.Connection[Any]) -> Holder | None:
        """Become the owner, unless the lease of another runs: None, or that other."""
        epoch = await connection.fetchval(_TAKE, self.owner_id, self.lease_s)
        if epoch is not None:
            self.epoch = epoch
            await self.connected(connection)
            return None
        row = await connection.fetchrow(_HELD)
        if row is None:
            raise StoreUnusable("the database has no row of its owner")
        if row[0] == self.owner_id:
            self.epoch = row[1]  # the answer to an earlier try was lost
            await self.connected(connection)
            return None
        return Holder(row[0], row[2])

    async def connected(self, connection: asyncpg.Connection[Any]) -> bool:
        """Write over this connection from now on, and no longer over an earlier one.

        What an earlier one still had under way is in the store now, or never will be; whether it is, is returned.
        Raises Replaced.
        """
        row = await connection.fetchrow(_CONNECTED, self.lease_s, self.owner_id, self.epoch)
        if row is None:
            raise Replaced(await self.told(connection))
        landed: bool = row[1] > self.commits
        self._connection, self.commits = row
        return landed

    async def give_back(self, connection: asyncpg.Connection[Any]) -> None:
        """Let the next owner take over at once."""
        await connection.execute(_GIVEN_BACK, self.owner_id, self.epoch)

    def proof(self) -> tuple[float, str, int, int, int]:
        """The parameters by which a statement that writes says whose it is."""
        return self.lease_s, self.owner_id, self.epoch, self._connection, self.commits

    async def told(self, connection: asyncpg.Connection[Any]) -> str:
        """Who has the store, for the log."""
        row = await connection.fetchrow(_HELD)
        owner, epoch = (row[0], row[1]) if row else ("nobody", 0)
        return (
            f"the store was taken over by {owner} in epoch {epoch}, after this server's lease of"
            f" {self.lease_s:g} s in epoch {self.epoch} had run out"
        )


async def holder_now(connection: asyncpg.Connection[Any]) -> Holder | None:
    """Who has the store, unless nobody has or the lease has run out."""
    row = await connection.fetchrow(_HELD)
    return Holder(row[0], row[2]) if row and row[2] > 0 else None
