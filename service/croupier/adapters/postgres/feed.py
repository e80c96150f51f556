"""How far the feed is, in the database: one feed, and a place in it for each table; the wallets' has key 0.

Places are noted under a lock of the feed's row, which is changed where all is to be told again: what is noted late, of
the telling before, is then dropped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

import asyncpg

from croupier.adapters.postgres import ledger_reader
from croupier.adapters.postgres.connecting import Reading, connect, usable
from croupier.adapters.postgres.hand_index import PLACE, place_of
from croupier.adapters.postgres.schema import must_be_current
from croupier.adapters.postgres.statement import Part, columns
from croupier.adapters.postgres.text import stored, told
from croupier.room.hand_ports import HandPlace
from croupier.room.outbox_ports import WALLETS, Fed, FeedIsAnother, FeedStanding, Share, Unfed
from croupier.room.ports import LedgerEntry

T = TypeVar("T")

NAMED: Final = Part(
    "named",
    columns("name text"),
    """
  UPDATE feed SET name = r.name FROM {rows} WHERE feed.name = ''""",
)
_THIS_TELLING: Final = "JOIN (SELECT telling FROM feed FOR SHARE) AS feed ON feed.telling = r.telling"
NOTED: Final = Part(
    "noted",
    columns("telling bigint, table_id text, hands bigint, entries bigint"),
    f"""
  INSERT INTO fed_tables (table_key, hands, entries)
  SELECT coalesce(tables.table_key, 0) AS key, r.hands, r.entries
  FROM {{rows}} {_THIS_TELLING} LEFT JOIN tables ON tables.table_id = r.table_id
  WHERE tables.table_key IS NOT NULL OR r.table_id = ''
  ORDER BY key ON CONFLICT (table_key) DO UPDATE
  SET hands = greatest(fed_tables.hands, excluded.hands), entries = greatest(fed_tables.entries, excluded.entries)""",
)
OVER: Final = Part(
    "over",
    columns("telling bigint, table_id text"),
    f"""
  UPDATE tables SET fed = true FROM {{rows}} {_THIS_TELLING}
  WHERE tables.table_id = r.table_id AND tables.closed""",
)
_STANDING: Final = """
SELECT name, telling, EXISTS (SELECT FROM fed_tables),
       coalesce((SELECT entries FROM fed_tables WHERE table_key = 0), 0) FROM feed"""
# A table's last checkpoint is at the end of its last settled hand.
_UNFED: Final = """
SELECT table_id, coalesce(known.hands, 0), coalesce(known.entries, 0), house_id, closed, coalesce(last.hand_number, 0),
       coalesce(next.ended_time, 0), NOT EXISTS (
         SELECT FROM journal
         WHERE journal.table_key = tables.table_key AND journal_sequence = checkpoint_sequence AND checkpoint
           AND journal.sequence > coalesce(last.last_sequence, 0))
FROM (
    SELECT table_key FROM tables WHERE owner = $1 AND NOT closed
    UNION ALL (
      SELECT table_key FROM tables WHERE closed AND NOT fed AND table_key % $2 = $3 ORDER BY table_key LIMIT $4)
  ) AS ours JOIN tables USING (table_key) LEFT JOIN fed_tables AS known USING (table_key)
  LEFT JOIN LATERAL (
    SELECT hand_number, last_sequence FROM hands
    WHERE hands.table_key = tables.table_key ORDER BY hand_number DESC LIMIT 1) AS last ON true
  LEFT JOIN LATERAL (
    SELECT ended_time FROM hands
    WHERE hands.table_key = tables.table_key AND hand_number > coalesce(known.hands, 0)
    ORDER BY hand_number LIMIT 1) AS next ON true
WHERE closed OR next.ended_time IS NOT NULL OR EXISTS (
    SELECT FROM entry_sets
    WHERE entry_sets.table_id = tables.table_id AND entry_sets.table_id <> ''
      AND set_key > coalesce(known.entries, 0))"""
_HANDS_AFTER: Final = f"""
SELECT {PLACE} FROM tables JOIN hands USING (table_key) WHERE table_id = $1 AND hand_number > $2
ORDER BY hand_number LIMIT $3"""
_HOW_MUCH: Final = "SELECT (SELECT count(*) FROM hands), (SELECT count(*) FROM entry_sets)"
_TELL_AGAIN: Final = (
    "UPDATE feed SET name = $1, telling = telling + 1",
    "DELETE FROM fed_tables",
    "UPDATE tables SET fed = false WHERE fed",
)


class Read(Protocol):
    """Reads over one of the store's connections. Raises StoreAway."""

    async def __call__(self, call: Callable[[Reading], Awaitable[T]]) -> T: ...


Write = Callable[[Sequence[tuple[Part, Sequence[Sequence[Any]]]]], Awaitable[None]]
"""Writes between two commits, where this server may. Raises StoreAway."""


class PostgresFeed:
    """The room's FeedStore, for one node."""

    def __init__(self, node_id: str, read: Read, write: Write) -> None:
        self._node_id = node_id
        self._read = read
        self._write = write

    async def begin_feed(self, name: str) -> None:
        """As the port says."""
        await self._write([(NAMED, [(name,)])])
        await self._read(lambda db: _standing(db, name))

    async def unfed(self, name: str, share: Share, limit: int) -> FeedStanding:
        """As the port says."""

        async def look(connection: Reading) -> FeedStanding:
            telling, begun, wallets = await _standing(connection, name)
            rows = await connection.fetch(_UNFED, self._node_id, share.count, share.place, limit)
            tables = [Unfed(Fed(told(row[0]), row[1], row[2]), told(row[3]), *row[4:]) for row in rows]
            return FeedStanding(telling, begun, Fed(WALLETS, 0, wallets), tables)

        return await self._read(look)

    async def hands_after(self, table_id: str, hand_number: int, limit: int) -> list[HandPlace]:
        rows = await self._read(lambda db: db.fetch(_HANDS_AFTER, stored(table_id), hand_number, limit))
        return list(map(place_of, rows))

    async def sets_after(self, table_id: str, entry_id: int, limit: int) -> list[LedgerEntry]:
        return await self._read(lambda db: ledger_reader.sets(db, table_id, entry_id, limit))

    async def note_fed(self, telling: int, fed: Sequence[Fed]) -> None:
        """As the port says."""
        places = [(telling, stored(one.table_id), one.hands, one.entries) for one in fed]
        over = [(telling, stored(one.table_id)) for one in fed if one.over]
        await self._write([(NOTED, places), (OVER, over)])


async def tell_again(dsn: str, name: str) -> tuple[int, int]:
    """Have all that is in the store told from the beginning, to the feed of this name; how many hands and entry sets.

    Raises StoreUnusable, SchemaTooNew.
    """
    with usable():
        connection = await connect(dsn)
        try:
            await must_be_current(connection)
            return await _tell_again(connection, name)
        finally:
            await connection.close()


async def _tell_again(connection: asyncpg.Connection[Any], name: str) -> tuple[int, int]:
    renamed, *others = _TELL_AGAIN
    async with connection.transaction():
        await connection.execute(renamed, name)
        for statement in others:
            await connection.execute(statement)
        row = await connection.fetchrow(_HOW_MUCH)
    return (0, 0) if row is None else (row[0], row[1])


async def _standing(connection: Reading, name: str) -> tuple[int, bool, int]:
    """Which telling it is, whether it has begun, and how far the wallets are. Raises FeedIsAnother."""
    row = await connection.fetchrow(_STANDING)
    if row is None or row[0] != name:
        raise FeedIsAnother(row[0] if row is not None else "")
    return row[1], row[2], row[3]
