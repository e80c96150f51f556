"""BlockPlayer and UnblockPlayer over gRPC, on both stores: who is blocked plays nowhere, and loses no chip."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.support.live import CURRENCY, HOUSE, WEALTH, Backend
from tests.support.live_table import ONCE
from tests.support.operated import PLAYERS, WHY, Kept, balanced, played, raised, refusal, until
from tests.support.vouching import PASS

from croupier.client import CroupierError
from croupier.v1.operator_service_pb2 import BLOCK_KIND_OPERATOR, BLOCK_KIND_SELF_EXCLUSION, BlockKind

SHORT = timedelta(seconds=1.5)


def after(span: timedelta) -> datetime:
    return datetime.now(UTC) + span


async def funded(backend: Backend, player_id: str = "zoe") -> None:
    await backend.deposit(player_id, CURRENCY, WEALTH)


async def reserve(backend: Backend, table_id: str, player_id: str = "zoe", seat: int = 6) -> str:
    """What reserving is refused for."""
    return await refusal(backend.reserve_seat(table_id, player_id, seat, vouched=PASS))


@pytest.mark.parametrize("kind", [BLOCK_KIND_OPERATOR, BLOCK_KIND_SELF_EXCLUSION])
async def test_a_blocked_player_gets_no_seat_and_keeps_the_wallet(
    kept: Kept, kind: BlockKind.ValueType
) -> None:
    async with kept.served() as (_, backend):
        open_table = await backend.open_table(*PLAYERS)
        full = await backend.open_table("dora", "egon", seat_count=2)
        await funded(backend)
        assert await reserve(backend, open_table) == ""
        until_time = after(timedelta(days=1))
        answer = await backend.block_player("zoe", kind, WHY, until=until_time)
        assert (answer.block.kind, list(answer.table_ids)) == (kind, [open_table])
        with pytest.raises(CroupierError) as told:
            await backend.reserve_seat(open_table, "zoe", 6, vouched=PASS)
        assert (told.value.reason, told.value.facts["house_id"]) == ("PLAYER_BLOCKED", "")
        assert 0 <= int(told.value.facts["until"]) - until_time.timestamp() <= 1
        assert await refusal(backend.join_waiting_list(full, "zoe", vouched=PASS)) == "PLAYER_BLOCKED"
        bought_in = await refusal(backend.buy_in(open_table, "zoe", 100))
        assert bought_in in ("PLAYER_BLOCKED", "PLAYER_NOT_SEATED")
        assert "zoe" not in {seat.player_id for seat in (await backend.get_table(open_table)).seats}
        assert (await backend.withdraw("zoe", CURRENCY, WEALTH)).available == 0


async def test_the_seat_held_now_is_played_out_and_given_up(kept: Kept) -> None:
    """R-T11: by checks and folds; sitting in again keeps no seat, others play on, and chips come back."""
    async with kept.served() as (_, backend):
        table_id = await raised(backend)
        watching = backend.watching(table_id)
        decision = await backend.decision(table_id)
        actor, seat = decision.player_id, decision.seat_number
        answer = await backend.block_player(
            actor, BLOCK_KIND_SELF_EXCLUSION, WHY, until=after(timedelta(days=9))
        )
        assert list(answer.table_ids) == [table_id]
        await watching.until(lambda stream: seat in [one.seat_number for one in stream.of("folded")])
        assert await refusal(backend.rebuy(table_id, actor, 10)) == "PLAYER_BLOCKED"
        await backend.sit_out(table_id, actor)
        await backend.sit_in(table_id, actor)
        await played(backend, table_id)
        await watching.until(lambda stream: actor in [one.player_id for one in stream.of("player_left")])
        await watching.cancel()

        async def cashed_out() -> bool:
            balance = await backend.get_balance(actor, CURRENCY)
            return not balance.tables and not balance.reserved

        await until(cashed_out)
        balance = await backend.get_balance(actor, CURRENCY)
        assert WEALTH - 100 < balance.available <= WEALTH + 200
        assert await refusal(backend.sit_in(table_id, actor)) == "PLAYER_NOT_SEATED"
        assert await reserve(backend, table_id, actor) == "PLAYER_BLOCKED"
        assert (await balanced(backend))[f"stack/{table_id}/{actor}"] == 0


async def test_a_self_exclusion_gets_longer_and_is_never_lifted(kept: Kept) -> None:
    """Nor shortened, by whichever call; also after a restart."""
    far, near = after(timedelta(days=60)), after(timedelta(days=30))
    async with kept.served() as (_, backend):
        await backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=near)
    for _ in range(2):
        async with kept.served() as (_, backend):
            sooner = near - timedelta(seconds=1)
            shorter = backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=sooner)
            assert await refusal(shorter) == "BLOCK_STANDS"
            assert await refusal(backend.unblock_player("zoe", WHY)) == "BLOCK_STANDS"
    async with kept.served() as (_, backend):
        await backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=far)
        back = backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=near)
        assert await refusal(back) == "BLOCK_STANDS"
        await backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY)
        back = backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=far)
        assert await refusal(back) == "BLOCK_STANDS"
        assert len([one async for one in backend.list_operations()]) == 3


async def test_an_operators_block_is_lifted_and_no_exclusion_with_it(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table(*PLAYERS)
        await funded(backend)
        assert await refusal(backend.unblock_player("zoe", WHY)) == "PLAYER_NOT_BLOCKED"
        await backend.block_player("zoe", BLOCK_KIND_OPERATOR, WHY)
        assert await reserve(backend, table_id) == "PLAYER_BLOCKED"
        await backend.unblock_player("zoe", WHY, request_id="once")
        await backend.block_player("zoe", BLOCK_KIND_OPERATOR, WHY)
        await backend.unblock_player("zoe", WHY, request_id="once")
        assert await reserve(backend, table_id) == "PLAYER_BLOCKED", "a repeated request lifts nothing anew"
        await backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=after(timedelta(days=1)))
        await backend.unblock_player("zoe", WHY)
        assert await reserve(backend, table_id) == "PLAYER_BLOCKED"
        await backend.block_player("yves", BLOCK_KIND_OPERATOR, WHY)
        await backend.unblock_player("yves", WHY)
        await funded(backend, "yves")
        assert await reserve(backend, table_id, "yves") == ""


async def test_a_block_survives_a_restart_and_ends_at_its_end(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table(*PLAYERS)
        await funded(backend)
        await funded(backend, "yves")
        await backend.block_player("yves", BLOCK_KIND_OPERATOR, WHY)
        end = after(SHORT)
        await backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=end)
    async with kept.served() as (_, backend):
        assert await reserve(backend, table_id, "yves", 5) == "PLAYER_BLOCKED"
        while await reserve(backend, table_id) == "PLAYER_BLOCKED":
            await asyncio.sleep(0.02)
        assert datetime.now(UTC) >= end
        assert await reserve(backend, table_id) == "PLAYER_ALREADY_SEATED"
        assert await reserve(backend, table_id, "yves", 5) == "PLAYER_BLOCKED"


async def test_a_block_is_for_one_house_or_all_of_them(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        table_id = await backend.open_table(*PLAYERS)
        await funded(backend)
        nowhere = backend.block_player("zoe", BLOCK_KIND_OPERATOR, WHY, house_id="nowhere")
        assert await refusal(nowhere) == "HOUSE_UNKNOWN"
        await backend.block_player("zoe", BLOCK_KIND_OPERATOR, WHY, house_id="poker_ocean")
        assert await reserve(backend, table_id) == ""
        answer = await backend.block_player("zoe", BLOCK_KIND_OPERATOR, WHY, house_id=HOUSE)
        assert list(answer.table_ids) == [table_id]
        with pytest.raises(CroupierError) as told:
            await backend.reserve_seat(table_id, "zoe", 6, vouched=PASS)
        assert told.value.facts == {"until": "0", "house_id": HOUSE}
        assert await refusal(backend.unblock_player("zoe", WHY)) == "PLAYER_NOT_BLOCKED"
        await backend.unblock_player("zoe", WHY, house_id=HOUSE)
        assert await reserve(backend, table_id) == ""


async def test_a_kill_right_after_the_block_leaves_nobody_at_the_table(kept: Kept) -> None:
    """What the killed server had not done yet, the next one does at its start."""
    server = kept.process()
    try:
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            table_id = await raised(backend)
            actor = (await backend.decision(table_id)).player_id
            await backend.block_player(actor, BLOCK_KIND_OPERATOR, WHY)
        server.kill()
        server.start()
        async with Backend(server.target, retry=ONCE) as backend:
            await played(backend, table_id)

            async def home() -> bool:
                return not (await backend.get_balance(actor, CURRENCY)).tables

            await until(home)
            assert await reserve(backend, table_id, actor) == "PLAYER_BLOCKED"
        assert server.stop() == 0
    finally:
        server.kill()


async def test_an_end_that_is_past_is_no_end(kept: Kept) -> None:
    async with kept.served() as (_, backend):
        for past in (Timestamp(seconds=1).ToDatetime(UTC), after(-timedelta(seconds=1))):
            late = backend.block_player("zoe", BLOCK_KIND_SELF_EXCLUSION, WHY, until=past)
            assert await refusal(late) == "FIELD_OUT_OF_RANGE"
        assert [one async for one in backend.list_operations()] == []
