"""ListOperations over gRPC, on both stores: who did what, when, why, and what it was before and after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.credentials import AUDIENCE, Secret
from tests.support.live import CURRENCY, Backend
from tests.support.live_table import ONCE
from tests.support.operated import RESUME, VOID, WHY, Kept, raised, refusal, resolved

from croupier.client import CroupierError
from croupier.v1.operator_service_pb2 import BLOCK_KIND_OPERATOR, ListOperationsRequest

METHODS = (
    "UnblockPlayer",
    "BlockPlayer",
    "BlockPlayer",
    "RemovePlayer",
    "AdjustBalance",
    "ResolveTable",
    "ResolveTable",
)


async def filled(shop: Backend, ann: Backend) -> str:
    """Every kind of operation, by ann; the table they were at."""
    table_id = await raised(shop)
    await shop.pause_table(table_id)
    await resolved(ann, table_id, VOID)
    await resolved(ann, table_id, RESUME)
    await ann.adjust_balance("anna", CURRENCY, -40, "a bonus given twice")
    await ann.remove_player(table_id, "anna", "asked for it")
    await ann.block_player(
        "bert", BLOCK_KIND_OPERATOR, "a second account", until=datetime.now(UTC) + timedelta(1)
    )
    await ann.block_player("bert", BLOCK_KIND_OPERATOR, "a third account")
    await ann.unblock_player("bert", "no such account", request_id="the last one")
    return table_id


async def test_all_that_operators_did_is_told_with_who_when_and_why(kept: Kept) -> None:
    secret = Secret(kept.directory)
    begun = datetime.now(UTC)
    async with kept.served(jwt_secret_file=str(secret.file), jwt_audience=AUDIENCE) as (app, _):
        target = f"127.0.0.1:{app.port}"
        async with (
            Backend(target, token=secret.token("backend", "shop"), retry=ONCE) as shop,
            Backend(target, token=secret.token("operator", "ann"), retry=ONCE) as ann,
            Backend(target, token=secret.token("auditor", "ada"), retry=ONCE) as ada,
        ):
            table_id = await filled(shop, ann)
            listed = [one async for one in ann.list_operations()]
            assert [one async for one in ada.list_operations(page_size=2)] == listed
            with pytest.raises(CroupierError, match="CALLER_NOT_ALLOWED"):
                await anext(shop.list_operations())
            refused = ada.unblock_player("bert", WHY)
            assert await refusal(refused) == "CALLER_NOT_ALLOWED"
    assert tuple(one.method for one in listed) == METHODS
    assert [one.number for one in listed] == list(range(len(METHODS), 0, -1))
    assert {one.principal for one in listed} == {"operator/ann"}
    assert listed[0].request_id == "the last one"
    times = [begun, *(one.operation_time.ToDatetime(UTC) for one in reversed(listed)), datetime.now(UTC)]
    assert times == sorted(times)
    lifted, second, first, removed, corrected, resumed, voided = listed
    assert (corrected.reason, corrected.player_id, corrected.table_id) == ("a bonus given twice", "anna", "")
    wallet = corrected.before.wallet
    assert (wallet.currency, wallet.available - corrected.after.wallet.available) == (CURRENCY, 40)
    assert (removed.table_id, removed.player_id, removed.reason) == (table_id, "anna", "asked for it")
    assert not first.before.HasField("block")
    assert list(first.before.table_ids) == [table_id]
    assert second.before.block == first.after.block
    assert second.before.block.HasField("until_time")
    assert not second.after.block.HasField("until_time")
    assert lifted.before.block == second.after.block
    assert not lifted.after.HasField("block")
    assert voided.after.table == resumed.before.table
    assert (voided.table_id, voided.reason) == (table_id, WHY)
    assert voided.before.table.hand_id
    assert not voided.after.table.hand_id


async def test_filters_and_pages(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await filled(backend, backend)
        everything = [one async for one in backend.list_operations()]
        for wanted in ({"table_id": table_id}, {"player_id": "anna"}, {"player_id": "bert"}):
            matching = [
                one for one in everything if all(getattr(one, name) == told for name, told in wanted.items())
            ]
            for size in (1, 2, 1000):
                found = [one async for one in backend.list_operations(page_size=size, **wanted)]
                assert found == matching != []
        both = [one async for one in backend.list_operations(table_id=table_id, player_id="anna")]
        assert [one.method for one in both] == ["RemovePlayer"]
        assert [one async for one in backend.list_operations(table_id="nowhere")] == []
        ask = backend._operating.ListOperations
        page = await ask(ListOperationsRequest(page_size=2))
        again = ListOperationsRequest(page_size=2, player_id="anna", page_token=page.next_page_token)
        assert await refusal(backend._call(ask, again)) == "FIELD_MALFORMED"
        await backend.adjust_balance("zoe", CURRENCY, 5, WHY)
        again = ListOperationsRequest(page_size=3, page_token=page.next_page_token)
        following = await ask(again)
        assert list(following.operations) == everything[2:5], "what came meanwhile moves no page"
    async with kept.served() as (_, backend):
        assert [one async for one in backend.list_operations()][1:] == everything
