"""A SQLite store's rows for an audit: one read transaction, while a server may go on writing. It judges nothing.

What the journal says of hands is kept in temporary tables, which SQLite keeps in a file of its own.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from croupier.adapters.sqlite import index_check, positions
from croupier.adapters.sqlite.lock import FileLock
from croupier.adapters.sqlite.schema import MARKED, VERSION, SchemaTooNew, StoreUnusable, open_writer
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

_INDEXED: Final = 2
"""The first version with an index of hands."""
_HASHED: Final = 3
_KEYED: Final = 4
"""The first version with keys of hands in rows of their own."""
_LOGGED: Final = 5
"""The first version with an operator log."""
_MOST_ENTRIES: Final = 1000
"""Entries read of one set, should its count be spoiled."""

_SIZES: Final = """
SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM entries), (SELECT count(*) FROM accounts),
       (SELECT count(*) FROM requests)"""


def _told(numbers: str = "", texts: str = "") -> str:
    """Columns, each as what it should be: spoiled pages may hold anything, and the check of the file says so."""
    return ", ".join(
        [f"coalesce(CAST({name} AS INTEGER), 0)" for name in numbers.split()]
        + [f"coalesce(CAST({name} AS TEXT), '')" for name in texts.split()]
    )


_TABLES: Final = f"""
SELECT {_told(texts="table_id house_id name currency")},
       {_told("created_time epoch last_journal_sequence last_sequence closed")}
FROM tables ORDER BY table_key"""
_RECORDS: Final = """
SELECT position, coalesce(table_id, ''), journal.epoch, journal_sequence, sequence, prev_hash, hash,
       recorded_time, principal, request_id, format, body, sealed, checkpoint
FROM journal LEFT JOIN tables USING (table_key)
WHERE :table_id IN ('', table_id) ORDER BY position"""
_SETS: Final = f"""
SELECT set_key, {_told(texts="entry_set_id kind table_id hand_id")},
       {_told("recorded_time entry_count")}, {{hash}} FROM entry_sets"""
_ENTRIES: Final = f"""
SELECT entry_id, {_told("set_key amount")}, CAST(name AS TEXT), {_told(texts="currency")}, player_id
FROM entries LEFT JOIN accounts USING (account_key)"""
_ACCOUNTS: Final = f"""
SELECT account_key, {_told(texts="name currency")}, player_id, {_told("balance")}
FROM accounts ORDER BY account_key"""
_AMOUNTS: Final = f"""
SELECT {_told("account_key amount")} FROM entries NOT INDEXED ORDER BY account_key"""
_REQUESTS: Final = f"""
SELECT {_told(texts="principal method request_id")}, digest, answer, {{hash}} FROM requests"""
_OPERATIONS: Final = f"""
SELECT number, {_told(texts="method table_id player_id")}, CAST(body AS BLOB), CAST(hash AS BLOB)
FROM operations ORDER BY number"""
_REPLACE_BALANCES: Final = """
UPDATE accounts SET balance = posted.total
FROM (SELECT account_key, sum(amount) AS total FROM entries NOT INDEXED GROUP BY account_key) AS posted
WHERE accounts.account_key = posted.account_key AND accounts.balance <> posted.total"""
_HAND_KEY: Final = "SELECT hand_key FROM hand_keys JOIN tables USING (table_key) WHERE table_id = ?"
_ANSWER: Final = "SELECT digest, answer FROM requests WHERE principal = ? AND method = ? AND request_id = ?"


class SqliteBooks:
    """Opened by its constructor; `close` lets go of what it read.

    With `rebuilding` no server may have the file open meanwhile: raises StoreLocked; the file is brought to the
    present format, and `replace_balances` and `replace_index` may be called, which last once `commit` has returned.
    Raises StoreUnusable, SchemaTooNew.
    """

    def __init__(self, path: Path, *, rebuilding: bool = False) -> None:
        self._lock: FileLock | None = None
        path = Path(os.path.realpath(path))
        if not path.is_file():
            raise StoreUnusable(f"{path} is {'no file' if path.exists() else 'not there'}: see --store")
        if rebuilding:
            self._lock = FileLock(path)
        try:
            self._connection = open_writer(path) if rebuilding else _reader(path)
            self._version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except (sqlite3.Error, UnicodeDecodeError) as failure:
            self._release()
            raise StoreUnusable(f"{path} cannot be read: {failure}") from failure
        except BaseException:
            self._release()
            raise
        if not 1 <= self._version <= VERSION:
            self.close()
            raise SchemaTooNew(
                f"{path} has format {self._version}; this version of croupier reads 1 to {VERSION}"
            )
        self._connection.text_factory = lambda text: text.decode("utf-8", "replace")
        self._connection.executescript(index_check.REMEMBERED)
        self._connection.execute("BEGIN")
        self._keys: dict[str, int] | None = None
        self.hashed = self._version >= _HASHED

    def close(self) -> None:
        self._connection.close()
        self._release()

    def sizes(self) -> Sizes:
        return Sizes(*next(self._rows("the store", _SIZES)))

    def tables(self) -> Iterator[StoredTable]:
        for row in self._rows("tables", _TABLES):
            yield StoredTable(*row)

    def records(self, table_id: str = "") -> Iterator[StoredRecord]:
        for row in self._rows("the journal", _RECORDS, {"table_id": table_id}):
            yield StoredRecord(row[0], Record(*row[1:]))

    def entry_sets(self) -> Iterator[StoredSet]:
        for row in self._rows("entry sets", self._with_hash(_SETS) + " ORDER BY set_key"):
            yield StoredSet(*row)

    def entries(self) -> Iterator[StoredEntry]:
        for row in self._rows("entries", _ENTRIES + " ORDER BY entry_id"):
            yield StoredEntry(*row)

    def find_set(self, entry_set_id: str) -> tuple[StoredSet, Sequence[StoredEntry]] | None:
        statement = self._with_hash(_SETS) + " WHERE entry_set_id = ?"
        row = next(self._rows("entry sets", statement, (entry_set_id,)), None)
        if row is None:
            return None
        found = StoredSet(*row)
        bounds = (found.set_key, found.set_key + min(found.entry_count, _MOST_ENTRIES))
        statement = _ENTRIES + " WHERE entry_id >= ? AND entry_id < ? ORDER BY entry_id"
        return found, [StoredEntry(*entry) for entry in self._rows("entries", statement, bounds)]

    def accounts(self) -> Iterator[StoredAccount]:
        for row in self._rows("accounts", _ACCOUNTS):
            yield StoredAccount(*row)

    def amounts(self) -> Iterator[tuple[int, int]]:
        return self._rows("entries", _AMOUNTS)

    def requests(self) -> Iterator[StoredRequest]:
        for row in self._rows("requests", self._with_hash(_REQUESTS)):
            yield StoredRequest(RequestRecord(*row[:-1]), row[-1])

    def key_mark(self) -> bytes:
        if self._version < MARKED:
            return b""
        row = next(self._rows("the master key's mark", "SELECT mark FROM master_key"), None)
        return bytes(row[0]) if row is not None else b""

    def hand_key(self, table_id: str) -> bytes:
        if self._version < _KEYED:
            return b""
        row = next(self._rows("hand keys", _HAND_KEY, (table_id,)), None)
        return bytes(row[0]) if row is not None else b""

    def operations(self) -> Iterator[StoredOperation]:
        if self._version >= _LOGGED:
            for row in self._rows("the operator log", _OPERATIONS):
                yield StoredOperation(*row)

    def find_answer(self, principal: str, method: str, request_id: str) -> RequestRecord | None:
        key = (principal, method, request_id)
        row = next(self._rows("requests", _ANSWER, key), None)
        return RequestRecord(*key, *row) if row is not None else None

    def remember_hands(self, hands: Sequence[SettledHand]) -> None:
        places, players = [], []
        if self._keys is None:
            self._keys = dict(self._rows("tables", "SELECT table_id, table_key FROM tables NOT INDEXED"))
        for hand in hands:
            place = hand.place
            key = self._keys.get(place.table_id)
            places.append(
                (key, place.hand_number, place.first_sequence, place.last_sequence, place.ended_time)
            )
            players += [(player, place.ended_time, key, place.hand_number) for player in hand.players]
        try:
            self._connection.executemany("INSERT OR IGNORE INTO journal_hands VALUES (?, ?, ?, ?, ?)", places)
            self._connection.executemany("INSERT OR IGNORE INTO journal_players VALUES (?, ?, ?, ?)", players)
        except sqlite3.DatabaseError as failure:
            raise BooksDamaged(f"the index of hands cannot be compared: {failure}") from failure

    def index_differences(self, table_id: str = "") -> Iterator[IndexDifference]:
        if self._version < _INDEXED:
            return
        for statement in index_check.DIFFERENCES:
            for row in self._rows("the index of hands", statement, {"table_id": table_id}):
                yield IndexDifference(*row)

    def replace_balances(self) -> int:
        """Put what its entries add up to in the place of each balance that is another; how many were."""
        return self._change(_REPLACE_BALANCES)

    def replace_index(self) -> None:
        """Put the hands that were remembered in the place of the index of hands."""
        for statement in index_check.REPLACE.split(";"):
            self._change(statement)

    def commit(self) -> None:
        """Have what was replaced last."""
        self._change("COMMIT")

    def misplaced(self) -> Iterator[Misplaced]:
        for (what,) in self._rows("the store", "PRAGMA integrity_check"):
            if what != "ok":
                yield Misplaced(f"SQLite finds the file damaged: {what}")
        try:
            yield from positions.misplaced(self._connection)
            if self._version >= _KEYED:
                yield from positions.misplaced_keys(self._connection, marked=self._version >= MARKED)
        except sqlite3.DatabaseError as failure:
            raise BooksDamaged(f"the journal's positions cannot be read: {failure}") from failure

    def _rows(self, what: str, statement: str, values: Any = ()) -> Iterator[Any]:
        try:
            yield from self._connection.execute(statement, values)
        except sqlite3.DatabaseError as failure:
            raise BooksDamaged(f"{what} cannot be read: {failure}") from failure

    def _change(self, statement: str) -> int:
        """How many rows it changed. Raises BooksDamaged."""
        try:
            return self._connection.execute(statement).rowcount
        except sqlite3.Error as failure:
            raise BooksDamaged(f"the store cannot be written: {failure}") from failure

    def _with_hash(self, statement: str) -> str:
        return statement.format(hash="hash" if self.hashed else "NULL")

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _reader(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, also where the folder cannot be written to and nobody writes."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if Path(f"{path}-wal").exists():
            raise
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    connection.execute("PRAGMA cache_size = -65536")
    return connection
