"""A backend of some houses: all others, their tables and hands are unknown to it, whatever RPC names them."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from tests.integration.access.conftest import Calling
from tests.integration.access.test_whose_player import outcome, requests
from tests.support.live import HOUSE, PATIENCE, Backend

from croupier.client import Refused
from croupier.v1 import house_pb2


@pytest.fixture
async def elsewhere(calling: Calling) -> Backend:
    """A backend of another house than that of the tables."""
    return calling("backend", "elsewhere", houses=["poker_ocean"])


async def test_other_houses_tables_are_unknown(shop: Backend, elsewhere: Backend) -> None:
    table_id = await shop.open_table("anna", "bert")
    for method, asked in requests(table_id, "anna").items():
        reason, _ = await outcome(elsewhere, method, asked)
        if method in ("GetHand", "ExportHand"):
            assert reason == "HAND_UNKNOWN", method
        elif method != "GetBalance":
            assert reason == "TABLE_UNKNOWN", method
    for change in (elsewhere.pause_table, elsewhere.resume_table, elsewhere.close_table):
        with pytest.raises(Refused, match="TABLE_UNKNOWN"):
            await change(table_id)


async def test_other_houses_are_not_listed(shop: Backend, elsewhere: Backend) -> None:
    table_id = await shop.open_table()
    assert [house.house_id for house in await elsewhere.list_houses()] == ["poker_ocean"]
    assert not (await elsewhere.list_tables()).tables
    assert [one.table_id for one in (await shop.list_tables()).tables] == [table_id]
    with pytest.raises(Refused, match="HOUSE_UNKNOWN"):
        await elsewhere.list_tables(HOUSE)
    with pytest.raises(Refused, match="HOUSE_UNKNOWN"):
        await elsewhere.create_table(HOUSE, house_pb2.BET_STRUCTURE_NO_LIMIT, 2, 6)


async def test_other_houses_hands_are_not_listed(shop: Backend, elsewhere: Backend, calling: Calling) -> None:
    table_id = await shop.open_table("anna", "bert")
    await shop.dealt(table_id)
    await shop.play(table_id, Random(1), until_hand=3)
    own = calling("backend", "own", houses=[HOUSE])
    async with asyncio.timeout(PATIENCE):
        while not [hand.hand_id async for hand in own.list_hands(played_by="anna")]:
            await asyncio.sleep(0.05)
    assert not [hand.hand_id async for hand in elsewhere.list_hands(played_by="anna")]
    with pytest.raises(Refused, match="TABLE_UNKNOWN"):
        _ = [hand async for hand in elsewhere.list_hands(table_id=table_id)]
    with pytest.raises(Refused, match="HAND_UNKNOWN"):
        await elsewhere.get_hand(f"{table_id}/1")
    assert (await own.get_hand(f"{table_id}/1")).hand_id == f"{table_id}/1"


async def test_a_table_of_its_own_house_is_the_backends(calling: Calling) -> None:
    own = calling("backend", "own", houses=[HOUSE])
    table_id = await own.open_table("anna", "bert")
    decision = await own.dealt(table_id)
    assert (await own.check_or_call(table_id, decision)).player_id
    with pytest.raises(Refused, match="TABLE_UNKNOWN"):
        await own.get_table("nowhere")
