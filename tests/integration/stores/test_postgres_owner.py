"""One owner at a time: who does not hold the store's lease any more writes nothing, and is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.support.postgres import empty_database, execute, fetch
from tests.support.postgres_audit import audit
from tests.support.units import TableUnits, outcome_of, outcomes_of

from croupier.adapters.postgres import PostgresStore, SchemaTooNew, StoreUnusable
from croupier.adapters.postgres.schema import VERSION, configuration
from croupier.room import accounts, ledger
from croupier.room.failures import StoreAway
from croupier.room.hand_ports import HandPlace, SettledHand
from croupier.room.ports import DURABLE, Failed, Unit

LEASE = 0.5


class Owner:
    """A store whose owner can be made to stand still."""

    def __init__(self, store: PostgresStore, told: list[str]) -> None:
        self.store = store
        self.told = told

    @classmethod
    async def of(cls, dsn: str) -> Owner:
        told: list[str] = []
        return cls(await PostgresStore.open(dsn, lease_s=LEASE, replaced=told.append), told)

    def stand_still(self) -> None:
        """Renew no more, as a process would that is paused."""
        self.store._writer._timer.cancel()


@pytest.fixture
async def dsn() -> AsyncIterator[str]:
    async with empty_database() as dsn:
        yield dsn


async def test_a_replaced_owner_is_refused_at_its_next_append_and_told(dsn: str) -> None:
    old = await Owner.of(dsn)
    table, other = TableUnits("t"), TableUnits("other")
    await outcomes_of(old.store, [table.created(), other.created(), table.unit()])
    old.stand_still()
    new = await Owner.of(dsn)
    assert new.store.epoch == old.store.epoch + 1
    deposit = Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "d"),))
    created = TableUnits("late").created()
    outcomes = await outcomes_of(old.store, [table.unit(), deposit, created, other.unit()])
    assert [type(outcome) for outcome in outcomes] == [Failed] * 4
    assert len(old.told) == 1
    assert "was taken over by" in old.told[0]
    with pytest.raises(StoreAway):
        await old.store.index_hands([SettledHand(HandPlace("t", 1, 1, 2, 1), ("ann",))])
    with pytest.raises(StoreAway):
        await old.store.recover("t")
    assert await fetch(dsn, "SELECT count(*) FROM journal") == [(3,)]
    assert await new.store.balance(accounts.wallet("ann"), "POE") == 0
    assert await new.store.find_hand("t", 1) is None
    await old.store.close()
    assert await outcome_of(new.store, deposit) == DURABLE
    await new.store.close()
    await audit(dsn)


async def test_a_replaced_owner_with_nothing_to_write_learns_it_when_it_renews(dsn: str) -> None:
    old = await Owner.of(dsn)
    old.stand_still()
    new = await Owner.of(dsn)
    assert old.told == []
    old.store._writer._renew()
    async with asyncio.timeout(5):
        while not old.told:
            await asyncio.sleep(0.01)
    for owner in (old, new):
        await owner.store.close()
    assert new.told == []


async def test_open_tables_change_their_epoch_with_the_owner_and_refuse_the_one_before(dsn: str) -> None:
    store = await PostgresStore.open(dsn)
    table, closed = TableUnits("t"), TableUnits("c")
    await outcomes_of(store, [table.created(), table.unit(), closed.created(), closed.closed()])
    await store.close()
    store = await PostgresStore.open(dsn)
    (journal,) = await store.open_tables()
    assert (journal.epoch, journal.tail[-1].epoch) == (2, 1)
    assert isinstance(await outcome_of(store, table.unit()), Failed)
    again = await store.recover("t")
    assert again == journal
    assert again is not None
    follows = TableUnits("t", epoch=journal.epoch)
    follows.restart_at(journal.tail[-1])
    follows._chain.epoch = journal.epoch
    assert await outcomes_of(store, [follows.unit(), follows.unit()]) == [DURABLE] * 2
    left = await store.recover("c")
    assert left is not None
    assert left.epoch == 1
    await store.close()
    await audit(dsn)


async def test_an_owner_that_only_renews_keeps_the_store(dsn: str) -> None:
    owner = await Owner.of(dsn)
    waiting: list[str] = []
    opening = asyncio.create_task(
        PostgresStore.open(dsn, waiting=lambda holder: waiting.append(holder.owner_id))
    )
    await asyncio.sleep(4 * LEASE)
    assert not opening.done()
    assert len(waiting) == 1
    assert await outcome_of(owner.store, TableUnits("t").created()) == DURABLE
    await owner.store.close()
    second = await asyncio.wait_for(opening, 5)
    assert len(await second.open_tables()) == 1
    await second.close()


async def test_an_append_that_does_not_follow_what_the_database_holds_is_refused_by_it(dsn: str) -> None:
    """Whatever the writer remembers: each row is held against its table's epoch, sequence and hash."""
    store = await PostgresStore.open(dsn)
    table, other = TableUnits("t"), TableUnits("other")
    first = table.created()
    await outcomes_of(store, [first, other.created(), table.unit(), other.unit()])
    for change in (
        "epoch = epoch + 1",
        "last_journal_sequence = 1",
        "last_hash = '\\x00'",
        "closed = true",
        "owner = 'another'",
    ):
        assert await outcome_of(store, table.unit()) == DURABLE
        await execute(dsn, "CREATE TABLE kept AS TABLE tables")
        await execute(dsn, f"UPDATE tables SET {change} WHERE table_id = 't'")
        outcomes = await outcomes_of(store, [other.unit(), table.unit()])
        assert [type(outcome) for outcome in outcomes] == [type(DURABLE), Failed], change
        restored = "epoch, last_journal_sequence, last_hash, closed, owner"
        await execute(
            dsn,
            f"UPDATE tables SET ({restored}) = (SELECT {restored} FROM kept WHERE table_id = 't')"
            " WHERE table_id = 't'",
            "DROP TABLE kept",
        )
        journal = await store.recover("t")
        assert journal is not None
        table.restart_at(journal.tail[-1])
    assert await outcome_of(store, table.unit()) == DURABLE
    await store.close()
    await audit(dsn)


async def test_a_wallet_is_not_spent_below_what_the_database_holds(dsn: str) -> None:
    store = await PostgresStore.open(dsn)
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "d"),)))
    await execute(dsn, "UPDATE accounts SET balance = 3 WHERE name = 'wallet/ann'")
    outcome = await outcome_of(store, Unit(entry_sets=(ledger.withdrawal("ann", "POE", 4, "w"),)))
    assert (type(outcome).__name__, getattr(outcome, "available", None)) == ("Refused", 3)
    await store.close()


async def test_a_database_of_a_later_version_is_left_alone(dsn: str) -> None:
    await (await PostgresStore.open(dsn)).close()
    await execute(dsn, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaTooNew, match="has version 9999"):
        await PostgresStore.open(dsn)
    await execute(dsn, f"UPDATE alembic_version SET version_num = '{VERSION}'")


def test_the_newest_migration_is_the_version_that_is_asked_for() -> None:
    from alembic.script import ScriptDirectory

    assert ScriptDirectory.from_config(configuration()).get_current_head() == VERSION


async def test_a_database_that_cannot_be_reached_is_told_without_its_password() -> None:
    with pytest.raises(StoreUnusable, match="cannot be reached") as raised:
        await PostgresStore.open("postgresql://ann:secret@127.0.0.1:1/poker")
    assert "secret" not in str(raised.value)
