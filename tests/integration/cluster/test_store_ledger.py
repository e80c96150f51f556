"""Money that several nodes move between the same accounts: nothing is lost, doubled, overdrawn or out of order."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any

import asyncpg
import pytest
from tests.support.postgres import fetch
from tests.support.postgres_audit import audit
from tests.support.store_nodes import StoreNode, nodes
from tests.support.units import TableUnits, money, outcome_of, outcomes_of, request

from croupier.adapters.postgres.transaction import Transactions
from croupier.room import accounts, ledger
from croupier.room.accounts import guarded
from croupier.room.operations import Operation, OperationQuery, written
from croupier.room.ports import (
    DURABLE,
    Expected,
    Failed,
    LedgerEntry,
    Outcome,
    Posting,
    Refused,
    Unit,
)
from croupier.room.row_hash import START_OF_LOG, operation_hash

PLAYERS = ("ann", "ben", "cleo")
RAKE = "rake/parlour"


def deposit(amount: int, name: str, player: str = "ann") -> Unit:
    return Unit(entry_sets=(ledger.deposit(player, "POE", amount, name),))


def withdrawal(amount: int, name: str, player: str = "ann") -> Unit:
    return Unit(entry_sets=(ledger.withdrawal(player, "POE", amount, name),))


def expecting(balance: int, name: str) -> Unit:
    return Unit(
        entry_sets=(ledger.adjustment("ann", "POE", 1, name),),
        expected=Expected(accounts.wallet("ann"), "POE", balance),
    )


def logged(name: str) -> Unit:
    return Unit(request=request(name), operation=Operation("BlockPlayer", "operator/ann", name, 7, "because"))


async def opened(node: StoreNode) -> None:
    """Chips have come and gone, and 10 are left."""
    assert await outcomes_of(node.store, [deposit(11, "in"), withdrawal(1, "out")]) == [DURABLE] * 2


async def holding(node: StoreNode, player: str = "ann") -> int:
    return await node.store.balance(accounts.wallet(player), "POE")


async def test_what_another_node_has_spent_is_not_there_to_spend() -> None:
    async with nodes(2) as (dsn, (one, two)):
        assert await outcome_of(one.store, deposit(10, "in")) == DURABLE
        assert await outcome_of(two.store, withdrawal(8, "out")) == DURABLE
        assert await outcome_of(one.store, withdrawal(5, "more")) == Refused("wallet/ann", 2)
        assert await outcome_of(two.store, deposit(4, "again")) == DURABLE
        assert await outcome_of(one.store, withdrawal(5, "more")) == DURABLE
        assert await holding(two) == 1
        await audit(dsn)


async def test_what_another_node_spends_at_the_same_moment_is_not_spent_twice() -> None:
    async with nodes(2) as (dsn, (one, two)):
        await opened(one)
        one.before_next_statement(lambda: outcome_of(two.store, withdrawal(8, "theirs")))
        table = TableUnits("t")
        outcomes = await outcomes_of(one.store, [table.created(), withdrawal(5, "ours"), table.unit()])
        assert outcomes == [DURABLE, Refused("wallet/ann", 2), DURABLE]
        await audit(dsn)


async def test_a_unit_is_not_covered_by_one_that_comes_after_it() -> None:
    """Units of one batch are judged one after another, by what the database holds as they are written."""
    async with nodes(2) as (dsn, (one, two)):
        await opened(one)
        one.before_next_statement(lambda: outcome_of(two.store, withdrawal(8, "theirs")))
        assert await outcomes_of(one.store, [withdrawal(5, "ours"), deposit(20, "later")]) == [
            Refused("wallet/ann", 2),
            DURABLE,
        ]
        assert await holding(one) == 22
        await audit(dsn)


async def test_what_is_remembered_of_balances_refuses_nothing() -> None:
    async with nodes(2) as (_, (one, two)):
        await opened(one)
        assert await outcome_of(two.store, deposit(10, "theirs")) == DURABLE
        assert await outcome_of(one.store, withdrawal(15, "ours")) == DURABLE
        assert await outcome_of(two.store, deposit(2, "more")) == DURABLE
        assert await outcome_of(one.store, expecting(7, "corrected")) == DURABLE


@pytest.mark.parametrize("before", [0, 10])
async def test_what_is_expected_of_an_account_is_true_as_it_is_written(before: int) -> None:
    async with nodes(2) as (dsn, (one, two)):
        await opened(one)
        if not before:
            await outcome_of(one.store, withdrawal(10, "all"))
        one.before_next_statement(lambda: outcome_of(two.store, deposit(3, "theirs")))
        assert await outcome_of(one.store, expecting(before, "corrected")) == Refused(
            "wallet/ann", before + 3
        )
        assert await outcome_of(one.store, expecting(before + 3, "corrected")) == DURABLE
        assert await holding(two) == before + 4
        await audit(dsn)


async def test_an_account_that_two_nodes_open_at_once_is_one() -> None:
    async with nodes(2) as (dsn, (one, two)):
        one.before_next_statement(lambda: outcome_of(two.store, deposit(3, "theirs")))
        assert await outcome_of(one.store, deposit(4, "ours")) == DURABLE
        assert await holding(one) == 7
        await audit(dsn)


async def test_a_set_that_two_nodes_write_is_written_once() -> None:
    async with nodes(2) as (dsn, (one, two)):
        one.before_next_statement(lambda: outcome_of(two.store, deposit(3, "the same")))
        assert await outcomes_of(one.store, [deposit(3, "the same"), deposit(1, "another")]) == [DURABLE] * 2
        assert await holding(one) == 4
        await audit(dsn)


async def test_a_request_that_two_nodes_answer_is_answered_once() -> None:
    async with nodes(2) as (dsn, (one, two)):

        def asked(amount: int, name: str) -> Unit:
            unit = deposit(amount, name)
            unit.request = request("r")
            return unit

        one.before_next_statement(lambda: outcome_of(two.store, asked(3, "theirs")))
        outcomes = await outcomes_of(one.store, [deposit(1, "other"), asked(5, "ours"), deposit(1, "next")])
        assert [type(outcome) for outcome in outcomes] == [type(DURABLE), Failed, type(DURABLE)]
        assert await one.store.find_request("local", "Deposit", "r") == request("r")
        assert await holding(one) == 5
        await audit(dsn)


async def test_the_operator_log_is_one_chain_whoever_writes_it() -> None:
    async with nodes(3) as (dsn, everyone):
        one, two, _ = everyone
        one.before_next_statement(lambda: outcome_of(two.store, logged("theirs")))
        assert await outcomes_of(one.store, [logged("ours"), deposit(1, "d")]) == [DURABLE] * 2
        for turn in range(8):
            written_at_once = await asyncio.gather(
                *(outcome_of(node.store, logged(f"{turn} {node.node_id}")) for node in everyone)
            )
            assert written_at_once == [DURABLE] * 3
        rows = await fetch(dsn, "SELECT number, body, hash FROM operations ORDER BY number")
        last = START_OF_LOG
        for place, (number, body, digest) in enumerate(rows, 1):
            assert number == place
            last = operation_hash(last, number, body)
            assert digest == last
        told = await one.store.operations(OperationQuery(limit=100))
        assert [written(each.operation) for each in reversed(told)] == [body for _, body, _ in rows]
        assert len(rows) == 2 + 3 * 8


class Reading:
    """Reads the ledger on after the last entry, as a feed does; it may never miss one."""

    def __init__(self, node: StoreNode) -> None:
        self.entries: list[LedgerEntry] = []
        self.stopping = False
        self._node = node

    async def run(self) -> None:
        while True:
            last = self.stopping
            after = self.entries[-1].entry_id if self.entries else 0
            read = await self._node.store.entries(after=after, limit=50)
            self.entries += read
            if last and not read:
                return


class Bank:
    """Units at random for the same few accounts, and what became of each."""

    def __init__(self, node: StoreNode, seed: int, place: int) -> None:
        self._node = node
        self._random = Random(seed * 10 + place)
        self._name = f"{place}"
        self._table = TableUnits(f"table {place}")
        self.outcomes: list[tuple[Unit, Outcome]] = []

    async def run(self, batches: int) -> None:
        await outcome_of(self._node.store, self._table.created())
        for batch in range(batches):
            units = [
                self._unit(f"{self._name}/{batch}/{place}") for place in range(self._random.randint(1, 12))
            ]
            outcomes = await outcomes_of(self._node.store, units)
            self.outcomes += zip(units, outcomes, strict=True)
            if any(isinstance(outcome, Failed) for outcome in outcomes):
                journal = await self._node.store.recover(self._table.table_id)
                assert journal is not None
                self._table.restart_at(journal.tail[-1])

    def _unit(self, name: str) -> Unit:
        random = self._random
        player, amount = random.choice(PLAYERS), random.randint(1, 30)
        match random.randrange(6):
            case 0:
                return deposit(amount, name, player)
            case 1:
                return withdrawal(amount, name, player)
            case 2:
                unit = deposit(amount, name, player)
                unit.request = request(f"request {random.randrange(40)}")
                return unit
            case 3:
                return logged(name)
            case 4:
                fresh = f"reserved/{name}"
                return money(name, (accounts.wallet(player), -amount), (fresh, amount))
            case _:
                unit = self._table.unit()
                stack = f"stack/{self._table.table_id}/{player}"
                lines = (accounts.wallet(player), -amount), (stack, amount - 1), (RAKE, 1)
                if amount > 1:
                    unit.entry_sets = money(name, *lines).entry_sets
                return unit


@pytest.mark.parametrize("seed", range(4))
async def test_money_that_several_nodes_move_is_conserved_and_told_in_order(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures: list[Exception] = []
    after = Transactions._after

    async def noted(self: Transactions, failure: Exception, units: Any) -> list[Outcome]:
        failures.append(failure)
        return await after(self, failure, units)

    monkeypatch.setattr(Transactions, "_after", noted)
    async with nodes(3) as (dsn, everyone):
        for player in PLAYERS:
            await outcome_of(everyone[0].store, deposit(40, f"first of {player}", player))
        banks = [Bank(node, seed, place) for place, node in enumerate(everyone)]
        reading = Reading(everyone[seed % 3])
        reader = asyncio.create_task(reading.run())
        await asyncio.gather(*(bank.run(40) for bank in banks))
        reading.stopping = True
        await reader
        done = [each for bank in banks for each in bank.outcomes]
        kinds = Counter(type(outcome) for _, outcome in done)
        assert min(kinds[type(DURABLE)], kinds[Refused], kinds[Failed]) > 5
        assert not [one for one in failures if isinstance(one, asyncpg.DeadlockDetectedError)]
        must_be_whole(reading.entries, done)
        assert await everyone[0].store.imbalance() == {"POE": 0}
        await audit(dsn)


def must_be_whole(entries: list[LedgerEntry], done: list[tuple[Unit, Outcome]]) -> None:
    """Raises AssertionError unless a reader saw every entry once, in order, and what they make of the accounts."""
    assert [entry.entry_id for entry in entries] == [*range(1, len(entries) + 1)]
    held: Counter[str] = Counter()
    sets: dict[str, list[Posting]] = {}
    for place, entry in enumerate(entries):
        held[entry.account] += entry.amount
        sets.setdefault(entry.entry_set_id, []).append(Posting(entry.account, entry.amount))
        ends = place + 1 == len(entries) or entries[place + 1].entry_set_id != entry.entry_set_id
        if ends and guarded(entry.account):
            assert all(held[each.account] >= 0 for each in sets[entry.entry_set_id] if guarded(each.account))
    for unit, outcome in done:
        for one in unit.entry_sets:
            assert tuple(sets.get(one.entry_set_id, ())) == (one.postings if outcome == DURABLE else ())
        if isinstance(outcome, Refused):
            (one,) = unit.entry_sets
            asked = -min(each.amount for each in one.postings if each.account == outcome.account)
            assert 0 <= outcome.available < asked
