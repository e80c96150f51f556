"""What every store keeps of the key of a table's hand, and that nothing of it stays once it is destroyed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.support.stores import opened
from tests.support.units import TableUnits, money, outcome_of, outcomes_of

from croupier.room.ports import DURABLE, Failed, Store, Unit

KEY, LATER = b"wrapped key of a hand, of 68 bytes or so, " * 2, b"another wrapped key, of the next hand " * 2


def with_key(unit: Unit, key: bytes) -> Unit:
    unit.hand_key = key
    return unit


async def kept(store: Store, table_id: str) -> bytes:
    journal = await store.recover(table_id)
    assert journal is not None
    assert [one.hand_key for one in await store.open_tables() if one.table_id == table_id] == [
        journal.hand_key
    ]
    return journal.hand_key


async def test_a_key_stays_until_another_unit_says_otherwise(store: Store) -> None:
    table, other = TableUnits("t"), TableUnits("u")
    await outcomes_of(store, [table.created(), other.created()])
    assert await kept(store, "t") == b""
    assert await outcome_of(store, with_key(table.unit(), KEY)) is DURABLE
    await outcomes_of(store, [table.unit(), other.unit(checkpoint=True)])
    assert (await kept(store, "t"), await kept(store, "u")) == (KEY, b"")
    await outcomes_of(store, [with_key(table.unit(checkpoint=True), b""), with_key(other.unit(), LATER)])
    assert (await kept(store, "t"), await kept(store, "u")) == (b"", LATER)
    await outcome_of(store, with_key(table.unit(), LATER))
    assert await kept(store, "t") == LATER


async def test_of_several_in_one_commit_the_last_holds(store: Store) -> None:
    table = TableUnits("t")
    units = [
        table.created(),
        with_key(table.unit(), KEY),
        with_key(table.unit(), b""),
        with_key(table.unit(), LATER),
    ]
    await outcomes_of(store, units)
    assert await kept(store, "t") == LATER


async def test_a_unit_that_is_refused_leaves_the_key(store: Store) -> None:
    table = TableUnits("t")
    await outcomes_of(store, [table.created(), with_key(table.unit(), KEY)])
    table.record()
    outcome = await outcome_of(store, with_key(table.unit(), b""))
    assert isinstance(outcome, Failed)
    assert await kept(store, "t") == KEY
    await outcome_of(store, money("m", ("world", -1), ("wallet/a", 1)))
    assert await kept(store, "t") == KEY


async def test_nothing_of_a_destroyed_key_stays_in_the_file(tmp_path: Path) -> None:
    """The write-ahead log is emptied by the checkpoint at the end; a backup taken before has what it has."""
    async with opened("sqlite", tmp_path) as store:
        table = TableUnits("t")
        await outcomes_of(store, [table.created(), with_key(table.unit(), KEY)])
        await outcome_of(store, with_key(table.unit(checkpoint=True), b""))
    connection = sqlite3.connect(tmp_path / "store.db")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert any(b"body 2" in data for data in files)
    assert not any(KEY[:16] in data for data in files)
