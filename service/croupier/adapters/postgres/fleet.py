"""Nodes and owners in the database: read by whoever looks, changed by the node concerned. Decides nothing.

A claim is two statements. The first declares owners dead whose lease has run out: nothing of theirs is under way
then, since what writes holds the row of its node. The second takes the tables of the dead. A node whose own lease
was broken does the first only once it has run a whole lease again, so that after an outage of the database, by which
all leases run out, everyone has had the time to come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.ownership import Ownership
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored, told
from croupier.room.cluster_ports import Node, Owner

CLAIMED: Final = Part(
    "claimed",
    columns("table_id text"),
    """
  UPDATE tables SET owner = free.node_id, epoch = tables.epoch + 1
  FROM (
    SELECT tables.table_key, tables.epoch, owner.node_id
    FROM {rows} JOIN tables ON tables.table_id = r.table_id
    WHERE NOT tables.closed
      AND NOT EXISTS (SELECT FROM nodes WHERE nodes.node_id = tables.owner AND NOT nodes.dead)
    ORDER BY tables.table_key FOR UPDATE OF tables) AS free
  WHERE tables.table_key = free.table_key AND tables.epoch = free.epoch AND NOT tables.closed""",
)
HANDED_OVER: Final = Part(
    "handed_over",
    columns("table_id text, to_node text"),
    """
  UPDATE tables SET owner = r.to_node, epoch = tables.epoch + 1
  FROM {rows}
  WHERE tables.table_id = r.table_id AND tables.owner = owner.node_id AND NOT tables.closed
    AND (r.to_node = '' OR r.to_node IN (
      SELECT nodes.node_id FROM nodes WHERE nodes.serving AND NOT nodes.dead AND nodes.expires > now()))""",
)
_DECLARE_DEAD: Final = """
WITH gone AS (
  SELECT nodes.node_id FROM nodes
  WHERE nodes.node_id IN (SELECT owner FROM tables WHERE table_id = ANY ($3::text[]) AND NOT closed)
    AND NOT dead AND expires <= now() AND nodes.node_id <> $1
    AND EXISTS (SELECT FROM nodes AS own WHERE own.node_id = $1 AND NOT own.dead AND own.expires > now()
                AND own.unbroken_since <= now() - $2 * INTERVAL '1 second')
  ORDER BY nodes.node_id FOR UPDATE OF nodes)
UPDATE nodes SET dead = true FROM gone WHERE nodes.node_id = gone.node_id AND nodes.expires <= now()"""
_OURS: Final = "SELECT table_id FROM tables WHERE table_id = ANY ($2::text[]) AND owner = $1 AND NOT closed"
_RUNNING: Final = "NOT nodes.dead AND nodes.expires > now()"
_NODES: Final = f"""
SELECT node_id, address, serving FROM nodes
WHERE {_RUNNING} OR (node_id = $1 AND NOT dead) ORDER BY node_id COLLATE "C\""""
_OWNERS: Final = f"""
SELECT table_id, coalesce(nodes.node_id, '') FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE NOT closed"""
_OWNER: Final = f"""
SELECT closed, nodes.node_id, address, serving FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE table_id = $1"""
_OWNED: Final = "SELECT table_id FROM tables WHERE owner = $1 AND NOT closed"
_ORPHANS: Final = f"""
SELECT table_id FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE NOT closed AND nodes.node_id IS NULL"""


async def declare_dead(connection: asyncpg.Connection[Any], own: Ownership, table_ids: Sequence[str]) -> None:
    """Owners of the tables whose lease has run out write nothing more."""
    await connection.execute(_DECLARE_DEAD, own.node_id, own.lease_s, list(map(stored, table_ids)))


async def ours(connection: asyncpg.Connection[Any], node_id: str, table_ids: Sequence[str]) -> set[str]:
    """Which of the tables, open ones, are the node's."""
    names = {stored(table_id): table_id for table_id in table_ids}
    return {names[row[0]] for row in await connection.fetch(_OURS, node_id, list(names))}


async def nodes(connection: Reading, node_id: str) -> list[Node]:
    return [Node(*row) for row in await connection.fetch(_NODES, node_id)]


async def owners(connection: Reading) -> dict[str, str]:
    return {told(row[0]): row[1] for row in await connection.fetch(_OWNERS)}


async def owner(connection: Reading, table_id: str) -> Owner:
    row = await connection.fetchrow(_OWNER, stored(table_id))
    if row is None or row[0]:
        return Owner(None, open=False)
    return Owner(None if row[1] is None else Node(*row[1:]), open=True)


async def owned(connection: Reading, node_id: str) -> list[str]:
    return [told(row[0]) for row in await connection.fetch(_OWNED, node_id)]


async def orphans(connection: Reading) -> list[str]:
    return [told(row[0]) for row in await connection.fetch(_ORPHANS)]
