"""A PostgreSQL store's rows for an audit: one read of one state, while a server may go on writing. It judges nothing.

What the journal says of hands is kept in temporary tables of the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres import index_check, state_check
from croupier.adapters.postgres.connecting import LOST, connect, usable
from croupier.adapters.postgres.own_node import OwnNode
from croupier.adapters.postgres.schema import must_be_current
from croupier.adapters.postgres.text import stored, told
from croupier.adapters.postgres.unusable import StoreUnusable
from croupier.room.audit.books import (
    BooksDamaged,
    IndexDifference,
    Misplaced,
    Sizes,
    StoredAccount,
    StoredEntry,
    StoredOperation,
    StoredRecord,
    StoredRequest,
    StoredSet,
    StoredTable,
)
from croupier.room.hand_ports import SettledHand
from croupier.room.ports import Record, RequestRecord

_PAGE: Final = 1000
_MOST_ENTRIES: Final = 1000
"""Entries read of one set, should its count be spoiled."""
_REBUILD_S: Final = 3600.0
"""How long the store is kept from servers while its index is made anew, unless that ends sooner."""

_SIZES: Final = """
SELECT (SELECT count(*) FROM whole_journal), (SELECT count(*) FROM entries), (SELECT count(*) FROM accounts),
       (SELECT count(*) FROM requests)"""
_TABLES: Final = """
SELECT table_id, house_id, name, currency, created_time, epoch, last_journal_sequence, last_sequence, closed
FROM tables ORDER BY table_key"""
_RECORDS: Final = """
SELECT row_number() OVER (ORDER BY table_key, journal_sequence), coalesce(table_id, ''), journal.epoch,
       journal_sequence, sequence, prev_hash, hash, recorded_time, principal, request_id, format, body, sealed,
       checkpoint
FROM whole_journal AS journal LEFT JOIN tables USING (table_key)
WHERE $1 IN ('', table_id) ORDER BY table_key, journal_sequence"""
_SETS: Final = """
SELECT set_key, entry_set_id, kind, table_id, hand_id, recorded_time, entry_count, hash FROM entry_sets"""
_ENTRIES: Final = """
SELECT entry_id, set_key, amount, name, coalesce(currency, ''), player_id
FROM entries LEFT JOIN accounts USING (account_key)"""
_ACCOUNTS: Final = "SELECT account_key, name, currency, player_id, balance FROM accounts ORDER BY account_key"
_AMOUNTS: Final = "SELECT account_key, amount FROM entries ORDER BY account_key"
_REQUESTS: Final = """
SELECT principal, method, request_id, digest, answer, hash FROM requests
ORDER BY principal COLLATE "C", method COLLATE "C", request_id COLLATE "C\""""
_OPERATIONS: Final = """
SELECT number, method, table_id, player_id, body, hash FROM operations ORDER BY number"""
_REPLACE_BALANCES: Final = """
UPDATE accounts SET balance = posted.total
FROM (SELECT account_key, sum(amount)::bigint AS total FROM entries GROUP BY account_key) AS posted
WHERE accounts.account_key = posted.account_key AND accounts.balance <> posted.total"""
_HAND_KEY: Final = "SELECT hand_key FROM hand_keys JOIN tables USING (table_key) WHERE table_id = $1"
_ANSWER: Final = (
    "SELECT digest, answer FROM requests WHERE principal = $1 AND method = $2 AND request_id = $3"
)
_MISPLACED: Final = """
SELECT 'the table''s row does not say what its last record says', table_id, last_journal_sequence
FROM tables LEFT JOIN journal
  ON journal.table_key = tables.table_key AND journal_sequence = last_journal_sequence
WHERE (last_sequence, last_hash) IS DISTINCT FROM (journal.sequence, journal.hash)
UNION ALL
SELECT 'the table''s row names a record that is no checkpoint', table_id, checkpoint_sequence
FROM tables LEFT JOIN journal
  ON journal.table_key = tables.table_key AND journal_sequence = checkpoint_sequence
WHERE NOT coalesce(checkpoint, false) AND checkpoint_sequence <> 1
UNION ALL
SELECT 'the table''s row passes over a later checkpoint', table_id, journal_sequence
FROM tables JOIN whole_journal AS journal USING (table_key)
WHERE checkpoint AND journal_sequence > checkpoint_sequence"""


class PostgresBooks:
    """Opened by its constructor, where no event loop runs; `close` lets go of what it read.

    With `rebuilding` no server may have the store meanwhile, and `replace_balances` and `replace_index`
    may be called, which last once `commit` has returned. Raises StoreUnusable, SchemaTooNew.
    """

    hashed = True

    def __init__(self, dsn: str, *, rebuilding: bool = False) -> None:
        self._runner = asyncio.Runner()
        self._own_node = OwnNode(_REBUILD_S) if rebuilding else None
        try:
            with usable():
                self._connection = self._run(connect(dsn))
        except StoreUnusable:
            self._runner.close()
            raise
        try:
            self._run(self._begin())
        except BaseException:
            self.close()
            raise

    async def _begin(self) -> None:
        await must_be_current(self._connection)
        if self._own_node is not None:
            holder = await self._own_node.join(self._connection)
            if holder is not None:
                self._own_node = None
                raise StoreUnusable(f"the store is in use by {holder.owner_id}")
        await self._connection.execute(index_check.REMEMBERED)
        await self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")

    def close(self) -> None:
        self._run(self._end())
        self._runner.close()

    async def _end(self) -> None:
        if not self._connection.is_closed():
            await self._connection.execute("ROLLBACK")
            if self._own_node is not None:
                await self._own_node.give_back(self._connection)
        await self._connection.close()

    def sizes(self) -> Sizes:
        return Sizes(*next(self._rows("the store", _SIZES)))

    def tables(self) -> Iterator[StoredTable]:
        for row in self._rows("tables", _TABLES):
            yield StoredTable(*_told(row, range(4)))

    def records(self, table_id: str = "") -> Iterator[StoredRecord]:
        """In the order written for each table, and one table after the other."""
        for row in self._rows("the journal", _RECORDS, stored(table_id)):
            yield StoredRecord(row[0], Record(*_told(row[1:], (0, 7, 8))))

    def entry_sets(self) -> Iterator[StoredSet]:
        for row in self._rows("entry sets", _SETS + " ORDER BY set_key"):
            yield StoredSet(*_told(row, range(1, 5)))

    def entries(self) -> Iterator[StoredEntry]:
        for row in self._rows("entries", _ENTRIES + " ORDER BY entry_id"):
            yield StoredEntry(*_told(row, range(3, 6)))

    def find_set(self, entry_set_id: str) -> tuple[StoredSet, Sequence[StoredEntry]] | None:
        row = next(self._rows("entry sets", _SETS + " WHERE entry_set_id = $1", stored(entry_set_id)), None)
        if row is None:
            return None
        found = StoredSet(*_told(row, range(1, 5)))
        end = found.set_key + min(found.entry_count, _MOST_ENTRIES)
        statement = _ENTRIES + " WHERE entry_id >= $1 AND entry_id < $2 ORDER BY entry_id"
        entries = self._rows("entries", statement, found.set_key, end)
        return found, [StoredEntry(*_told(entry, range(3, 6))) for entry in entries]

    def accounts(self) -> Iterator[StoredAccount]:
        for row in self._rows("accounts", _ACCOUNTS):
            yield StoredAccount(*_told(row, range(1, 4)))

    def amounts(self) -> Iterator[tuple[int, int]]:
        for row in self._rows("entries", _AMOUNTS):
            yield row[0], row[1]

    def requests(self) -> Iterator[StoredRequest]:
        for row in self._rows("requests", _REQUESTS):
            yield StoredRequest(RequestRecord(*_told(row[:5], range(3))), row[5])

    def key_mark(self) -> bytes:
        row = next(self._rows("the master key's mark", "SELECT key_mark FROM ownership"), None)
        return bytes(row[0]) if row is not None and row[0] is not None else b""

    def hand_key(self, table_id: str) -> bytes:
        row = next(self._rows("hand keys", _HAND_KEY, stored(table_id)), None)
        return bytes(row[0]) if row is not None else b""

    def operations(self) -> Iterator[StoredOperation]:
        for row in self._rows("the operator log", _OPERATIONS):
            yield StoredOperation(*_told(row, range(1, 4)))

    def find_answer(self, principal: str, method: str, request_id: str) -> RequestRecord | None:
        key = (principal, method, request_id)
        row = next(self._rows("requests", _ANSWER, *map(stored, key)), None)
        return RequestRecord(*key, *row) if row is not None else None

    def remember_hands(self, hands: Sequence[SettledHand]) -> None:
        self._run(index_check.remember(self._connection, hands))

    def index_differences(self, table_id: str = "") -> Iterator[IndexDifference]:
        for statement in index_check.DIFFERENCES:
            for row in self._rows("the index of hands", statement, stored(table_id)):
                yield IndexDifference(told(row[0]), row[1], row[2])

    def replace_balances(self) -> int:
        """Put what its entries add up to in the place of each balance that is another; how many were."""
        return int(self._change(_REPLACE_BALANCES).rpartition(" ")[2])

    def replace_index(self) -> None:
        """Put the hands that were remembered in the place of the index of hands."""
        self._change(index_check.REPLACE)

    def commit(self) -> None:
        """Have what was replaced last."""
        self._change("COMMIT; BEGIN")

    def misplaced(self) -> Iterator[Misplaced]:
        for statement in (_MISPLACED, *state_check.DEFECTS):
            for row in self._rows("tables", statement):
                yield Misplaced(told(row[0]), told(row[1]), row[2])

    def _rows(self, what: str, statement: str, *values: Any) -> Iterator[Any]:
        """A page at a time."""
        try:
            cursor = self._run(self._cursor(statement, values))
            while page := self._run(cursor.fetch(_PAGE)):
                yield from page
        except (*LOST, asyncpg.PostgresError) as failure:
            raise BooksDamaged(f"{what} cannot be read: {failure}") from failure

    def _change(self, statement: str) -> str:
        """What the database answers. Raises BooksDamaged."""
        try:
            return str(self._run(self._connection.execute(statement)))
        except (*LOST, asyncpg.PostgresError) as failure:
            raise BooksDamaged(f"the store cannot be written: {failure}") from failure

    async def _cursor(self, statement: str, values: Sequence[Any]) -> Any:
        return await self._connection.cursor(statement, *values)

    def _run(self, work: Any) -> Any:
        return self._runner.run(work)


def _told(row: Sequence[Any], texts: Collection[int]) -> list[Any]:
    """The row with the texts at these places as they were before they were stored."""
    return [told(value) if place in texts and value is not None else value for place, value in enumerate(row)]
