"""What every store promises of records that do not follow, of the one on disk and of the fake alike."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tests.support.units import TableUnits, outcome_of, outcomes_of

from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, Failed, Outcome, Store, Unit


def _altered(unit: Unit, **changes: object) -> Unit:
    return Unit((msgspec.structs.replace(unit.records[0], **changes),), unit.entry_sets)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda unit: _altered(unit, journal_sequence=4),
        lambda unit: _altered(unit, journal_sequence=2),
        lambda unit: _altered(unit, journal_sequence=1),
        lambda unit: _altered(unit, prev_hash=b"\1" * 32),
        lambda unit: _altered(unit, epoch=2),
        lambda unit: _altered(unit, epoch=0),
        lambda unit: _altered(unit, sequence=1),
    ],
    ids=["gap", "repeated", "first", "other hash", "later epoch", "earlier epoch", "sequence falls"],
)
async def test_a_record_that_does_not_follow_is_refused_with_its_whole_unit(
    store: Store, spoil: Callable[[Unit], Unit]
) -> None:
    table, bystander = TableUnits("t"), TableUnits("bystander")
    await outcomes_of(store, [table.created(), table.unit(), bystander.created()])
    sound = table.unit()
    sound.entry_sets = (ledger.deposit("ann", "POE", 5, "with the record"),)
    outcomes = await outcomes_of(store, [spoil(sound), bystander.unit(), table.unit()])
    assert [type(outcome) for outcome in outcomes] == [Failed, type(DURABLE), Failed]
    assert await store.balance(accounts.wallet("ann"), "POE") == 0
    assert len(await store.records("t", 0, 10)) == 2


async def test_after_a_failure_a_table_waits_for_recovery(store: Store) -> None:
    table = TableUnits("t")
    await outcome_of(store, table.created())
    lost, follows = table.unit(), table.unit()
    assert isinstance(await outcome_of(store, _altered(lost, epoch=9)), Failed)
    assert isinstance(await outcome_of(store, lost), Failed)
    journal = await store.recover("t")
    assert journal is not None
    assert await outcomes_of(store, [lost, follows]) == [DURABLE, DURABLE]


async def test_recovery_comes_after_what_was_submitted_before_it(store: Store) -> None:
    table = TableUnits("t")
    came: list[Outcome] = []
    for unit in (table.created(), table.unit(), _altered(table.unit(), epoch=9), table.unit()):
        store.submit(unit, came.append)
    journal = await store.recover("t")
    assert [type(outcome) for outcome in came] == [type(DURABLE), type(DURABLE), Failed, Failed]
    assert journal is not None
    table.restart_at(journal.tail[-1])
    assert await outcome_of(store, table.unit()) == DURABLE


async def test_a_table_is_created_once(store: Store) -> None:
    table = TableUnits("t")
    assert await outcome_of(store, table.created()) == DURABLE
    assert isinstance(await outcome_of(store, TableUnits("t").created()), Failed)
    assert await outcome_of(store, table.unit()) == DURABLE


async def test_a_table_nobody_created_takes_nothing(store: Store) -> None:
    table = TableUnits("t")
    table.created()
    assert isinstance(await outcome_of(store, table.unit()), Failed)
