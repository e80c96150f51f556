"""A PostgreSQL store for tests of the audit: filled by a server, archived in part, told to a feed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.audited import Audited, fill
from tests.support.postgres import emptied_database, execute, fetch

from croupier.adapters import key_file
from croupier.adapters.games import GAMES
from croupier.adapters.postgres.books import PostgresBooks
from croupier.room.audit.anchor import Anchor
from croupier.room.audit.audit import Audit, Wanted
from croupier.room.audit.findings import Findings
from croupier.room.seal import Seal


class Filled(NamedTuple):
    """A database with its master key."""

    dsn: str
    key: Path

    def ask(self, query: str) -> str:
        """One value."""
        ((value,),) = self.rows(query)
        return str(value)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return asyncio.run(fetch(self.dsn, query, *values))

    def change(self, *statements: str) -> None:
        asyncio.run(execute(self.dsn, *statements))

    @contextmanager
    def kept(self, table: str) -> Iterator[None]:
        """A table's rows are as they were, afterwards."""
        self.change(f"CREATE TABLE kept_{table} AS TABLE {table}")
        try:
            yield
        finally:
            self.change(
                f"TRUNCATE {table}",
                f"INSERT INTO {table} SELECT * FROM kept_{table}",
                f"DROP TABLE kept_{table}",
            )

    def audited(self, *, redecide: bool = False, table_id: str = "", anchor: Anchor | None = None) -> Audited:
        key = key_file.read(self.key) if redecide else None
        seal, mark = (Seal(key), key_file.mark_of(key)) if key else (None, b"")
        findings = Findings()
        books = PostgresBooks(self.dsn)
        try:
            wanted = Wanted(table_id, anchor, seal, mark)
            looked = Audit(books, GAMES, wanted, findings, lambda *_: None).run()
        finally:
            books.close()
        return Audited(findings.kept, looked)


@contextmanager
def filled(directory: Path) -> Iterator[Filled]:
    """Whoever changes it undoes that."""
    with emptied_database() as dsn:
        key = directory / "master.key"
        asyncio.run(fill(directory, store=dsn, key_file=str(key)))
        yield Filled(dsn, key)
