"""What the writer does with the units it has gathered: one statement, one outcome a unit, whatever happens.

A statement whose answer is lost with its connection is in the store or not; the next connection tells.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import asyncpg

from croupier.adapters.postgres import fleet
from croupier.adapters.postgres.connecting import LOST, connect
from croupier.adapters.postgres.figures import Figures
from croupier.adapters.postgres.heads import Head, Heads
from croupier.adapters.postgres.ledger import Ledger
from croupier.adapters.postgres.operations import Operations
from croupier.adapters.postgres.own_node import OwnNode
from croupier.adapters.postgres.requests import Requests
from croupier.adapters.postgres.statement import Part, compose
from croupier.adapters.postgres.text import stored
from croupier.adapters.postgres.unusable import Replaced
from croupier.adapters.units.staging import Staging
from croupier.room.ports import DURABLE, Outcome, Unit

RECONNECT_S: Final = 2.0
"""How long units wait for a connection before they fail, nothing of them having been sent."""
_PAUSE_S: Final = 0.1
_MOST_PAUSE_S: Final = 1.0
_SPOILT: Final = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DataError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
)
"""Where one unit is the matter, or what is remembered of the database."""
_SHARED_TRIES: Final = 5
"""Another node may write between what is read and what is written; in a store of one's own nobody does."""


class Lost(Exception):
    """Raised when a statement's answer was lost with its connection."""


class Transactions:
    """Writes batches. A table one of whose units failed is halted: its units fail until `resume`."""

    def __init__(
        self,
        dsn: str,
        connection: asyncpg.Connection[Any],
        own_node: OwnNode,
        *,
        before_commit: Callable[[], None] | None = None,
    ) -> None:
        self.trouble = ""
        """Why nothing can be written just now, empty while it can."""
        self.closing = False
        """Whether an outage is no longer waited for."""
        self.written = time.monotonic()
        """When something was last written, which renews the lease."""
        self.figures = Figures(own_node.lease_s)
        self._dsn = dsn
        self._connection = connection
        self._own_node = own_node
        self._before_commit = before_commit
        self._tries = _SHARED_TRIES if own_node.shared else 1
        self._heads = Heads(own_node.node_id)
        self._ledger = Ledger()
        self._requests = Requests()
        self._operations = Operations()
        self._parts = (self._heads, self._ledger, self._requests, self._operations)
        self._staging: Staging[Head] = Staging(*self._parts, time.time_ns)

    async def write(self, units: Sequence[Unit]) -> list[Outcome]:
        """The units' outcomes. Raises Replaced; then nothing of them will ever be stored by this owner."""
        try:
            await self._ready(RECONNECT_S)
        except LOST as failure:
            return [
                self._staging.fail(unit, f"the database cannot be reached: {failure!r}") for unit in units
            ]
        try:
            return await self._attempt(units, known_sets=False)
        except Exception as failure:
            return await self._after(failure, units)

    async def _after(self, failure: Exception, units: Sequence[Unit]) -> list[Outcome]:
        """After a transaction that failed: nothing of it is kept.

        Where one unit is the matter (a set that is known, a value that cannot be stored) or what is remembered,
        the units are written from what the database says; then one by one, and only those fail that must. Another
        node that writes meanwhile can make any of it be tried again.
        """
        self._forget()
        if isinstance(failure, Replaced):
            raise failure
        if not isinstance(failure, _SPOILT):
            return [self._staging.fail(unit, f"the commit failed: {failure}") for unit in units]
        for _ in range(self._tries):
            try:
                return await self._attempt(units, known_sets=True)
            except _SPOILT:
                self._forget()
            except Exception as again:
                return await self._after(again, units)
        return [await self._alone(unit) for unit in units]

    async def _alone(self, unit: Unit) -> Outcome:
        why = ""
        for _ in range(self._tries):
            try:
                return (await self._attempt((unit,), known_sets=True))[0]
            except Replaced:
                raise
            except Exception as failure:
                self._forget()
                why = f"the unit cannot be stored: {failure!r}"
                if not isinstance(failure, _SPOILT):
                    break
        return self._staging.fail(unit, why)

    async def _attempt(self, units: Sequence[Unit], *, known_sets: bool) -> list[Outcome]:
        self._staging.begin()
        try:
            await self._heads.load(self._connection, units, new_ones_too=known_sets)
            await self._ledger.load(self._connection, units, known_sets=known_sets)
            await self._operations.load(self._connection, units)
            if known_sets:
                await self._requests.load(self._connection, units)
        except LOST as failure:
            self._connection.terminate()
            raise ConnectionError(f"the database cannot be reached: {failure!r}") from failure
        outcomes = [self._staging.stage(unit) for unit in units]
        if not known_sets and _doubtful(units, outcomes):
            self._forget()
            return await self._attempt(units, known_sets=True)
        parts = [rows for part in self._parts for rows in part.parts()]
        if any(rows for _, rows in parts):
            await self._run(parts)
        for part in self._parts:
            part.settle()
        return outcomes

    async def run(self, parts: Sequence[tuple[Part, Sequence[Sequence[Any]]]] = ()) -> None:
        """Write rows, all or none, and renew the lease; return once they are on disk.

        Raises Replaced, what PostgreSQL raises, and one of LOST where nothing became durable.
        """
        await self._ready(RECONNECT_S)
        await self._run(parts)

    async def _run(self, parts: Sequence[tuple[Part, Sequence[Sequence[Any]]]]) -> None:
        text, arrays = compose(parts)
        sent = time.monotonic()
        try:
            written = await self._send(text, (*self._own_node.proof(), *arrays))
        except Lost as lost:
            if await self._landed():
                return
            raise ConnectionError(f"the connection to the database was lost: {lost}") from lost
        if not written:
            raise Replaced(await self._own_node.told(self._connection))
        self._own_node.commits += 1
        self.written = time.monotonic()
        self.figures.renewed(sent)

    async def claim(self, table_ids: Sequence[str]) -> None:
        """Make those of the tables ours that nobody has whose lease runs. Raises as `run` does."""
        await self._ready(RECONNECT_S)
        self.figures.claims(table_ids, await fleet.ownerless_seconds(self._connection, table_ids))
        self.figures.declared_dead += await fleet.declare_dead(self._connection, self._own_node, table_ids)
        await self._run([(fleet.CLAIMED, [(stored(table_id),) for table_id in table_ids])])
        for table_id in table_ids:
            self.resume(table_id)

    async def hand_over(self, moves: Mapping[str, str]) -> set[str]:
        """Give tables away; those are told that are not ours any more. Raises as `run` does."""
        await self.run([(fleet.HANDED_OVER, [(stored(table_id), node) for table_id, node in moves.items()])])
        for table_id in moves:
            self._heads.forget_table(table_id)
        return {*moves} - await fleet.ours(self._connection, self._own_node.node_id, list(moves))

    async def set_serving(self, serving: bool) -> None:
        """Say whether this node takes tables. Raises as `run` does."""
        await self._ready(RECONNECT_S)
        await self._own_node.set_serving(self._connection, serving)

    async def log_read(self, number: int) -> None:
        """Note how far this node knows the operator log. Raises as `run` does."""
        await self._ready(RECONNECT_S)
        await self._own_node.log_read(self._connection, number)

    def resume(self, table_id: str) -> None:
        """Takes units of a halted table again; they follow what the database holds."""
        self._staging.resume(table_id)
        self._heads.forget_table(table_id)

    def fail(self, units: Sequence[Unit], why: str) -> list[Outcome]:
        """Outcomes of units that are not to be written."""
        return [self._staging.fail(unit, why) for unit in units]

    async def close(self) -> None:
        """Give the store back, as far as the database can be reached."""
        with contextlib.suppress(*LOST, asyncpg.PostgresError):
            async with asyncio.timeout(RECONNECT_S):
                await self._own_node.give_back(self._connection)
                await self._connection.close()
        self._connection.terminate()

    async def _send(self, text: str, values: Sequence[Any]) -> bool:
        """One round trip, in which the statement is its own transaction; with a hook, three."""
        try:
            if self._before_commit is None:
                return bool(await self._connection.fetchval(text, *values))
            return await self._send_with_hook(self._before_commit, text, values)
        except LOST as failure:
            raise Lost(repr(failure)) from failure
        except asyncpg.PostgresError as failure:
            if self._connection.is_closed():
                raise Lost(repr(failure)) from failure
            raise

    async def _send_with_hook(self, hook: Callable[[], None], text: str, values: Sequence[Any]) -> bool:
        await self._connection.execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
        try:
            written = bool(await self._connection.fetchval(text, *values))
            if any(values[5:]):
                await asyncio.to_thread(hook)
        except BaseException:
            await self._connection.execute("ROLLBACK")
            raise
        await self._connection.execute("COMMIT")
        return written

    async def _landed(self) -> bool:
        """Whether the statement whose answer was lost is in the store: asked until the database says so."""
        pause = _PAUSE_S
        while True:
            try:
                return await self._reconnect()
            except (*LOST, asyncpg.PostgresError) as failure:
                self.trouble = f"the database cannot be reached: {failure!r}"
                if self.closing:
                    raise ConnectionError(
                        "the server stopped before it was known whether this is stored"
                    ) from failure
            await asyncio.sleep(pause)
            pause = min(2 * pause, _MOST_PAUSE_S)

    async def _ready(self, patience_s: float) -> None:
        """Return with a connection that is open, as far as is known. Raises Replaced, one of LOST."""
        if not self._connection.is_closed():
            return
        until = time.monotonic() + patience_s
        while True:
            try:
                await self._reconnect()
            except (*LOST, asyncpg.PostgresError) as failure:
                self.trouble = f"the database cannot be reached: {failure!r}"
                if time.monotonic() > until or self.closing:
                    raise OSError(str(failure) or repr(failure)) from failure
            else:
                return
            await asyncio.sleep(_PAUSE_S)

    async def _reconnect(self) -> bool:
        """Write over a new connection; whether what was under way over the old one is in the store."""
        self._connection.terminate()
        connection = await connect(self._dsn)
        sent = time.monotonic()
        try:
            landed = await self._own_node.connected(connection)
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection
        self.written = time.monotonic()
        self.figures.renewed(sent)
        self.trouble = ""
        return landed

    def _forget(self) -> None:
        self._staging.undo()
        for part in self._parts:
            part.forget()


def _doubtful(units: Sequence[Unit], outcomes: Sequence[Outcome]) -> bool:
    """Whether a unit is not to be written whose entry sets may be known: then they would have changed nothing."""
    return any(
        unit.entry_sets and outcome is not DURABLE for unit, outcome in zip(units, outcomes, strict=True)
    )
