"""Nodes and owners in the database: read by whoever looks, changed by the node concerned. Decides nothing.

A claim is two statements. The first declares owners dead whose lease has run out: nothing of theirs is under way
then, since what writes holds the row of its node. The second takes the tables of the dead. A node whose own lease
was broken does the first only once it has run a whole lease again, so that after an outage of the database, by which
all leases run out, everyone has had the time to come back.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres.connecting import Reading
from croupier.adapters.postgres.figures import Figures
from croupier.adapters.postgres.own_node import OwnNode
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored, told
from croupier.room import accounts
from croupier.room.cluster_ports import Node, Owner, Place

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
_VACANT: Final = """
SELECT table_id, CAST(extract(epoch FROM clock_timestamp() - expires) AS double precision)
FROM tables JOIN nodes ON node_id = owner
WHERE table_id = ANY ($1::text[]) AND NOT closed AND (dead OR expires <= now())"""
_OURS: Final = "SELECT table_id FROM tables WHERE table_id = ANY ($2::text[]) AND owner = $1 AND NOT closed"
_RUNNING: Final = "NOT nodes.dead AND nodes.expires > now()"
_NODES: Final = f"""
SELECT node_id, address, serving, CAST(extract(epoch FROM clock_timestamp()) AS double precision) FROM nodes
WHERE {_RUNNING} OR (node_id = $1 AND NOT dead) ORDER BY node_id COLLATE "C\""""
_OWNER: Final = f"""
SELECT closed, nodes.node_id, address, serving FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE table_id = $1"""
_OWNED: Final = "SELECT table_id FROM tables WHERE owner = $1 AND NOT closed"
_ORPHANS: Final = f"""
SELECT table_id FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE NOT closed AND nodes.node_id IS NULL"""

_LISTED: Final = f"""
SELECT created_time, table_id, house_id, coalesce(nodes.node_id, '')
FROM tables LEFT JOIN nodes ON node_id = owner AND {_RUNNING}
WHERE NOT closed AND (created_time, table_id COLLATE "C") > ($1::bigint, $2 COLLATE "C")
  AND ($4::text[] IS NULL OR house_id = ANY ($4))
ORDER BY created_time, table_id COLLATE "C" LIMIT $3"""
_STACKS: Final = "SELECT name FROM accounts WHERE player_id = $1 AND balance > 0 AND name LIKE 'stack/%'"
_OF_HOUSE: Final = """
SELECT table_id FROM tables WHERE table_id = ANY ($1::text[]) AND NOT closed AND ($2 = '' OR house_id = $2)"""
_BEHIND: Final = """
SELECT node_id FROM nodes
WHERE node_id <> $1 AND NOT dead AND log_read < $2
  AND (expires > now() OR EXISTS (SELECT FROM tables WHERE owner = node_id AND NOT closed))"""


async def ownerless_seconds(
    connection: asyncpg.Connection[Any], table_ids: Sequence[str]
) -> dict[str, float]:
    """Which of the tables have an owner whose lease has run out, and for how many seconds it has."""
    rows = await connection.fetch(_VACANT, list(map(stored, table_ids)))
    return {told(row[0]): max(row[1], 0.0) for row in rows}


async def declare_dead(connection: asyncpg.Connection[Any], own: OwnNode, table_ids: Sequence[str]) -> int:
    """Owners of the tables whose lease has run out write nothing more; how many those are."""
    status = await connection.execute(_DECLARE_DEAD, own.node_id, own.lease_s, list(map(stored, table_ids)))
    return int(status.rpartition(" ")[2])


async def ours(connection: asyncpg.Connection[Any], node_id: str, table_ids: Sequence[str]) -> set[str]:
    """Which of the tables, open ones, are the node's."""
    names = {stored(table_id): table_id for table_id in table_ids}
    return {names[row[0]] for row in await connection.fetch(_OURS, node_id, list(names))}


async def nodes(connection: Reading, own: OwnNode, figures: Figures) -> list[Node]:
    """Those whose lease runs, in order; and how far the database's clock is from this machine's."""
    sent, began = time.time(), time.monotonic()
    rows = await connection.fetch(_NODES, own.node_id)
    if rows:
        figures.clock_ahead_s = sent + (time.monotonic() - began) / 2 - rows[0][3]
    return [Node(*row[:3]) for row in rows]


async def owner(connection: Reading, table_id: str) -> Owner:
    row = await connection.fetchrow(_OWNER, stored(table_id))
    if row is None or row[0]:
        return Owner(None, open=False)
    return Owner(None if row[1] is None else Node(*row[1:]), open=True)


async def owned(connection: Reading, node_id: str) -> list[str]:
    return [told(row[0]) for row in await connection.fetch(_OWNED, node_id)]


async def ownerless_tables(connection: Reading) -> list[str]:
    return [told(row[0]) for row in await connection.fetch(_ORPHANS)]


async def listed(
    connection: Reading, after: tuple[int, str], limit: int, houses: Sequence[str] | None
) -> list[Place]:
    wanted = None if houses is None else list(map(stored, houses))
    rows = await connection.fetch(_LISTED, after[0], stored(after[1]), limit, wanted)
    return [Place(row[0], told(row[1]), told(row[2]), row[3]) for row in rows]


async def chips_at(connection: Reading, player_id: str, house_id: str) -> list[str]:
    names = [told(row[0]) for row in await connection.fetch(_STACKS, stored(player_id))]
    table_ids = [stored(accounts.parts_of(name)[1]) for name in names]
    return [told(row[0]) for row in await connection.fetch(_OF_HOUSE, table_ids, stored(house_id))]


async def behind(connection: Reading, node_id: str, number: int) -> list[str]:
    return [row[0] for row in await connection.fetch(_BEHIND, node_id, number)]
