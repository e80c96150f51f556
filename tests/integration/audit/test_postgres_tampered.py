"""Every table of a PostgreSQL store, by the schema: rows changed and deleted behind its server's back are found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import asyncpg
import pytest
from tests.support.audited_postgres import Filled, filled

from croupier.adapters.postgres.archive import archive
from croupier.room.audit.anchor import Anchor

LEASE: Final = "a lease's, which ends with its process: servers go on from it, and no books do"
NUMBERS: Final = "numbers drawn ahead, which only have to differ: what is behind is found"
TOLD: Final = "how far a feed is: what is behind is told twice, which whoever listens drops"
TABLES: Final = (
    "accounts", "alembic_version", "counters", "entries", "entry_sets", "fed_tables", "feed", "hand_keys",
    "hand_players", "hands", "journal", "journal_archive", "nodes", "operations", "ownership", "requests", "tables",
)  # fmt: skip
OF_NODES: Final = (
    "address", "epoch", "connection_number", "commits", "unbroken_since", "expires", "shared", "serving", "dead",
    "log_read",
)  # fmt: skip
UNSEEN: Final = {
    **{("nodes", name): LEASE for name in OF_NODES},
    **{
        ("ownership", name): LEASE
        for name in ("owner_id", "epoch", "connection_number", "commits", "expires")
    },
    ("ownership", "room"): "the room's name among others on a bus, which nothing else keeps",
    ("counters", "accounts"): NUMBERS,
    ("counters", "tables"): NUMBERS,
    ("fed_tables", "hands"): TOLD,
    ("fed_tables", "entries"): TOLD,
    ("feed", "name"): "a server of another feed says so and does not start",
    ("feed", "telling"): TOLD,
    ("hand_keys", "hand_key"): "of hands in play, where houses destroy keys: test_hand_keys.py",
}
"""Columns of which not every change is found, with the reason."""
UNMISSED: Final = {
    "fed_tables": TOLD,
    "nodes": LEASE,
    "hand_keys": "of hands in play, where houses destroy keys: test_hand_keys.py",
}
"""Tables whose rows may be missing, with the reason."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    with filled(tmp_path_factory.mktemp("tampered")) as store:
        asyncio.run(archive(store.dsn, 2**62))
        store.change(
            "UPDATE feed SET name = 'feed'",
            "INSERT INTO fed_tables SELECT table_key, max(hand_number), 1 FROM hands GROUP BY table_key",
            "INSERT INTO fed_tables SELECT 0, 0, max(entry_id) FROM entries",
            "UPDATE tables SET fed = true WHERE closed",
        )
        yield store


@pytest.fixture(scope="module")
def anchor(store: Filled) -> Anchor:
    found = store.audited(redecide=True)
    assert found.findings == []
    assert found.looked.anchor is not None
    return found.looked.anchor


def test_no_table_is_left_out(store: Filled) -> None:
    named = store.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")
    assert [name for (name,) in named] == sorted(TABLES)


def wrong(store: Filled, anchor: Anchor) -> list[str]:
    """What an audit finds, or why there is none."""
    try:
        return [finding.what for finding in store.audited(redecide=True, anchor=anchor).findings]
    except Exception as failure:
        return [repr(failure)]


def columns(store: Filled, table: str) -> list[str]:
    query = (
        "SELECT column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
    )
    return [name for (name,) in store.rows(query, table)]


@pytest.mark.parametrize("table", TABLES)
def test_a_flip_in_any_column_is_found(table: str, store: Filled, anchor: Anchor) -> None:
    """Or is refused by the database itself."""
    random = Random(table)
    unseen = []
    for column in columns(store, table):
        if (table, column) in UNSEEN:
            continue
        rows = store.rows(f"SELECT ctid::text, {column} FROM {table} ORDER BY ctid")
        place, value = random.choice([row for row in rows if row[1] not in (None, "", b"")])
        with store.kept(table):
            spoilt = literal(flipped(value, random))
            try:
                store.change(f"UPDATE {table} SET {column} = {spoilt} WHERE ctid::text = '{place}'")
            except asyncpg.IntegrityConstraintViolationError:
                continue
            if not wrong(store, anchor):
                unseen.append((column, value, spoilt))
    assert not unseen


@pytest.mark.parametrize("table", TABLES)
def test_a_row_that_is_gone_is_missed(table: str, store: Filled, anchor: Anchor) -> None:
    if table in UNMISSED:
        return
    kind = {"requests": "method", "entry_sets": "kind"}.get(table, "1")
    unmissed = []
    for place, which in store.rows(f"SELECT min(ctid::text), {kind} FROM {table} GROUP BY 2"):
        with store.kept(table):
            store.change(f"DELETE FROM {table} WHERE ctid::text = '{place}'")
            if not wrong(store, anchor):
                unmissed.append(which)
    assert not unmissed


def flipped(value: Any, random: Random) -> Any:
    """One bit of it is another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1 << random.randrange(max(1, value.bit_length()))
    if isinstance(value, str):
        return flipped(value.encode(), random).decode("latin-1").replace("\0", "?")
    place = random.randrange(len(value))
    return value[:place] + bytes([value[place] ^ 1 << random.randrange(4)]) + value[place + 1 :]


def literal(value: Any) -> str:
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'::bytea"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
