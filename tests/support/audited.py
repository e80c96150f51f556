"""Stores for tests of the audit: one that a server has filled, copies of it, and what an audit of one finds."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.live import CURRENCY, Backend, number_of, running

from croupier.adapters import key_file
from croupier.adapters.games import GAMES
from croupier.adapters.sqlite.books import SqliteBooks
from croupier.room.audit.anchor import Anchor
from croupier.room.audit.audit import Audit, Looked, Wanted
from croupier.room.audit.findings import Finding, Findings
from croupier.room.seal import Seal
from croupier.v1.hand_pb2 import ACTION_KIND_RAISE_TO
from croupier.v1.operator_service_pb2 import BlockKind


class Audited(NamedTuple):
    """What an audit came to."""

    findings: list[Finding]
    looked: Looked

    def named(self, **place: Any) -> list[Finding]:
        """The findings at a place."""
        return [
            finding
            for finding in self.findings
            if all(getattr(finding, name) == value for name, value in place.items())
        ]


async def quietly(backend: Backend, table_id: str, until_hand: int) -> None:
    """Hands in which one player raises and the others call, so that nobody loses all."""
    raised = 0
    decision = await backend.dealt(table_id)
    while number_of(decision) < until_hand:
        least = decision.legal_actions.min_raise_to
        if least and raised < number_of(decision):
            raised = number_of(decision)
            answer = await backend.act(table_id, decision, ACTION_KIND_RAISE_TO, least)
            decision = answer.next_decision
        else:
            decision = await backend.check_or_call(table_id, decision)


async def fill(directory: Path, **settings: Any) -> Path:
    """A store with a table in mid-hand, one that is closed, and money that came and went; the server is stopped."""
    async with running(directory, **settings) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        playing = await backend.open_table("anna", "bert", "cleo", "fred", "gina", name="first")
        over = await backend.open_table("dora", "egon", name="second")
        await quietly(backend, playing, until_hand=6)
        await quietly(backend, over, until_hand=3)
        await backend.close_table(over)
        while (decision := await backend.decision(over)).player_id:
            await backend.check_or_call(over, decision)
        await backend.cash_out(playing, (await backend.decision(playing)).player_id)
        await quietly(backend, playing, until_hand=9)
        for _ in range(3):
            await backend.check_or_call(playing, await backend.decision(playing))
        await backend.adjust_balance("anna", CURRENCY, 40, "a bonus that was forgotten")
        await backend.adjust_balance("dora", CURRENCY, -40, "a bonus that was given twice")
        await backend.block_player("zoe", BlockKind.BLOCK_KIND_OPERATOR, "a second account")
        await backend.unblock_player("zoe", "no second account")
        leaving = (await backend.get_table(playing)).seats[-1].player_id
        await backend.remove_player(playing, leaving, "asked for it on the telephone")
        await backend.withdraw("anna", CURRENCY, 17)
    return directory / "croupier.db"


def copied(store: Path, directory: Path, name: str = "copy") -> Path:
    """The store and its key under another name."""
    copy = directory / f"{name}.db"
    for part in ("-wal", "-shm"):
        Path(f"{copy}{part}").unlink(missing_ok=True)
    shutil.copy(store, copy)
    shutil.copy(store.with_suffix(".key"), copy.with_suffix(".key"))
    copy.with_suffix(".key").chmod(0o600)
    return copy


def audited(
    store: Path, *, anchor: Anchor | None = None, redecide: bool = False, table_id: str = ""
) -> Audited:
    key = key_file.read(store.with_suffix(".key")) if redecide else None
    findings = Findings()
    books = SqliteBooks(store)
    try:
        wanted = Wanted(table_id, anchor, Seal(key) if key else None, key_file.mark_of(key) if key else b"")
        looked = Audit(books, GAMES, wanted, findings, _untold).run()
    finally:
        books.close()
    return Audited(findings.kept, looked)


def _untold(part: str, done: int, total: int) -> None:
    """Nobody watches."""


def changed(store: Path, *statements: str) -> None:
    """Change a store behind its server's back."""
    connection = sqlite3.connect(store, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()
