"""A record that is not as it was stored, or is missing: its table stands still and says why, and others go on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from tests.support.live import Backend
from tests.support.operated import (
    PLAYERS,
    RESUME,
    VOID,
    WHY,
    Kept,
    actor_of,
    played,
    refusal,
    resolved,
    tell,
)
from tests.support.postgres import fetch

from croupier.client import CroupierError
from croupier.v1.hand_pb2 import ACTION_KIND_RAISE_TO, Decision
from croupier.v1.settlement_service_pb2 import HAND_FORMAT_PHH
from croupier.v1.table_pb2 import TABLE_STATE_HALTED, TABLE_STATE_OPEN

OF_TABLE: Final = "table_key = (SELECT table_key FROM tables WHERE table_id = '{table_id}')"


class Row(NamedTuple):
    """What of a record is damaged."""

    journal_sequence: int
    body: bytes
    sealed: bytes | None
    hash: bytes
    prev_hash: bytes
    checkpoint: bool


class Journal:
    """The rows of one table, changed behind the server's back."""

    def __init__(self, kept: Kept, table_id: str) -> None:
        self._kept = kept
        self._where = OF_TABLE.format(table_id=table_id)

    async def rows(self) -> list[Row]:
        columns = ", ".join(Row._fields)
        rows = await ask(self._kept, f"SELECT {columns} FROM journal WHERE {self._where} ORDER BY 1")
        return [Row(*row) for row in rows]

    async def flip(self, row: Row, column: str) -> None:
        """One bit of one byte in the middle."""
        value = bytearray(getattr(row, column))
        value[len(value) // 2] ^= 4
        literal = f"'\\x{value.hex()}'" if self._kept.dsn else f"x'{value.hex()}'"
        await self._change(row, f"UPDATE journal SET {column} = {literal}")

    async def remove(self, row: Row) -> None:
        await self._change(row, "DELETE FROM journal")

    async def _change(self, row: Row, statement: str) -> None:
        await tell(
            self._kept, f"{statement} WHERE {self._where} AND journal_sequence = {row.journal_sequence}"
        )


async def ask(kept: Kept, query: str) -> list[tuple[Any, ...]]:
    if kept.dsn:
        return await fetch(kept.dsn, query)
    with sqlite3.connect(kept.directory / "croupier.db") as connection:
        return connection.execute(query).fetchall()


def start_of(rows: list[Row]) -> Row:
    """The record with the start of the hand in play: the last with sealed cards."""
    return [row for row in rows if row.sealed is not None][-1]


def checkpoint_of(rows: list[Row]) -> Row:
    return [row for row in rows if row.checkpoint][-1]


DAMAGES: Final[dict[str, tuple[str, Callable[[list[Row]], Row]]]] = {
    "the last action": ("body", lambda rows: rows[-1]),
    "an action": ("body", lambda rows: rows[-2]),
    "a hash": ("hash", lambda rows: rows[-1]),
    "a link": ("prev_hash", lambda rows: rows[-2]),
    "the cards": ("sealed", start_of),
    "the checkpoint": ("body", checkpoint_of),
    "a missing action": ("", lambda rows: rows[-2]),
    "the missing last action": ("", lambda rows: rows[-1]),
    "the missing checkpoint": ("", checkpoint_of),
}
UNKNOWN: Final[dict[str, tuple[str, Callable[[list[Row]], Row]]]] = {
    "the first record": ("body", lambda rows: rows[0]),
    "the missing first record": ("", lambda rows: rows[0]),
}


async def in_second_hand(backend: Backend) -> tuple[str, Decision]:
    """A table with a checkpoint, in whose hand in play there was a raise; whoever acts next."""
    table_id = await backend.open_table(*PLAYERS)
    await played(backend, table_id)
    decision = await backend.dealt(table_id)
    while len((await backend.get_table(table_id)).hand.seats) < len(PLAYERS):
        decision = await backend.check_or_call(table_id, decision)
    await backend.act(table_id, decision, ACTION_KIND_RAISE_TO, 20)
    return table_id, await backend.dealt(table_id)


@pytest.mark.timeout(120)
async def test_what_is_missing_from_a_settled_hand_is_told_as_that(kept: Kept) -> None:
    """By all that tells of hands and of the past; the table itself plays on, since its hand in play is sound."""
    async with kept.served() as (_, backend):
        table_id, _ = await in_second_hand(backend)
        hand_id = f"{table_id}/1"
        await asyncio.sleep(1)  # until the index of hands has it
    journal = Journal(kept, table_id)
    rows = await journal.rows()
    row = next(row for row in rows if row.sealed is not None)
    await tell(kept, "CREATE TABLE saved AS SELECT * FROM journal")
    await journal.remove(rows[rows.index(row) + 2])
    async with kept.served() as (_, backend):
        assert (await backend.get_table(table_id)).state == TABLE_STATE_OPEN
        assert await refusal(backend.get_hand(hand_id)) == "JOURNAL_DAMAGED"
        assert await refusal(backend.verify_hand(hand_id)) == "JOURNAL_DAMAGED"
        assert await refusal(backend.export_hand(hand_id, HAND_FORMAT_PHH)) == "JOURNAL_DAMAGED"
        listed = {hand.hand_id: hand async for hand in backend.list_hands(played_by=PLAYERS[0])}
        assert listed[hand_id].damaged
        assert all(hand.damaged is not bool(hand.seats) for hand in listed.values())
        with pytest.raises(CroupierError) as told:
            async for _ in backend.watch(table_id, resume_after=1):
                pass
        assert told.value.reason == "JOURNAL_DAMAGED"
    await tell(kept, "DELETE FROM journal", "INSERT INTO journal SELECT * FROM saved", "DROP TABLE saved")
    async with kept.served() as (_, backend):
        assert (await backend.get_hand(hand_id)).hand_id == hand_id


@pytest.mark.timeout(180)
async def test_a_table_whose_journal_is_damaged_stands_still_and_every_other_goes_on(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        tables = {name: await in_second_hand(backend) for name in {**DAMAGES, **UNKNOWN}}
        ended = (await in_second_hand(backend))[0]
        sound, _ = await in_second_hand(backend)
    await damage(kept, tables, ended)
    async with kept.served() as (app, backend):
        await played(backend, sound)
        decision = (await backend.get_table(ended)).next_decision
        assert await refusal(backend.check_or_call(ended, decision)) == "TABLE_HALTED"
        for name in DAMAGES:
            table_id, decision = tables[name]
            assert (await backend.get_table(table_id)).state == TABLE_STATE_HALTED, name
            assert "JournalDamaged" in actor_of(app, table_id).halted, name
            assert await refusal(backend.check_or_call(table_id, decision)) == "TABLE_HALTED", name
            for outcome in (VOID, RESUME):
                told = await refusal(backend.try_resolve_table(table_id, outcome, WHY))
                assert told == "JOURNAL_DAMAGED", name
        for name in UNKNOWN:
            table_id, decision = tables[name]
            for call in (
                backend.get_table(table_id),
                backend.check_or_call(table_id, decision),
                backend.try_resolve_table(table_id, RESUME, WHY),
            ):
                assert await refusal(call) == "JOURNAL_DAMAGED", name
        assert app._readiness.why_not() == ""
        await put_back(kept, ended, sound)
        for name, (table_id, decision) in tables.items():
            assert await refusal(backend.check_or_call(table_id, decision)) == "TABLE_HALTED", name
    async with kept.served() as (_, backend):
        for name, (table_id, decision) in tables.items():
            table = await backend.get_table(table_id)
            assert table.state != TABLE_STATE_HALTED, name
            standing = await backend.decision(table_id)
            assert (standing.hand_id, standing.action_sequence) == (
                decision.hand_id,
                decision.action_sequence,
            )
        await asyncio.gather(*(played(backend, table_id) for table_id, _ in tables.values()))


@pytest.mark.timeout(180)
async def test_a_journal_that_was_put_right_is_read_anew_as_its_table_is_resolved(kept: Kept) -> None:
    """Without a restart: the operator who has put the record back says when the table goes on."""
    async with kept.served() as (_, backend):
        tables = {name: await in_second_hand(backend) for name in {**DAMAGES, **UNKNOWN}}
        ended = await in_second_hand(backend)
        sound, _ = await in_second_hand(backend)
    if not kept.dsn:  # a database gives open tables alone to a server that starts
        tables["a row that says closed"] = ended
    await damage(kept, tables, ended[0])
    async with kept.served() as (app, backend):
        for name in {**DAMAGES, **UNKNOWN}:
            told = await refusal(backend.try_resolve_table(tables[name][0], RESUME, WHY))
            assert told == "JOURNAL_DAMAGED", name
        await put_back(kept, ended[0], sound)
        for name, (table_id, decision) in tables.items():
            assert await refusal(backend.check_or_call(table_id, decision)) == "TABLE_HALTED", name
            done = await resolved(backend, table_id, RESUME)
            assert (done.before.state, done.after.state) == (TABLE_STATE_HALTED, TABLE_STATE_OPEN), name
            assert done.after.hand_id == decision.hand_id, name
            standing = await backend.decision(table_id)
            assert standing.action_sequence == decision.action_sequence, name
        await asyncio.gather(*(played(backend, table_id) for table_id, _ in tables.values()))
        await played(backend, sound)
        assert len(app._room.tables()) == len(tables) + 1
        await asyncio.gather(*(gone_on(backend, table_id) for table_id, _ in tables.values()))
    assert await asyncio.to_thread(kept.audited) == []


async def gone_on(backend: Backend, table_id: str) -> None:
    """The table's streams go on too, and it can be closed."""
    assert (await anext(backend.watch(table_id))).table_id == table_id  # type: ignore[union-attr]
    await backend.close_table(table_id)


async def damage(kept: Kept, tables: dict[str, tuple[str, Decision]], ended: str) -> None:
    """Each table in its way; `saved` has what the journal was."""
    await tell(kept, "CREATE TABLE saved AS SELECT * FROM journal")
    for name, (column, which) in {**DAMAGES, **UNKNOWN}.items():
        journal = Journal(kept, tables[name][0])
        row = which(await journal.rows())
        await (journal.flip(row, column) if column else journal.remove(row))
    await tell(kept, f"UPDATE tables SET closed = {'true' if kept.dsn else 1} WHERE table_id = '{ended}'")


async def put_back(kept: Kept, ended: str, sound: str) -> None:
    others = f"WHERE NOT {OF_TABLE.format(table_id=sound)}"
    restored = f"INSERT INTO journal SELECT * FROM saved {others}"
    opened = f"UPDATE tables SET closed = {'false' if kept.dsn else 0} WHERE table_id = '{ended}'"
    await tell(kept, f"DELETE FROM journal {others}", restored, "DROP TABLE saved", opened)
