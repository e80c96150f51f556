"""The wallet in the store's ledger: each step once, in whatever order it is asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from tests.fakes.memory_store import MemoryStore
from tests.support.stores import STORES, opened
from tests.support.units import money, outcome_of

from croupier.adapters.embedded_wallet import EmbeddedWallet, TransferConflict, TransferVoided
from croupier.room import accounts, ledger
from croupier.room.ports import DURABLE, Store, Unit
from croupier.room.wallet_ports import Transfer, WalletAway, WalletRefused

HELD = 100


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A store in which ann's wallet holds 100."""
    async with opened(request.param, tmp_path) as store:
        await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", HELD, "d"),)))
        yield store
        assert not any((await store.imbalance()).values())


def transfer(
    amount: int = 60, name: str = "x", direction: Literal["to_table", "to_wallet"] = "to_table"
) -> Transfer:
    return Transfer(name, "ann", "POE", amount, direction)


async def held(store: Store, name: str = "x") -> tuple[int, int]:
    """What is in ann's wallet, and in the transfer."""
    wallet = await store.balance(accounts.wallet("ann"), "POE")
    return wallet, await store.balance(accounts.reserved(name), "POE")


async def seat(store: Store, name: str = "x", amount: int = 60) -> None:
    """The table's record of a buy-in that took the reserved chips."""
    unit = money(f"buy_in/{name}", (accounts.reserved(name), -amount), (accounts.stack("t", "ann"), amount))
    assert await outcome_of(store, unit) == DURABLE


async def leave(store: Store, name: str = "out", amount: int = 25) -> None:
    """The table's record of a cash-out."""
    unit = money(f"cash_out/{name}", (accounts.stack("t", "ann"), -amount), (accounts.reserved(name), amount))
    assert await outcome_of(store, unit) == DURABLE


async def test_available_is_what_the_wallet_holds(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    assert await wallet.available("ann", "POE") == HELD
    assert await wallet.available("ann", "DUB") == 0
    await wallet.reserve(transfer())
    assert await wallet.available("ann", "POE") == HELD - 60


async def test_a_reservation_happens_once(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    for _ in range(3):
        await wallet.reserve(transfer())
    await asyncio.gather(*(wallet.reserve(transfer()) for _ in range(3)))
    assert await held(store) == (40, 60)


async def test_a_reservation_is_repeated_although_the_wallet_no_longer_covers_it(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer())
    await wallet.reserve(transfer(40, "y"))
    await seat(store)
    await wallet.reserve(transfer())
    assert await held(store) == (0, 0)


async def test_a_wallet_that_does_not_cover_a_transfer_says_what_it_holds(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    with pytest.raises(WalletRefused) as refused:
        await wallet.reserve(transfer(101))
    assert refused.value.available == HELD
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", 1, "more"),)))
    await wallet.reserve(transfer(101))
    assert await held(store) == (0, 101)


async def test_buy_ins_at_once_get_as_far_as_the_wallet_goes(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    asked = (wallet.reserve(transfer(30, f"x{number}")) for number in range(100))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [result for result in results if result is None] == [None] * 3
    assert [str(result) for result in results if result is not None] == ["the wallet holds 10"] * 97


async def test_a_void_gives_the_chips_back_once(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer())
    await asyncio.gather(*(wallet.void(transfer()) for _ in range(3)))
    await wallet.void(transfer())
    assert await held(store) == (HELD, 0)


async def test_nothing_is_reserved_after_a_void(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer())
    await wallet.void(transfer())
    with pytest.raises(TransferVoided) as refused:
        await wallet.reserve(transfer())
    assert refused.value.available == HELD
    await wallet.void(transfer())
    assert await held(store) == (HELD, 0)


async def test_a_void_that_comes_before_its_reservation_stands(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.void(transfer())
    with pytest.raises(TransferVoided):
        await wallet.reserve(transfer())
    await wallet.void(transfer())
    assert await held(store) == (HELD, 0)


@pytest.mark.parametrize("void_first", [True, False])
async def test_a_void_at_the_same_time_as_its_reservation_leaves_the_chips_in_the_wallet(
    store: Store, void_first: bool
) -> None:
    wallet = EmbeddedWallet(store)
    steps = [wallet.reserve(transfer()), wallet.void(transfer())]
    results = await asyncio.gather(*(reversed(steps) if void_first else steps), return_exceptions=True)
    assert all(result is None or isinstance(result, TransferVoided) for result in results)
    assert await held(store) == (HELD, 0)


async def test_posting_to_a_table_leaves_the_chips_to_the_tables_record(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer())
    await wallet.post(transfer())
    await seat(store)
    await wallet.post(transfer())
    assert await held(store) == (40, 0)
    with pytest.raises(TransferConflict):
        await wallet.void(transfer())
    assert await held(store) == (40, 0)


async def test_a_payout_reaches_the_wallet_once(store: Store) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer())
    await seat(store)
    payout = transfer(25, "out", "to_wallet")
    await wallet.reserve(payout)
    with pytest.raises(TransferConflict):
        await wallet.post(payout)
    await leave(store)
    await asyncio.gather(*(wallet.post(payout) for _ in range(3)))
    await wallet.post(payout)
    await wallet.void(payout)
    assert await held(store, "out") == (65, 0)


@pytest.mark.parametrize("change", [{"amount": 61}, {"player_id": "bob"}, {"currency": "DUB"}], ids=str)
async def test_a_known_id_with_other_content_is_an_error(store: Store, change: dict[str, object]) -> None:
    wallet = EmbeddedWallet(store)
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("bob", "POE", HELD, "d2"),)))
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "DUB", HELD, "d3"),)))
    await wallet.reserve(transfer())
    other = msgspec.structs.replace(transfer(), **change)
    for step in (wallet.reserve, wallet.void):
        with pytest.raises(TransferConflict):
            await step(other)
    assert await held(store) == (40, 60)


@pytest.mark.parametrize("name", ["a/b", "a%2Fb", "../x", "ä\0"])
async def test_transfers_of_any_name_are_kept_apart(store: Store, name: str) -> None:
    wallet = EmbeddedWallet(store)
    await wallet.reserve(transfer(10, "a"))
    await wallet.reserve(transfer(20, name))
    await wallet.void(transfer(10, "a"))
    assert await held(store, name) == (80, 20)


async def test_a_store_that_fails_is_a_wallet_that_is_away_and_the_step_is_asked_for_again() -> None:
    store = MemoryStore()
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", HELD, "d"),)))
    wallet = EmbeddedWallet(store)
    for step in (wallet.reserve, wallet.void):
        store.fail_next("disk full")
        with pytest.raises(WalletAway, match="disk full"):
            await step(transfer())
        await step(transfer())
    assert await held(store) == (HELD, 0)


async def test_whoever_stops_waiting_does_not_undo_the_step() -> None:
    store = MemoryStore()
    await outcome_of(store, Unit(entry_sets=(ledger.deposit("ann", "POE", HELD, "d"),)))
    wallet = EmbeddedWallet(store)
    store.hold()
    reserving = asyncio.ensure_future(wallet.reserve(transfer()))
    await asyncio.sleep(0)
    reserving.cancel()
    await asyncio.gather(reserving, return_exceptions=True)
    store.release()
    await wallet.reserve(transfer())
    assert await held(store) == (40, 60)
