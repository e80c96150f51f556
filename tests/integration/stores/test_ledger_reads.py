"""What every store promises of reading its ledger, of the one on disk and of the fake alike."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.support.units import TableUnits, money, outcome_of, outcomes_of

from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, EntryScope, Store, Unit


async def test_hostile_ids_are_kept_apart(store: Store) -> None:
    players = ["a", "a/b", "a%2Fb", "a/", "/a", "%", "a\0b", "ä", "\U0010ffff", "a" * 1000, "' OR 1=1 --"]
    for amount, player in enumerate(players, 1):
        deposit = ledger.deposit(player, "POE", amount, f"d{amount}")
        assert await outcome_of(store, Unit(entry_sets=(deposit,))) == DURABLE
    for amount, player in enumerate(players, 1):
        assert await store.balance(accounts.wallet(player), "POE") == amount
        assert [entry.amount for entry in await store.entries(player_id=player, limit=9)] == [amount]
    assert sorted(held for _, held in await store.balances("wallet/", "POE")) == list(
        range(1, len(players) + 1)
    )


async def test_balances_by_prefix_come_by_name(store: Store) -> None:
    units = [
        money(f"s{number}", (name, 1), (accounts.DEPOSITS, -1))
        for number, name in enumerate(["stack/t/b", "stack/t/a", "stack/tt/a", "stack/t/ä", "wallet/a"])
    ]
    await outcomes_of(store, units)
    assert await store.balances("stack/t/", "POE") == [("stack/t/a", 1), ("stack/t/b", 1), ("stack/t/ä", 1)]


async def test_a_player_holds_what_is_at_tables_and_on_the_way(store: Store) -> None:
    wallet, on_the_way = accounts.wallet("ann"), accounts.reserved("x")
    await outcomes_of(
        store,
        [
            Unit(entry_sets=(ledger.deposit("ann", "POE", 100, "d"),)),
            money("s1", (wallet, -60), (on_the_way, 60)),
            money("s2", (on_the_way, -20), (accounts.stack("t/1", "ann"), 20)),
            money("s3", (on_the_way, -1), (accounts.stack("a", "ann"), 1)),
            money("s4", (accounts.DEPOSITS, -9), (accounts.stack("a", "bob"), 9)),
        ],
    )
    held = await store.holdings("ann", "POE")
    assert (held.reserved, held.tables) == (39, (("a", 1), ("t/1", 20)))
    assert (await store.holdings("nobody", "POE")).tables == ()


async def test_entries_are_found_by_account_player_and_table(store: Store) -> None:
    ann, bob, world = accounts.wallet("ann"), accounts.wallet("bob"), accounts.DEPOSITS
    at_t, at_u = accounts.stack("t", "ann"), accounts.stack("u", "ann")
    await outcomes_of(
        store,
        [
            money("s1", (world, -10), (ann, 10)),
            money("s2", (world, -10), (bob, 10)),
            money("s3", (ann, -4), (at_t, 4), table_id="t"),
            money("s4", (ann, -3), (at_u, 3), table_id="u"),
            money("s5", (at_t, -2), (accounts.rake("h"), 1), (bob, 1), table_id="t"),
        ],
    )

    async def ids(**query: str | int) -> list[int]:
        return [entry.entry_id for entry in await store.entries(**{"limit": 100, **query})]  # type: ignore[arg-type]

    assert await ids() == list(range(1, 12))
    assert await ids(after=7, limit=2) == [8, 9]
    assert await ids(account_prefix=ann) == [2, 5, 7]
    assert await ids(account_prefix="wallet/") == [2, 4, 5, 7, 11]
    assert await ids(player_id="ann") == [2, 5, 6, 7, 8, 9]
    assert await ids(player_id="ann", account_prefix="stack/") == [6, 8, 9]
    assert await ids(table_id="t") == [5, 6, 9, 10, 11]
    assert await ids(table_id="t", after=5, limit=2) == [6, 9]
    assert await ids(table_id="t", after=6) == [9, 10, 11]
    assert await ids(table_id="t", after=10) == [11]
    assert await ids(table_id="t", player_id="ann") == [5, 6, 9]
    assert await ids(player_id="nobody") == []
    assert await ids(table_id="nowhere") == []
    (entry,) = await store.entries(account_prefix=bob, limit=1)
    assert (entry.entry_set_id, entry.account, entry.amount, entry.kind) == ("s2", bob, 10, "settlement")


@pytest.mark.parametrize("accounts_of_ann", [2, 100, 1200])
async def test_a_players_entries_of_some_houses_fill_their_pages(store: Store, accounts_of_ann: int) -> None:
    """By whichever way they are found: those of few accounts, of some, of many."""
    houses = {"t": "ocean", "u": "hidden"}
    for table_id, house_id in houses.items():
        await outcome_of(store, TableUnits(table_id, house_id=house_id).created())
    ann, world = accounts.wallet("ann"), accounts.DEPOSITS
    others = [f"u{number}" for number in range(accounts_of_ann - 2)]
    await outcomes_of(store, [TableUnits(one, house_id="hidden").created() for one in others])
    await outcomes_of(
        store,
        [
            money("s1", (world, -10_000), (ann, 10_000)),
            money("s2", (world, -10), (ann, 10), currency="USD"),
            money("s3", (ann, -4), (accounts.stack("u", "ann"), 4), table_id="u"),
            *(money(f"o{one}", (ann, -1), (accounts.stack(one, "ann"), 1), table_id=one) for one in others),
            money("s4", (ann, -3), (accounts.stack("t", "ann"), 3), table_id="t"),
            money("s5", (accounts.stack("u", "ann"), -4), (ann, 4), table_id="u"),
            money("s6", (accounts.stack("t", "ann"), -3), (ann, 3), table_id="t"),
        ],
    )
    scope = EntryScope(("ocean", "other"), ("POE",))

    async def sets(**query: Any) -> list[str]:
        found: list[str] = []
        after = 0
        while page := await store.entries(player_id="ann", after=after, limit=2, scope=scope, **query):
            assert len(page) == 2 or len(found) == 4
            found += [entry.entry_set_id for entry in page]
            after = page[-1].entry_id
        return found

    assert await sets() == ["s1", "s4", "s4", "s6", "s6"]
    assert await store.entries(player_id="ann", table_id="u", limit=9, scope=scope) == []
    assert len(await store.entries(player_id="ann", table_id="t", limit=9, scope=scope)) == 4
    assert await store.entries(player_id="ann", limit=9, scope=EntryScope((), ())) == []


async def test_a_tables_house_and_when_chips_moved_last(store: Store) -> None:
    assert await store.newest_time() == 0
    table = TableUnits("t/1", house_id="ocean")
    await outcomes_of(store, [table.created(), TableUnits("u").created()])
    assert await store.houses_of(["u", "t/1", "nowhere", ""]) == {"t/1": "ocean", "u": "house"}
    assert await store.houses_of([]) == {}
    unit = table.unit()
    unit.entry_sets = (ledger.deposit("ann", "POE", 1, "d"),)
    await outcome_of(store, unit)
    newest = await store.newest_time()
    assert newest == unit.records[0].recorded_time
    unit = table.unit()
    earlier = msgspec.structs.replace(unit.records[0], recorded_time=5)
    unit = Unit((earlier,), entry_sets=(ledger.deposit("ann", "POE", 1, "e"),))
    assert await outcome_of(store, unit) == DURABLE
    assert await store.newest_time() == newest


async def test_entries_are_dated_by_the_record_they_came_with(store: Store) -> None:
    table = TableUnits("t")
    await outcome_of(store, table.created())
    unit = table.unit()
    unit.entry_sets = (ledger.deposit("ann", "POE", 1, "d"),)
    await outcome_of(store, unit)
    (entry, _) = await store.entries(limit=2)
    assert entry.recorded_time == unit.records[0].recorded_time


@pytest.mark.parametrize("prefix", ["stack/t/p1234", "stack/t/p10", "stack/t/p", "stack/t/p999", "stack/x"])
async def test_entries_of_few_and_of_many_accounts_come_in_order(store: Store, prefix: str) -> None:
    names = [accounts.stack("t", f"p{number}") for number in range(1300)]
    there = [(name, 1) for name in names]
    await outcome_of(store, money("s1", *there, (accounts.DEPOSITS, -len(names))))
    await outcome_of(store, money("s2", (accounts.WITHDRAWALS, len(names)), *((name, -1) for name in names)))
    chosen = [place for place, name in enumerate(names) if name.startswith(prefix)]
    expected = [place + 1 for place in chosen] + [len(names) + 3 + place for place in chosen]
    for after, limit in ((0, 5000), (0, 7), (600, 100), (1302, 9), (3000, 1)):
        page = await store.entries(account_prefix=prefix, after=after, limit=limit)
        assert [entry.entry_id for entry in page] == [one for one in expected if one > after][:limit]
