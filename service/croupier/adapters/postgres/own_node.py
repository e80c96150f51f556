"""A server's place in the store: a row that says which node, in which epoch, over which of its connections.

A node's lease runs out by the database's clock unless it commits or renews; then another may declare it dead. The
row is updated by whatever writes, so that a node which is dead writes nothing more, however late it wakes; one that
nobody has declared dead goes on.

An exclusive node has the whole store: it joins once no other node's lease runs, and takes every open table, whose
epochs it counts up. Shared ones join beside each other, and take none yet. Who joins does so by one statement, and
those who join at the same time are told apart by the epoch of the one row of `ownership`; servers from before there
were nodes hold that row itself by a lease.
"""

from __future__ import annotations

import os
import secrets
import socket
from typing import Any, Final, NamedTuple

import asyncpg

from croupier.adapters.postgres.unusable import NO_OWNER_ROW, Replaced, StoreUnusable

LEASE_S: Final = 3.0
SHARED_LEASE_S: Final = 2.5
"""Of servers that share a store, whose tables are to go on within 5 s: a renewal is sent at most 0.63 s after what was
written last, so that it may come 1.8 s late.
"""

_STANDS: Final = """
SELECT ownership.epoch, room, nodes.epoch
FROM ownership LEFT JOIN nodes ON node_id = $1 AND NOT dead"""
# Those that must be gone are all others, or exclusive ones alone; all whose lease has run out are to be locked, and
# are judged again then, since one may renew meanwhile.
_JOIN: Final = """
WITH others AS (
  SELECT node_id, expires > now() AS running FROM nodes
  WHERE NOT dead AND node_id <> $1 AND NOT (shared AND $4)),
gone AS (
  UPDATE nodes SET dead = true
  WHERE node_id IN (SELECT node_id FROM others) AND NOT dead AND expires <= now()
    AND NOT EXISTS (SELECT FROM others WHERE running)
  RETURNING node_id),
joined AS (
  UPDATE ownership SET owner_id = $1, epoch = epoch + 1, expires = now()
  WHERE epoch = $3 AND expires <= now() AND (SELECT count(*) FROM others) = (SELECT count(*) FROM gone)
  RETURNING epoch),
forgotten AS (
  DELETE FROM nodes USING joined
  WHERE nodes.expires < now() - INTERVAL '1 day' AND nodes.node_id NOT IN (SELECT node_id FROM others)),
entered AS (
  INSERT INTO nodes (node_id, address, epoch, connection_number, commits, unbroken_since, expires, shared,
                     serving, dead)
  SELECT $1, $5, epoch, 0, 0, now(), now() + $2 * INTERVAL '1 second', $4, false, false FROM joined),
moved AS (
  UPDATE tables SET owner = $1, epoch = tables.epoch + 1 FROM joined WHERE NOT tables.closed AND NOT $4)
SELECT epoch FROM joined"""
_HOLDERS: Final = """
SELECT node_id, CAST(extract(epoch FROM expires - clock_timestamp()) AS double precision)
FROM (SELECT owner_id AS node_id, expires FROM ownership
      UNION ALL SELECT node_id, expires FROM nodes
      WHERE NOT dead AND node_id <> $1 AND NOT (shared AND $2)) AS holders
ORDER BY expires DESC"""
_CONNECTED: Final = """
UPDATE nodes SET connection_number = connection_number + 1, expires = now() + $1 * INTERVAL '1 second',
                 unbroken_since = CASE WHEN expires > now() THEN unbroken_since ELSE now() END
WHERE node_id = $2 AND epoch = $3 AND NOT dead RETURNING connection_number, commits"""
_SERVING: Final = (
    "UPDATE nodes SET serving = $3 WHERE node_id = $1 AND epoch = $2 AND NOT dead RETURNING epoch"
)
_LOG_READ: Final = (
    "UPDATE nodes SET log_read = $3 WHERE node_id = $1 AND epoch = $2 AND NOT dead RETURNING epoch"
)
_GIVEN_BACK: Final = (
    "UPDATE nodes SET expires = now(), serving = false, dead = true WHERE node_id = $1 AND epoch = $2"
)
_LAST: Final = "SELECT owner_id, epoch FROM ownership"


class Holder(NamedTuple):
    """Another node, and for how many seconds it keeps this one waiting unless it renews."""

    owner_id: str
    seconds: float


class OwnNode:
    """This server's own row of `nodes`: joined once, proven by every statement that writes."""

    def __init__(self, lease_s: float, *, shared: bool = False, address: str = "") -> None:
        self.lease_s = lease_s
        self.shared = shared
        self.node_id = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"
        self.epoch = 0
        self.room = ""
        """The store's own name, under which its nodes find each other elsewhere."""
        self.commits = 0
        self._address = address
        self._connection = 0

    async def join(self, connection: asyncpg.Connection[Any]) -> Holder | None:
        """Become a node, unless the lease of another stands against it: None, or that other."""
        row = await connection.fetchrow(_STANDS, self.node_id)
        if row is None:
            raise StoreUnusable(NO_OWNER_ROW)
        known, self.room, own = row
        if own is None:
            own = await connection.fetchval(
                _JOIN, self.node_id, self.lease_s, known, self.shared, self._address
            )
        if own is not None:  # now, or by an earlier try whose answer was lost
            self.epoch = own
            await self.connected(connection)
            return None
        holders = await connection.fetch(_HOLDERS, self.node_id, self.shared)
        return Holder(*holders[0])

    async def connected(self, connection: asyncpg.Connection[Any]) -> bool:
        """Write over this connection from now on, and no longer over an earlier one.

        What an earlier one still had under way is in the store now, or never will be; whether it is, is returned.
        Raises Replaced.
        """
        row = await connection.fetchrow(_CONNECTED, self.lease_s, self.node_id, self.epoch)
        if row is None:
            raise Replaced(await self.told(connection))
        landed: bool = row[1] > self.commits
        self._connection, self.commits = row
        return landed

    async def set_serving(self, connection: asyncpg.Connection[Any], serving: bool) -> None:
        """Say whether this node takes tables. Raises Replaced."""
        if await connection.fetchval(_SERVING, self.node_id, self.epoch, serving) is None:
            raise Replaced(await self.told(connection))

    async def log_read(self, connection: asyncpg.Connection[Any], number: int) -> None:
        """Note how far this node knows the operator log. Raises Replaced."""
        if await connection.fetchval(_LOG_READ, self.node_id, self.epoch, number) is None:
            raise Replaced(await self.told(connection))

    async def give_back(self, connection: asyncpg.Connection[Any]) -> None:
        """Let others go on at once."""
        await connection.execute(_GIVEN_BACK, self.node_id, self.epoch)

    def proof(self) -> tuple[float, str, int, int, int]:
        """The parameters by which a statement that writes says whose it is."""
        return self.lease_s, self.node_id, self.epoch, self._connection, self.commits

    async def told(self, connection: asyncpg.Connection[Any]) -> str:
        """Why this node writes no more, for the log."""
        ran_out = f"after this server's lease of {self.lease_s:g} s in epoch {self.epoch} had run out"
        if self.shared:
            return f"this server was declared dead by another, {ran_out}"
        row = await connection.fetchrow(_LAST)
        owner, epoch = (row[0], row[1]) if row else ("nobody", 0)
        return f"the store was taken over by {owner} in epoch {epoch}, {ran_out}"


async def holders_now(connection: asyncpg.Connection[Any]) -> list[str]:
    """The nodes whose lease runs, by their names."""
    return sorted(name for name, seconds in await connection.fetch(_HOLDERS, "", False) if seconds > 0)
