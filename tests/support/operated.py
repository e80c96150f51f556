"""A store of either kind with servers over it one after another, tables that stand still, and the audit of it all."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.live import CURRENCY, PATIENCE, Backend, running
from tests.support.live_table import ONCE
from tests.support.postgres import execute
from tests.support.server import ServerProcess

from croupier.adapters import key_file
from croupier.adapters.games import GAMES
from croupier.adapters.postgres.books import PostgresBooks
from croupier.adapters.sqlite.books import SqliteBooks
from croupier.app import App
from croupier.client import CroupierError
from croupier.room.actor import TableActor
from croupier.room.audit.audit import Audit, Wanted
from croupier.room.audit.findings import Finding, Findings
from croupier.room.seal import Seal
from croupier.v1.hand_pb2 import ACTION_KIND_RAISE_TO
from croupier.v1.operator_service_pb2 import ResolveOutcome, ResolveTableResponse, SeatStanding

PLAYERS: Final = ("anna", "bert", "cleo")
WHY: Final = "the cards stuck together"
VOID: Final = ResolveOutcome.RESOLVE_OUTCOME_VOID_HAND
RESUME: Final = ResolveOutcome.RESOLVE_OUTCOME_RESUME


class Kept(NamedTuple):
    """A store: a file, or the database of a DSN."""

    directory: Path
    dsn: str

    @asynccontextmanager
    async def served(self, **settings: Any) -> AsyncIterator[tuple[App, Backend]]:
        """A server over the store, and a client that repeats nothing."""
        if self.dsn:
            settings |= {"store": self.dsn, "key_file": str(self._key)}
        async with (
            running(self.directory, **settings) as app,
            Backend(f"127.0.0.1:{app.port}", retry=ONCE) as backend,
        ):
            yield app, backend

    def process(self) -> ServerProcess:
        """A server over the store that can be killed."""
        return ServerProcess(self.directory, dsn=self.dsn)

    def audited(self) -> list[Finding]:
        """What an audit finds that decides every command anew; the store has no server."""
        findings = Findings()
        books = PostgresBooks(self.dsn) if self.dsn else SqliteBooks(self.directory / "croupier.db")
        try:
            wanted = Wanted("", None, Seal(key_file.read(self._key)))
            Audit(books, GAMES, wanted, findings, lambda *_: None).run()
        finally:
            books.close()
        return findings.kept

    @property
    def _key(self) -> Path:
        return self.directory / "croupier.key"


async def tell(kept: Kept, *statements: str) -> None:
    """Change the store behind its server's back."""
    if kept.dsn:
        await execute(kept.dsn, *statements)
        return
    with sqlite3.connect(kept.directory / "croupier.db") as connection:
        for statement in statements:
            connection.execute(statement)


async def refusal(call: Awaitable[object]) -> str:
    """What a call is refused for; empty where it is answered."""
    try:
        await call
    except CroupierError as failure:
        return failure.reason
    return ""


async def raised(backend: Backend) -> str:
    """A table where the first to act has raised to 20, and the others have to call; its table_id."""
    table_id = await backend.open_table(*PLAYERS)
    decision = await backend.dealt(table_id)
    while len((await backend.get_table(table_id)).hand.seats) < len(PLAYERS):
        decision = await backend.check_or_call(table_id, decision)
    await backend.act(table_id, decision, ACTION_KIND_RAISE_TO, 20)
    return table_id


async def played(backend: Backend, table_id: str) -> int:
    """Check and call the hand in play to its end; the number of the one that follows."""
    decision = await backend.dealt(table_id)
    hand_id = decision.hand_id
    while decision.hand_id == hand_id or not decision.hand_id:
        decision = await backend.check_or_call(table_id, await backend.dealt(table_id))
    return int(decision.hand_id.rpartition("/")[2])


async def halt(app: App, backend: Backend, table_id: str) -> None:
    """By a chip too many, which the next command finds."""
    actor = actor_of(app, table_id)
    assert actor.table.hand is not None
    actor.table.hand.pot += 1
    decision = await backend.decision(table_id)
    assert await refusal(backend.check_or_call(table_id, decision)) == "INVARIANT_VIOLATED"
    async with asyncio.timeout(PATIENCE):
        while actor.recovery.rebuilding:
            await asyncio.sleep(0.01)
    assert actor.halted


def actor_of(app: App, table_id: str) -> TableActor:
    (actor,) = [one for one in app._room.tables() if one.table_id == table_id]
    return actor


async def resolved(
    backend: Backend, table_id: str, outcome: ResolveOutcome.ValueType
) -> ResolveTableResponse:
    """By the token of a dry run, which must tell what then happens."""
    dry = await backend.try_resolve_table(table_id, outcome, WHY)
    done = await backend.resolve_table(table_id, outcome, WHY, dry.token)
    assert (done.before, done.after, done.token) == (dry.before, dry.after, "")
    return done


def chips(seats: Any) -> dict[str, tuple[int, int]]:
    """Stack and contribution of each player."""
    known: list[SeatStanding] = list(seats)
    return {seat.player_id: (seat.stack, seat.contribution) for seat in known}


async def state_of(backend: Backend, table_id: str) -> list[object]:
    """All that a refused resolution could have changed."""
    told: list[object] = [await backend.get_balance(player, CURRENCY) for player in PLAYERS]
    for viewer in ("", *PLAYERS):
        table = await backend.get_table(table_id, viewer)
        table.next_decision.ClearField("time_remaining")
        told.append(table)
    told += [entry async for entry in backend.list_entries()]
    told += [operation async for operation in backend.list_operations()]
    return told


async def balanced(backend: Backend) -> dict[str, int]:
    """Each account's balance by the entries, which must add up to nothing."""
    balances: dict[str, int] = {}
    async for entry in backend.list_entries():
        balances[entry.account] = balances.get(entry.account, 0) + entry.amount
    assert sum(balances.values()) == 0
    return balances


async def until(condition: Any) -> None:
    """Return once an awaited condition holds. Raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            await asyncio.sleep(0.01)
