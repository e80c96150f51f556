"""One flipped bit anywhere is found, and named by its table and record, account, entry, request or hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.audited import Audited, audited, copied
from tests.support.flips import KEYS, Flip, columns, flips

from croupier.adapters.sqlite.schema import SchemaTooNew, StoreUnusable

RAW_FLIPS = 250


@pytest.mark.parametrize("table", KEYS)
def test_a_flip_in_any_column_is_found_and_named(table: str, filled: Path, tmp_path: Path) -> None:
    random = Random(table)
    for column in [name for owner, name in columns(filled) if owner == table]:
        tried = 0
        for flip in [flip for _ in range(3) for flip in flips(filled, table, column, random, count=2)]:
            copy = copied(filled, tmp_path)
            if tried < 3 and flip.apply(copy):
                tried += 1
                assert named(audited(copy), flip, filled), flip
        assert tried, f"no row of {table} has a {column}"


def named(found: Audited, flip: Flip, store: Path) -> bool:
    """Whether one of the findings tells where the bit was flipped."""
    places = [(finding.place(), finding.what) for finding in found.findings]
    return any(word in place or word in what for place, what in places for word in _words(flip, store))


def _words(flip: Flip, store: Path) -> list[str]:
    """What a finding may call the place, each enough by itself."""
    row = flip.row | {flip.column: flip.value}
    match flip.table:
        case "journal" | "marks":
            name, number = table_named(store, flip.row["table_key"]), flip.row["journal_sequence"]
            words = [f"table {name}, record {number}", f"table {name}, record {number + 1}"]
            return [f"{word}{end}" for word in words for end in ("", ",")]
        case "tables":
            return [flip.row["table_id"], row["table_id"]]
        case "accounts":
            return [flip.row["name"], row["name"], *entries_of(store, flip.row["account_key"])]
        case "entry_sets":
            return [flip.row["entry_set_id"], row["entry_set_id"]]
        case "entries":
            return [f"entry {flip.row['entry_id']}", set_of(store, flip.row["set_key"])]
        case "operations":
            return [f"entry {number} of the operator log" for number in (flip.row["number"], row["number"])]
        case "requests":
            return [f"{row['principal']}/{row['method']}/{row['request_id']}"]
        case _:
            return [f"table {table_named(store, flip.row['table_key'])}, hand {flip.row['hand_number']}"]


def ask(store: Path, statement: str, *values: Any) -> list[Any]:
    connection = sqlite3.connect(store)
    try:
        return [row[0] for row in connection.execute(statement, values)]
    finally:
        connection.close()


def table_named(store: Path, key: int) -> str:
    (name,) = ask(store, "SELECT table_id FROM tables WHERE table_key = ?", key)
    return str(name)


def set_of(store: Path, key: int) -> str:
    (name,) = ask(store, "SELECT entry_set_id FROM entry_sets WHERE set_key = ?", key)
    return str(name)


def entries_of(store: Path, account: int) -> list[str]:
    statement = "SELECT entry_id FROM entries WHERE account_key = ?"
    return [f"entry {number}" for number in ask(store, statement, account)]


def test_a_flip_anywhere_in_the_file_is_found_or_changes_no_row(filled: Path, tmp_path: Path) -> None:
    """Much of a small file is room that no row takes."""
    random, content, rows = Random("raw"), filled.read_bytes(), contents(filled)
    found = 0
    for _ in range(RAW_FLIPS):
        spoiled = bytearray(content)
        spoiled[random.randrange(len(content))] ^= 1 << random.randrange(8)
        copy = copied(filled, tmp_path)
        copy.write_bytes(spoiled)
        try:
            wrong = bool(audited(copy).findings)
        except (StoreUnusable, SchemaTooNew):
            wrong = True
        found += wrong
        assert wrong or contents(copy) == rows
    assert found > RAW_FLIPS // 10


def contents(store: Path) -> list[list[Any]]:
    connection = sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True)
    connection.text_factory = bytes
    try:
        return [sorted(map(repr, connection.execute(f"SELECT * FROM {table}"))) for table in KEYS]
    finally:
        connection.close()
