"""A table local to a scene, and whether it is there for a viewer."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from tests.support.live import CURRENCY, HOUSE, WEALTH, Backend
from tests.support.operated import refusal

from croupier.client import Refused
from croupier.v1 import house_pb2
from croupier.v1.seat_service_pb2 import Vouched

INN: Final = Vouched(scene="inn", has_pass=True)


async def hands(viewer: Backend, **filters: str) -> list[str]:
    return [one.hand_id async for one in viewer.list_hands(**filters)]  # type: ignore[arg-type]


async def sits(shop: Backend, table_id: str, player_id: str, seat: int) -> None:
    await shop.deposit(player_id, CURRENCY, WEALTH)
    await shop.reserve_seat(table_id, player_id, seat, vouched=INN)
    await shop.buy_in(table_id, player_id, 100)


async def local_table(shop: Backend, seat_count: int = 6) -> str:
    structure, pause = house_pb2.BET_STRUCTURE_NO_LIMIT, timedelta(seconds=0)
    table = await shop.create_table(HOUSE, structure, 2, seat_count, hand_pause=pause, local_scene="inn")
    return table.table_id


async def heard(viewer: Backend, table_id: str, player_id: str = "") -> str:
    """Begin to watch on a stream of many tables: how that fails, empty where it does not."""
    async with viewer.play_stream() as play:
        play.watch(table_id, player_id)
        async with asyncio.timeout(20):
            async for told in play.news():
                return told.news.reason if isinstance(told.news, Refused) else ""
    raise AssertionError("nothing was told")


async def listed(viewer: Backend, scene: str = "") -> set[str]:
    return {one.table_id for one in (await viewer.list_tables(scene=scene)).tables}


async def sees(viewer: Backend, table_id: str, player_id: str = "") -> bool:
    """Whether a table is there for a viewer, whichever way it is looked for."""

    async def watched() -> None:
        async with aclosing(viewer.watch(table_id, player_id)) as stream:
            await anext(stream)

    reasons = {
        "" if table_id in await listed(viewer) else "TABLE_UNKNOWN",
        await heard(viewer, table_id, player_id),
        await refusal(viewer.get_table(table_id, player_id)),
        await refusal(watched()),
    }
    assert reasons in ({""}, {"TABLE_UNKNOWN"})
    return reasons == {""}
