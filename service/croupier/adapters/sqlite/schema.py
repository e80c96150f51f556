"""The file's format: tables, indexes, version, and how a connection to it is set up. Holds no rows' meaning.

The journal and the entries are only ever appended to, at the end of their rowid tree, so a commit writes few
pages. For that the journal has no index: its records would lie in as many pages of one as there are tables,
and each commit would write them all. Instead a record holds its table's `previous` position, and every
MARK_EVERY-th has a row in `marks`: whoever reads finds a mark behind and walks back. `tables` and `accounts`
keep what the next write must follow (last sequence, balance), changed in the transaction that appends.
`hands` and `hand_players` are an index of settled hands: written apart from what players wait for, and made
anew from the journal where rows are missing. Entry sets and requests carry a hash over all that they say.
All keys between tables are integers. `PRAGMA user_version` is the format's version.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from croupier.adapters.sqlite import faults

VERSION: Final = 6
MARKED: Final = 6
"""The first version with a mark of the master key."""
MARK_EVERY: Final = 64
MAGIC: Final = b"SQLite format 3\0"
"""What each SQLite file begins with."""
_USER_VERSION: Final = slice(60, 64)
"""Where the header has `PRAGMA user_version`."""

_TABLES: Final = """
CREATE TABLE tables (
    table_key INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE,
    house_id TEXT NOT NULL,
    name TEXT NOT NULL,
    currency TEXT NOT NULL,
    created_time INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    last_journal_sequence INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    last_position INTEGER NOT NULL,
    first_position INTEGER NOT NULL,
    checkpoint_position INTEGER NOT NULL,
    closed INTEGER NOT NULL
) STRICT;
CREATE INDEX open_tables ON tables (table_key) WHERE closed = 0;

CREATE TABLE journal (
    position INTEGER PRIMARY KEY,
    table_key INTEGER NOT NULL REFERENCES tables,
    previous INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    journal_sequence INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL,
    recorded_time INTEGER NOT NULL,
    principal TEXT NOT NULL,
    request_id TEXT NOT NULL,
    format INTEGER NOT NULL,
    body BLOB NOT NULL,
    sealed BLOB,
    checkpoint INTEGER NOT NULL
) STRICT;

CREATE TABLE marks (
    table_key INTEGER NOT NULL REFERENCES tables,
    sequence INTEGER NOT NULL,
    journal_sequence INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (table_key, sequence, journal_sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    account_key INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    currency TEXT NOT NULL,
    player_id TEXT,
    balance INTEGER NOT NULL,
    UNIQUE (name, currency)
) STRICT;
CREATE INDEX accounts_by_player ON accounts (player_id) WHERE player_id IS NOT NULL;

CREATE TABLE entry_sets (
    set_key INTEGER PRIMARY KEY,
    entry_set_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    table_id TEXT NOT NULL,
    hand_id TEXT NOT NULL,
    recorded_time INTEGER NOT NULL,
    entry_count INTEGER NOT NULL
) STRICT;
CREATE INDEX entry_sets_by_table ON entry_sets (table_id) WHERE table_id <> '';

CREATE TABLE entries (
    entry_id INTEGER PRIMARY KEY,
    set_key INTEGER NOT NULL REFERENCES entry_sets,
    account_key INTEGER NOT NULL REFERENCES accounts,
    amount INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_by_account ON entries (account_key);

CREATE TABLE requests (
    principal TEXT NOT NULL,
    method TEXT NOT NULL,
    request_id TEXT NOT NULL,
    digest BLOB NOT NULL,
    answer BLOB NOT NULL,
    PRIMARY KEY (principal, method, request_id)
) STRICT, WITHOUT ROWID;
"""


_HANDS: Final = """
CREATE TABLE hands (
    table_key INTEGER NOT NULL REFERENCES tables,
    hand_number INTEGER NOT NULL,
    first_sequence INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    ended_time INTEGER NOT NULL,
    PRIMARY KEY (table_key, hand_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX hands_by_time ON hands (table_key, ended_time, hand_number);

CREATE TABLE hand_players (
    player_id TEXT NOT NULL,
    ended_time INTEGER NOT NULL,
    table_key INTEGER NOT NULL,
    hand_number INTEGER NOT NULL,
    PRIMARY KEY (player_id, ended_time, table_key, hand_number)
) STRICT, WITHOUT ROWID;
"""
# Rows of before have no hash; a table is as old as its first record.
_HASHES: Final = """
ALTER TABLE entry_sets ADD COLUMN hash BLOB;
ALTER TABLE requests ADD COLUMN hash BLOB;
UPDATE tables SET created_time = (SELECT recorded_time FROM journal WHERE position = first_position);
"""
# One row a table, overwritten by each hand and as it settles.
_HAND_KEYS: Final = """
CREATE TABLE hand_keys (
    table_key INTEGER PRIMARY KEY REFERENCES tables,
    hand_key BLOB NOT NULL
) STRICT;
"""
_OPERATIONS: Final = """
CREATE TABLE operations (
    number INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    table_id TEXT NOT NULL,
    player_id TEXT NOT NULL,
    body BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX operations_by_table ON operations (table_id) WHERE table_id <> '';
CREATE INDEX operations_by_player ON operations (player_id) WHERE player_id <> '';
"""
# What tells the master key from another, and tells nothing of it.
_MASTER_KEY: Final = """
CREATE TABLE master_key (
    place INTEGER PRIMARY KEY CHECK (place = 1),
    mark BLOB NOT NULL
) STRICT;
"""
_STEPS: Final = (_TABLES, _HANDS, _HASHES, _HAND_KEYS, _OPERATIONS, _MASTER_KEY)
"""What each version added to the one before."""


class StoreUnusable(RuntimeError):
    """Raised when the file is no store, or cannot be read or written."""


def unusable(path: Path, failure: sqlite3.Error) -> StoreUnusable:
    """The file and what is the matter with it, with what to do."""
    return StoreUnusable(f"{path} cannot be used: {faults.told(failure)}")


class SchemaTooNew(RuntimeError):
    """Raised when the file was written by a later version of the service."""


def refuse_other_files(path: Path) -> None:
    """Raises StoreUnusable where what is there, if anything, is no SQLite file; it may be empty."""
    if path.is_dir():
        raise StoreUnusable(f"{path} is a folder: name a file in it with --store")
    if not path.exists():
        return
    if not path.is_file():
        raise StoreUnusable(f"{path} is no file that could hold a store: name another with --store")
    try:
        with path.open("rb") as file:
            beginning = file.read(len(MAGIC))
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be read: {error.strerror}; see --store") from error
    if beginning and beginning != MAGIC:
        raise StoreUnusable(f"{path} is no SQLite file: choose another --store, or restore the last backup")


def format_of(path: Path) -> int:
    """The version of the file's format, read from its header without opening it as a database: nothing is made beside
    it. Raises StoreUnusable.
    """
    refuse_other_files(path)
    with path.open("rb") as file:
        return int.from_bytes(file.read(100)[_USER_VERSION], "big")


def open_writer(path: Path) -> sqlite3.Connection:
    """The one connection that writes; creates the file, readable by its owner alone, and its tables.

    Raises SchemaTooNew, StoreUnusable.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
    try:
        _migrate(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -65536")
    except sqlite3.Error as failure:
        connection.close()
        raise unusable(path, failure) from failure
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; needs a file that a writer has set up."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = 1")
    connection.execute("PRAGMA cache_size = -16384")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise SchemaTooNew(f"{path} has format {version}; this version of croupier reads up to {VERSION}")
    if version < VERSION:
        added = "".join(_STEPS[version:])
        connection.executescript(f"BEGIN IMMEDIATE; {added} PRAGMA user_version = {VERSION}; COMMIT;")
