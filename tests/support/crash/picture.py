"""All that a store says, as it must be equal in two runs: everything but times, and what hashes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from tests.support.crash.steps import named, place

from croupier.adapters.games import GAMES
from croupier.adapters.sqlite.books import SqliteBooks
from croupier.adapters.units.staging import key_of
from croupier.room import codec
from croupier.room.audit.audit import Audit, Wanted
from croupier.room.audit.books import Books
from croupier.room.audit.findings import Findings
from croupier.room.ports import RequestRecord
from croupier.room.seal import Seal

MASTER_KEY: Final = "42" * 32
_TIMES_FROM: Final = 10**18
"""Greater than any chips, and smaller than the nanoseconds since the epoch at any time of these tests."""


@contextmanager
def books_of(store: str) -> Iterator[Books]:
    """The books of a store, as the setting names it."""
    if store.startswith("sqlite:"):
        books: Any = SqliteBooks(Path(store.removeprefix("sqlite:")))
    else:
        from croupier.adapters.postgres.books import PostgresBooks

        books = PostgresBooks(store)
    try:
        yield books
    finally:
        books.close()


def picture(store: str) -> dict[str, list[Any]]:
    """Journals, ledger, accounts and lasting answers."""
    with books_of(store) as books:
        return {
            "records": [_record(stored.record) for stored in books.records()],
            "entry sets": [
                (one.entry_set_id, one.kind, one.table_id, one.hand_id) for one in books.entry_sets()
            ],
            "entries": [(one.set_key, one.account, one.currency, one.amount) for one in books.entries()],
            "accounts": [(one.name, one.currency, one.balance) for one in books.accounts()],
            "requests": [
                (*key_of(one.request), _digest(one.request), _timeless(_answer(one.request.answer)))
                for one in books.requests()
            ],
        }


def must_be_sound(store: str) -> None:
    """Fails where an audit finds anything; every command is decided anew."""
    findings = Findings()
    with books_of(store) as books:
        wanted = Wanted("", None, Seal(bytes.fromhex(MASTER_KEY)))
        Audit(books, GAMES, wanted, findings, lambda *_: None).run()
    assert not findings.kept, findings.kept


def addresses(store: str) -> set[str]:
    """What the units are called that are in a store."""
    with books_of(store) as books:
        records = {place(one.record.table_id, one.record.journal_sequence) for one in books.records()}
        requests = {named(one.request.method, one.request.request_id) for one in books.requests()}
    return records | requests


def kinds(store: str) -> list[tuple[str, str]]:
    """Every record's table and the kind of its command, in order."""
    with books_of(store) as books:
        return [
            (
                stored.record.table_id,
                type(codec.decode(stored.record.body, stored.record.format).command).__name__,
            )
            for stored in books.records()
        ]


def _record(record: Any) -> Any:
    body = codec.decode(record.body, record.format)
    said = _timeless(msgspec.to_builtins((body.command, body.events)))
    numbers = (record.table_id, record.journal_sequence, record.sequence, record.checkpoint)
    return (*numbers, record.principal, record.request_id, said, record.sealed)


def _digest(request: RequestRecord) -> bytes:
    """What a request asked for. A token is of hashes, and so of times."""
    return b"" if request.method == "ResolveTable" else request.digest


def _answer(answer: bytes) -> Any:
    """What is kept of an answer; of a wallet's steps, a word."""
    return answer if answer in (b"moved", b"voided") else msgspec.msgpack.decode(answer)


def _timeless(value: Any) -> Any:
    if isinstance(value, int):
        return "a time" if value > _TIMES_FROM else value
    if isinstance(value, list | tuple):
        return [_timeless(one) for one in value]
    if isinstance(value, dict):
        return {key: _timeless(one) for key, one in value.items()}
    return value
