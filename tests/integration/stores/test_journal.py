"""What every store promises of its journal, of the one on disk and of the fake alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.support.units import TableUnits, outcome_of, outcomes_of

from croupier.room.ports import DURABLE, Failed, Outcome, Store


async def test_outcomes_come_in_the_order_of_submission(store: Store) -> None:
    came: list[int] = []
    tables = [TableUnits(f"t{number}") for number in range(20)]
    units = [table.created() for table in tables] + [table.unit() for table in tables for _ in range(5)]
    for place, unit in enumerate(units):
        store.submit(unit, _noting(came, place))
    await outcome_of(store, TableUnits("last").created())
    assert came == list(range(len(units)))


async def test_no_outcome_comes_within_submit(store: Store) -> None:
    came: list[Outcome] = []
    store.submit(TableUnits("t").created(), came.append)
    assert came == []
    await store.close()
    assert came == [DURABLE]


async def test_a_failing_callback_does_not_keep_the_next_from_its_outcome(store: Store) -> None:
    caught: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: caught.append(context["exception"]))
    failure = RuntimeError("the caller's own fault")

    def fail(_: Outcome) -> None:
        raise failure

    store.submit(TableUnits("t").created(), fail)
    assert await outcome_of(store, TableUnits("u").created()) == DURABLE
    assert caught == [failure]


async def test_recovery_reads_the_first_record_and_those_from_the_last_checkpoint(store: Store) -> None:
    table = TableUnits("t")
    units = [
        table.created(),
        table.unit(),
        table.unit(checkpoint=True),
        table.unit(),
        table.unit(checkpoint=True),
    ]
    units += [table.unit(), table.unit(public=False)]
    assert await outcomes_of(store, units) == [DURABLE] * 7
    records = [unit.records[0] for unit in units]
    (journal,) = await store.open_tables()
    assert (journal.table_id, journal.first, list(journal.tail)) == ("t", records[0], records[4:])
    assert await store.recover("t") == journal


async def test_a_table_without_a_checkpoint_is_read_as_a_whole(store: Store) -> None:
    table = TableUnits("t")
    units = [table.created(), table.unit(), table.unit()]
    await outcomes_of(store, units)
    (journal,) = await store.open_tables()
    assert list(journal.tail) == [unit.records[0] for unit in units]


async def test_a_closed_table_is_not_open_and_takes_nothing_more(store: Store) -> None:
    table, other = TableUnits("t"), TableUnits("other")
    units = [table.created(), other.created(), table.unit(), table.closed()]
    assert await outcomes_of(store, units) == [DURABLE] * 4
    assert [journal.table_id for journal in await store.open_tables()] == ["other"]
    assert isinstance(await outcome_of(store, table.unit()), Failed)
    journal = await store.recover("t")
    assert journal is not None
    assert len(journal.tail) == 3
    assert await store.recover("nowhere") is None


async def test_open_tables_come_in_the_order_of_creation(store: Store) -> None:
    names = ["b", "a", "c"]
    await outcomes_of(store, [TableUnits(name).created() for name in names])
    assert [journal.table_id for journal in await store.open_tables()] == names


@pytest.mark.parametrize("length", [1, 63, 64, 65, 128, 300])
async def test_records_are_found_by_public_sequence(store: Store, length: int) -> None:
    """Every third record is private to a player, so that several share a public sequence."""
    table, noise = TableUnits("t"), TableUnits("noise")
    units = [table.created()] + [table.unit(public=number % 3 != 0) for number in range(1, length)]
    between = [noise.created()] + [noise.unit() for _ in range(1, length)]
    await outcomes_of(store, [unit for pair in zip(units, between, strict=True) for unit in pair])
    records = [unit.records[0] for unit in units]
    for after in {0, 1, 2, 41, 42, 43, 44, length // 2, length - 2, length - 1, length + 5}:
        for limit in (1, 2, 64, 1000):
            expected = [record for record in records if record.sequence > after][:limit]
            assert await store.records("t", after, limit) == expected
            for known in {0, 1, 63, 64, 65, length // 2, length - 1, length}:
                later = [one for one in records if one.sequence > after and one.journal_sequence > known]
                assert await store.records("t", after, limit, after_record=known) == later[:limit]
    assert await store.records("nowhere", 0, 10) == []


async def test_closing_writes_what_waits_and_fails_what_comes_after(store: Store) -> None:
    came: list[Outcome] = []
    tables = [TableUnits(f"t{number}") for number in range(50)]
    for table in tables:
        store.submit(table.created(), came.append)
    closing = asyncio.ensure_future(store.close())
    await asyncio.sleep(0)
    store.submit(tables[0].unit(), came.append)
    await closing
    await asyncio.sleep(0.01)
    assert came[:50] == [DURABLE] * 50
    assert isinstance(came[50], Failed)


def _noting(came: list[int], place: int) -> Callable[[Outcome], None]:
    return lambda _: came.append(place)
