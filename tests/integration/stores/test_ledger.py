"""What every store promises of money, of the one on disk and of the fake alike."""

from __future__ import annotations

import pytest
from tests.support.units import TableUnits, money, outcome_of, outcomes_of, request

from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, Failed, Refused, Store, TableRow, Unit


async def test_the_hundred_buy_ins_at_once_succeed_as_far_as_the_wallet_goes(store: Store) -> None:
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 300, "d"),)))
    tables = [TableUnits(f"t{number}") for number in range(100)]
    await outcomes_of(store, [table.created() for table in tables])
    wallet = accounts.wallet("ann")
    buy_ins = [money(f"b{n}", (wallet, -100), (accounts.reserved(f"x{n}"), 100)) for n in range(100)]
    units = [unit for table, buy_in in zip(tables, buy_ins, strict=True) for unit in (buy_in, table.unit())]
    outcomes = await outcomes_of(store, units)
    assert outcomes[1::2] == [DURABLE] * 100
    assert outcomes[0::2] == [DURABLE] * 3 + [Refused(wallet, 0)] * 97
    assert await store.imbalance() == {"POE": 0}


async def test_a_refused_unit_writes_nothing_of_itself(store: Store) -> None:
    table = TableUnits("t")
    await outcomes_of(store, [table.created(), Unit(entry_sets=(ledger.deposit("ann", "POE", 50, "d"),))])
    poor = table.unit()
    poor.entry_sets = (ledger.deposit("bob", "POE", 7, "d2"), ledger.withdrawal("ann", "POE", 51, "w"))
    poor.request = request("r")
    assert await outcome_of(store, poor) == Refused(accounts.wallet("ann"), 50)
    assert await store.balance(accounts.wallet("bob"), "POE") == 0
    assert await store.find_request("local", "Deposit", "r") is None
    assert len(await store.records("t", 0, 10)) == 1
    poor.entry_sets = poor.entry_sets[:1]
    assert await outcome_of(store, poor) == DURABLE


async def test_a_known_set_changes_nothing_and_its_unit_goes_through(store: Store) -> None:
    table = TableUnits("t")
    first = ledger.deposit("ann", "POE", 50, "d")
    await outcomes_of(store, [table.created(), Unit(entry_sets=(first, first))])
    again = table.unit()
    again.entry_sets = (ledger.deposit("ann", "POE", 99, "d"), ledger.withdrawal("ann", "POE", 20, "w"))
    assert await outcome_of(store, again) == DURABLE
    assert await store.balance(accounts.wallet("ann"), "POE") == 30
    assert len(await store.entries(limit=100)) == 4


async def test_a_known_set_goes_through_where_its_account_would_no_longer_cover_it(store: Store) -> None:
    """As where a payout was posted and its confirmation lost: it is posted again, and may not be refused."""
    withdrawal = Unit(entry_sets=(ledger.withdrawal("ann", "POE", 50, "w"),))
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 50, "d"),)))
    poor = Unit(entry_sets=(ledger.withdrawal("bob", "POE", 1, "b"),))
    assert await outcome_of(store, withdrawal) == DURABLE
    outcomes = await outcomes_of(store, [withdrawal, poor, withdrawal])
    assert outcomes == [DURABLE, Refused(accounts.wallet("bob"), 0), DURABLE]
    assert await store.balance(accounts.wallet("ann"), "POE") == 0
    assert len(await store.entries(limit=100)) == 4


async def test_money_that_came_in_a_set_before_may_be_spent_in_the_next_of_the_unit(store: Store) -> None:
    sets = (ledger.deposit("ann", "POE", 50, "d"), ledger.withdrawal("ann", "POE", 50, "w"))
    assert await outcome_of(store, Unit(entry_sets=sets)) == DURABLE
    turned = (ledger.withdrawal("ann", "POE", 50, "w2"), ledger.deposit("ann", "POE", 50, "d2"))
    assert await outcome_of(store, Unit(entry_sets=turned)) == Refused(accounts.wallet("ann"), 0)


async def test_a_set_counts_as_a_whole(store: Store) -> None:
    """An account may be named twice in a set; only what it holds after all lines matters."""
    wallet, world = accounts.wallet("ann"), accounts.DEPOSITS
    assert await outcome_of(store, money("s", (wallet, -5), (wallet, 8), (world, -3))) == DURABLE
    assert await store.balance(wallet, "POE") == 3


async def test_currencies_do_not_mix(store: Store) -> None:
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 50, "d"),)))
    withdrawal = Unit(entry_sets=(ledger.withdrawal("ann", "DUB", 1, "w"),))
    assert await outcome_of(store, withdrawal) == Refused(accounts.wallet("ann"), 0)
    assert await store.balance(accounts.wallet("ann"), "DUB") == 0
    assert await store.balances("", "DUB") == []


async def test_no_balance_leaves_int64(store: Store) -> None:
    most = 2**63 - 1
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", most, "d"),)))
    assert isinstance(
        await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 1, "e"),))), Failed
    )
    assert await store.balance(accounts.wallet("ann"), "POE") == most
    assert await store.imbalance() == {"POE": 0}


async def test_unsound_units_are_refused_at_once(store: Store) -> None:
    wallet, world = accounts.wallet("ann"), accounts.DEPOSITS
    unsound = [
        money("s", (wallet, 5), (world, -4)),
        money("s"),
        money("s", (wallet, 0), (world, 0)),
        money("s", (wallet, 2**63), (world, -(2**63))),
        money("", (wallet, 1), (world, -1)),
        money("s", ("", 1), (world, -1)),
        money("s", (wallet, 1), (world, -1), currency=""),
        Unit((TableUnits("t").record(), TableUnits("u").record())),
        Unit(created=TableRow("t", "house", "name", "POE", 1)),
    ]
    for unit in unsound:
        with pytest.raises(ledger.UnsoundUnit):
            store.submit(unit, lambda _: None)
    assert await store.imbalance() == {}


async def test_an_answered_request_is_found_again_and_not_answered_twice(store: Store) -> None:
    first = Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "d"),), request=request("r"))
    again = Unit(entry_sets=(ledger.deposit("ann", "POE", 5, "e"),), request=request("r"))
    assert await store.find_request("local", "Deposit", "r") is None
    outcomes = await outcomes_of(store, [first, again])
    assert outcomes[0] == DURABLE
    assert isinstance(outcomes[1], Failed)
    assert isinstance(await outcome_of(store, again), Failed)
    assert await store.find_request("local", "Deposit", "r") == request("r")
    assert await store.balance(accounts.wallet("ann"), "POE") == 5


async def test_principal_method_and_request_id_together_are_the_key(store: Store) -> None:
    keys = [("a", "M", "r"), ("b", "M", "r"), ("a", "N", "r"), ("a", "M", "s")]
    units = [Unit(request=request(name, principal, method)) for principal, method, name in keys]
    assert await outcomes_of(store, units) == [DURABLE] * 4
