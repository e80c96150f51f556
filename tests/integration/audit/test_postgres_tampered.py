"""Every table of a PostgreSQL store, by the schema: rows changed and deleted behind its server's back are found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import asyncpg
import pytest
from structlog.testing import capture_logs
from tests.support.audited_postgres import Filled, filled
from tests.support.live import CURRENCY, Backend, running
from tests.support.postgres import execute

from croupier.adapters.postgres.archive import archive
from croupier.client import Unanswered
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
    ("nodes", "node_id"): "a node that owns no open table is nobody's any more",
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
    (
        "tables",
        "epoch",
    ): "a claim makes it greater, with or without a record: what is behind the last record is found",
    ("tables", "owner"): "a closed table's last one is nobody's any more; of open ones, below",
    ("tables", "fed"): TOLD,
    ("hand_keys", "table_key"): "of hands in play, where houses destroy keys: test_kept_hand_keys.py",
    ("hand_keys", "hand_key"): "of hands in play, where houses destroy keys: test_kept_hand_keys.py",
}
"""Columns of which not every change is found, with the reason."""
UNMISSED: Final = {
    "fed_tables": TOLD,
    "nodes": LEASE,
    "hand_keys": "of hands in play, where houses destroy keys: test_kept_hand_keys.py",
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


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE tables SET owner = 'vm/xx/none' WHERE NOT closed",
        "UPDATE tables SET owner = 'vm/1/00000000' WHERE NOT closed",
        "UPDATE tables SET fed = true WHERE NOT closed",
        "UPDATE fed_tables SET hands = hands + 9 WHERE table_key <> 0",
        "UPDATE fed_tables SET entries = entries + 1000000 WHERE table_key = 0",
        "UPDATE ownership SET epoch = epoch - 1",
        "UPDATE ownership SET key_mark = substring(key_mark FROM 2)",
        "UPDATE nodes SET log_read = log_read + 1000",
    ],
)
def test_what_no_server_would_have_written_is_found(store: Filled, change: str) -> None:
    table = change.split()[1]
    with store.kept(table):
        store.change(change)
        found = store.audited().findings
    assert {finding.check for finding in found} == {"store"}


PLAYED_SINCE: Final = """
WITH moved AS (
  DELETE FROM journal USING tables
  WHERE journal.table_key = tables.table_key AND NOT closed AND journal_sequence = checkpoint_sequence + 2
  RETURNING journal.*)
INSERT INTO journal_archive SELECT * FROM moved"""


def test_what_a_table_goes_on_from_is_not_archived(store: Filled, anchor: Anchor) -> None:
    """Recovery reads from the last checkpoint on, and the journal alone."""
    with store.kept("journal"), store.kept("journal_archive"):
        store.change(PLAYED_SINCE)
        found = store.audited(anchor=anchor).findings
    table_id = store.ask("SELECT table_id FROM tables WHERE NOT closed")
    record = int(store.ask("SELECT checkpoint_sequence + 2 FROM tables WHERE NOT closed"))
    assert [(one.table_id, one.record, "journal_archive" in one.what) for one in found] == [
        (table_id, record, True)
    ]


@pytest.mark.parametrize("change", ["UPDATE counters SET entries = entries - 2", "DELETE FROM counters"])
def test_counters_that_are_behind_are_found_and_mended_at_start(
    store: Filled, tmp_path: Path, change: str
) -> None:
    store.change(change)
    (finding,) = store.audited().findings
    assert "counters" in finding.what

    async def deposit() -> None:
        async with (
            running(tmp_path, store=store.dsn, key_file=str(store.key)) as server,
            Backend(f"127.0.0.1:{server.port}") as backend,
        ):
            await backend.deposit("hana", CURRENCY, 5)

    with capture_logs() as logs:
        asyncio.run(deposit())
    assert [log["log_level"] for log in logs if log["event"] == "counters_mended"] == ["warning"]
    assert store.audited().findings == []


def test_without_counters_nothing_is_half_written(store: Filled, tmp_path: Path) -> None:
    """The row goes while a server runs: what would have no number is refused, its answer too."""

    async def deposits() -> None:
        async with (
            running(tmp_path, store=store.dsn, key_file=str(store.key)) as server,
            Backend(f"127.0.0.1:{server.port}") as backend,
        ):
            await backend.deposit("hana", CURRENCY, 5)
            await execute(store.dsn, "DELETE FROM counters")
            with pytest.raises(Unanswered):
                await backend.deposit("hana", CURRENCY, 5)

    asyncio.run(deposits())
    assert ["counters" in finding.what for finding in store.audited().findings] == [True]
    store.change(
        "INSERT INTO counters SELECT 1, (SELECT max(entry_id) FROM entries),"
        " (SELECT max(account_key) FROM accounts), (SELECT max(table_key) FROM tables)"
    )


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
