"""The same audit of a PostgreSQL store: it finds it sound, and names what was changed behind its server's back."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.audited_postgres import Filled, filled

from croupier.adapters.postgres.books import PostgresBooks
from croupier.adapters.postgres.unusable import StoreUnusable


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """Filled by a server; whoever changes it undoes that."""
    with filled(tmp_path_factory.mktemp("audited")) as store:
        yield store


def test_a_store_that_a_server_filled_is_sound_and_decided_as_anew(store: Filled) -> None:
    found = store.audited(redecide=True)
    assert found.findings == []
    assert found.looked.tables == 2
    assert found.looked.records == int(store.ask("SELECT count(*) FROM journal"))
    assert found.looked.entries == int(store.ask("SELECT count(*) FROM entries"))
    assert found.looked.hands > 5
    only = store.ask("SELECT table_id FROM tables WHERE NOT closed")
    assert store.audited(table_id=only).findings == []


CHANGES = {
    "journal": "body = overlay(body placing '\\x00'::bytea from 3) WHERE journal_sequence = 9",
    "tables": "last_sequence = last_sequence + 1 WHERE NOT closed",
    "accounts": "balance = balance + 1 WHERE name LIKE 'rake/%'",
    "entry_sets": "kind = 'payout' WHERE kind = 'withdrawal'",
    "entries": "amount = amount + 1 WHERE entry_id = 4",
    "requests": "answer = answer || '\\x00'::bytea WHERE method = 'Withdraw'",
    "hands": "first_sequence = first_sequence + 1 WHERE hand_number = 2",
    "hand_players": "player_id = 'nobody' WHERE hand_number = 2 AND player_id = 'anna'",
}


@pytest.mark.parametrize("table", CHANGES)
def test_what_was_changed_behind_the_server_is_found(store: Filled, table: str) -> None:
    store.change(f"CREATE TABLE kept AS TABLE {table}", f"UPDATE {table} SET {CHANGES[table]}")
    try:
        found = store.audited()
    finally:
        store.change(f"TRUNCATE {table}", f"INSERT INTO {table} SELECT * FROM kept", "DROP TABLE kept")
    assert found.findings
    assert store.audited().findings == []


def test_a_deleted_record_is_a_gap(store: Filled) -> None:
    gone = "WHERE journal_sequence = 5 AND table_key = 1"
    store.change(f"CREATE TABLE kept AS SELECT * FROM journal {gone}", f"DELETE FROM journal {gone}")
    try:
        found = store.audited()
    finally:
        store.change("INSERT INTO journal SELECT * FROM kept", "DROP TABLE kept")
    name = store.ask("SELECT table_id FROM tables WHERE table_key = 1")
    assert found.named(table_id=name)


def test_the_command_tells_of_a_database_and_rebuilds_its_index(store: Filled) -> None:
    command = [str(Path(sys.executable).with_name("croupier")), "audit", "--store", store.dsn, "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["findings"]) == (0, [])
    hands = int(store.ask("SELECT count(*) FROM hands"))
    store.change("DELETE FROM hands WHERE hand_number = 2")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
    done = subprocess.run([*command, "--rebuild"], capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["index_rebuilt"]) == (0, True)
    assert int(store.ask("SELECT count(*) FROM hands")) == hands
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_an_index_is_not_rebuilt_beside_a_server(store: Filled) -> None:
    store.change("UPDATE ownership SET expires = now() + INTERVAL '60 seconds'")
    try:
        with pytest.raises(StoreUnusable, match="in use by"):
            PostgresBooks(store.dsn, rebuilding=True)
        assert store.audited().findings == []
    finally:
        store.change("UPDATE ownership SET expires = now()")
