"""Rows deleted from any table of a SQLite store, and lasting answers changed or invented, their hashes made right."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from tests.support.audited import audited, changed, copied
from tests.support.flips import KEYS, SECRETS, columns
from tests.support.journal_maker import JOURNALS

from croupier.room.audit.anchor import Anchor
from croupier.room.ports import RequestRecord
from croupier.room.row_hash import request_hash

_KINDS: Final = {"requests": "method", "entry_sets": "kind", "operations": "method"}
METHODS: Final = (
    "Deposit", "Withdraw", "CreateTable", "ReserveSeat", "BuyIn", "CashOut", "CloseTable", "AdjustBalance",
    "BlockPlayer", "UnblockPlayer", "RemovePlayer", "wallet.reserve", "wallet.post",
)  # fmt: skip


def anchor_of(store: Path) -> Anchor:
    anchor = audited(store).looked.anchor
    assert anchor is not None
    return anchor


def rows(store: Path, statement: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(store)
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("table", KEYS)
def test_a_row_that_is_gone_is_missed(table: str, filled: Path, tmp_path: Path) -> None:
    """One of each kind."""
    assert table in {name for name, _ in columns(filled)} - SECRETS
    keys, kind = ", ".join(KEYS[table]), _KINDS.get(table, "'row'")
    kinds = [value for (value,) in rows(filled, f"SELECT DISTINCT {kind} FROM {table}")]
    for value in kinds:
        copy = copied(filled, tmp_path)
        changed(
            copy,
            "PRAGMA foreign_keys = OFF",
            f"DELETE FROM {table} WHERE ({keys}) IN"
            f" (SELECT {keys} FROM {table} WHERE {kind} = '{value}' ORDER BY {keys} LIMIT 1)",
        )
        assert audited(copy).findings, value


@pytest.mark.parametrize("method", METHODS)
def test_a_lasting_answer_that_is_gone_is_missed(method: str, filled: Path, tmp_path: Path) -> None:
    """Each by itself: what was done tells of it."""
    anchor = anchor_of(filled)
    for (request_id,) in rows(filled, f"SELECT request_id FROM requests WHERE method = '{method}' LIMIT 3"):
        copy = copied(filled, tmp_path)
        changed(copy, f"DELETE FROM requests WHERE method = '{method}' AND request_id = '{request_id}'")
        found = audited(copy, anchor=anchor)
        assert [one for one in found.findings if one.check != "anchor"]
        assert found.named(check="anchor")


def written(store: Path, request: RequestRecord, *, anew: bool) -> None:
    """Put an answer into the store, whose hash is right."""
    connection = sqlite3.connect(store, isolation_level=None)
    row = (request.digest, request.answer, request_hash(request), request.principal, request.method)
    statement = (
        "INSERT INTO requests (digest, answer, hash, principal, method, request_id) VALUES (?, ?, ?, ?, ?, ?)"
        if anew
        else "UPDATE requests SET digest = ?, answer = ?, hash = ?"
        " WHERE principal = ? AND method = ? AND request_id = ?"
    )
    connection.execute(statement, (*row, request.request_id))
    connection.close()


def answered(store: Path, method: str) -> RequestRecord:
    return RequestRecord(
        *rows(
            store,
            "SELECT principal, method, request_id, digest, answer FROM requests"
            f" WHERE method = '{method}' ORDER BY request_id LIMIT 1",
        )[0]
    )


@pytest.mark.parametrize("method", METHODS)
def test_an_invented_answer_is_found(method: str, store: Path) -> None:
    """Repeated under that name, a request would be answered and never carried out."""
    real = answered(store, method)
    written(store, RequestRecord(real.principal, method, "invented", real.digest, real.answer), anew=True)
    named = [one for one in audited(store).findings if one.request.endswith(f"/{method}/invented")]
    assert named


@pytest.mark.parametrize("method", ["Deposit", "Withdraw", "wallet.reserve", "wallet.post"])
def test_an_answer_to_another_request_is_found(method: str, store: Path) -> None:
    """The digest says what was asked for: who asks for that is told that it was done."""
    real = answered(store, method)
    digest = bytes(32)
    written(store, RequestRecord(real.principal, method, real.request_id, digest, real.answer), anew=False)
    assert [one for one in audited(store).findings if one.request.endswith(real.request_id)]


@pytest.mark.parametrize(
    ("method", "field", "value"),
    [
        ("Deposit", "available", 1),
        ("Withdraw", "available", 1),
        ("Deposit", "player_id", "nobody"),
        ("CreateTable", "table", {"table_id": "another"}),
        ("ReserveSeat", "sequence", 1_000_000),
        ("CashOut", "returned", 7),
        ("AdjustBalance", "after", 7),
        ("BlockPlayer", "block", {"player_id": "nobody", "kind": "OPERATOR"}),
    ],
)
def test_an_answer_that_tells_of_something_else_is_found(
    method: str, field: str, value: Any, store: Path
) -> None:
    """What the other rows prove; the anchor binds the rest."""
    real = answered(store, method)
    told = msgspec.msgpack.decode(real.answer) | {field: value}
    answer = msgspec.msgpack.encode(told)
    written(store, msgspec.structs.replace(real, answer=answer), anew=False)
    assert [one for one in audited(store).findings if one.check in ("requests", "ledger")]


def test_what_no_row_proves_of_an_answer_is_bound_by_an_anchor(store: Path) -> None:
    """What a seat looked like, or what was at tables, as it was answered."""
    anchor = anchor_of(store)
    real = answered(store, "Deposit")
    told = msgspec.msgpack.decode(real.answer) | {"reserved": 12}
    written(store, msgspec.structs.replace(real, answer=msgspec.msgpack.encode(told)), anew=False)
    assert audited(store).findings == []
    (finding,) = audited(store, anchor=anchor).findings
    assert (finding.check, "lasting answers" in finding.what) == ("anchor", True)


def test_an_anchor_of_before_it_bound_answers_is_still_good(store: Path) -> None:
    anchor = msgspec.structs.replace(anchor_of(store), answers=None)
    assert audited(store, anchor=anchor).findings == []


def test_a_table_whose_record_names_no_request_has_its_answer_all_the_same(tmp_path: Path) -> None:
    """Formats of before: the answer names the table."""
    store = tmp_path / "format_2.db"
    for kept in JOURNALS.glob("format_2.*"):
        shutil.copy(kept, tmp_path / kept.name)
    assert audited(store).findings == []
    changed(
        store,
        "DELETE FROM requests WHERE request_id = (SELECT max(request_id) FROM requests WHERE method = 'CreateTable')",
    )
    (finding,) = audited(store).findings
    assert (finding.check, finding.record) == ("requests", 1)
