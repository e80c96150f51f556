"""AdjustBalance over gRPC, on both stores: against an account of its own, never below zero, once."""

from __future__ import annotations

import asyncio

from tests.fakes.memory_wallet import MemoryWallet, served
from tests.support.live import CURRENCY, WEALTH
from tests.support.operated import WHY, Kept, balanced, played, raised, refusal

AGAINST = "adjustment/balance"


async def test_chips_are_put_in_and_taken_out_against_an_account_of_its_own(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        at_table = (await balanced(backend))[f"stack/{table_id}/anna"]
        wallet = WEALTH - 100
        for amount in (40, -15, -wallet - 25, 7):
            answer = await backend.adjust_balance("anna", CURRENCY, amount, WHY)
            assert (answer.before, answer.after) == (wallet, wallet + amount)
            wallet += amount
            assert (await backend.get_balance("anna", CURRENCY)).available == wallet
            balances = await balanced(backend)
            assert balances[AGAINST] == WEALTH - 100 - wallet
            assert balances[f"stack/{table_id}/anna"] == at_table, "chips at the table stay where they are"
        kinds = [entry.kind async for entry in backend.list_entries(account_prefix=AGAINST)]
        assert len(kinds) == 4
        assert len(set(kinds)) == 1
        await played(backend, table_id)


async def test_a_wallet_never_goes_below_zero_nor_beyond_its_limit(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        await backend.open_table("anna")
        before = await balanced(backend)
        for player, currency, amount, reason in (
            ("anna", CURRENCY, -(WEALTH - 99), "INSUFFICIENT_FUNDS"),
            ("nobody", CURRENCY, -1, "INSUFFICIENT_FUNDS"),
            ("anna", CURRENCY, 10**12, "BALANCE_LIMIT_EXCEEDED"),
            ("anna", CURRENCY, 10**12 + 1, "FIELD_OUT_OF_RANGE"),
            ("anna", CURRENCY, -(10**12) - 1, "FIELD_OUT_OF_RANGE"),
            ("anna", CURRENCY, 0, "FIELD_REQUIRED"),
            ("anna", "XXX", 5, "CURRENCY_UNKNOWN"),
            ("anna", "XXX", -5, "CURRENCY_UNKNOWN"),
        ):
            assert await refusal(backend.adjust_balance(player, currency, amount, WHY)) == reason
        assert await balanced(backend) == before
        assert [one async for one in backend.list_operations()] == []


async def test_a_reason_is_words(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        await backend.deposit("anna", CURRENCY, 100)
        for reason in ("", " ", "  \u3000"):
            assert await refusal(backend.adjust_balance("anna", CURRENCY, 5, reason)) in (
                "FIELD_REQUIRED",
                "FIELD_MALFORMED",
            )
        assert (await backend.get_balance("anna", CURRENCY)).available == 100


async def test_a_repeated_correction_is_made_once(kept: Kept) -> None:
    """Twice at a time, and after a restart."""
    async with kept.served() as (_, backend):
        await backend.deposit("anna", CURRENCY, 100)
        both = [backend.adjust_balance("anna", CURRENCY, -30, WHY, request_id="once") for _ in range(2)]
        first, second = await asyncio.gather(*both)
        assert first == second
        other = backend.adjust_balance("anna", CURRENCY, -31, WHY, request_id="once")
        assert await refusal(other) == "REQUEST_ID_REUSED"
    async with kept.served() as (_, backend):
        again = await backend.adjust_balance("anna", CURRENCY, -30, WHY, request_id="once")
        assert (again, (again.before, again.after)) == (first, (100, 70))
        assert (await backend.get_balance("anna", CURRENCY)).available == 70
        assert len([one async for one in backend.list_operations()]) == 1


async def test_many_corrections_at_a_time_take_no_more_than_there_is(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        await backend.deposit("anna", CURRENCY, 100)
        calls = [refusal(backend.adjust_balance("anna", CURRENCY, -30, WHY)) for _ in range(8)]
        assert sorted(await asyncio.gather(*calls)) == [""] * 3 + ["INSUFFICIENT_FUNDS"] * 5
        assert (await balanced(backend))[AGAINST] == 90
        logged = [one async for one in backend.list_operations()]
        standing = [(one.before.wallet.available, one.after.wallet.available) for one in logged]
        assert standing == [(40, 10), (70, 40), (100, 70)]


async def test_an_operators_own_wallet_is_not_corrected_here(kept: Kept) -> None:
    async with (
        served(MemoryWallet(anna=100)) as target,
        kept.served(wallet=f"grpc://{target}") as (_, backend),
    ):
        for amount in (5, -5):
            correcting = backend.adjust_balance("anna", CURRENCY, amount, WHY)
            assert await refusal(correcting) == "WALLET_EXTERNAL"
        assert [one async for one in backend.list_operations()] == []
        assert await balanced(backend) == {}
