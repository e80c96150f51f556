"""R-T6: a local table is there for players whose credential says that they are in its scene, and for who is at it."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest
from tests.integration.access.conftest import Calling
from tests.support.live import CURRENCY, WEALTH, Backend
from tests.support.local_tables import INN, hands, listed, local_table, sees, sits
from tests.support.operated import refusal

from croupier.client import Refused
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1.seat_service_pb2 import Vouched


class Floor(NamedTuple):
    """A table of the inn's where bert and cleo have played a hand, one open to all, and who may see both."""

    inn: str
    open: str
    hand_id: str
    shop: Backend


@pytest.fixture
async def floor(shop: Backend) -> Floor:
    inn, anywhere = await local_table(shop), await shop.open_table()
    await sits(shop, inn, "bert", 1)
    await sits(shop, inn, "cleo", 2)
    decision = await shop.dealt(inn)
    await shop.pause_table(inn)
    await shop.act(inn, decision, hand_pb2.ACTION_KIND_FOLD)
    async with asyncio.timeout(20):
        while not await hands(shop, table_id=inn):
            await asyncio.sleep(0.05)
    return Floor(inn, anywhere, decision.hand_id, shop)


async def knows_hand(viewer: Backend, floor: Floor) -> bool:
    lists = [await hands(viewer, table_id=floor.inn), await hands(viewer, played_by="bert")]
    reasons = {
        *["" if floor.hand_id in found else "HAND_UNKNOWN" for found in lists],
        await refusal(viewer.get_hand(floor.hand_id)),
        await refusal(viewer.export_hand(floor.hand_id, settlement.HAND_FORMAT_PHH)),
        await refusal(viewer.verify_hand(floor.hand_id)),
    }
    assert reasons in ({""}, {"HAND_UNKNOWN"})
    return reasons == {""}


@pytest.mark.parametrize("claims", [{}, {"scene": ""}, {"scene": "den"}])
async def test_a_player_elsewhere_sees_nothing_of_it(
    floor: Floor, calling: Calling, claims: dict[str, str]
) -> None:
    anna = calling("player", "anna", **claims)
    assert not await sees(anna, floor.inn)
    assert not await sees(anna, floor.inn, "anna")
    assert await sees(anna, floor.open)
    assert not await knows_hand(anna, floor)
    await floor.shop.deposit("anna", CURRENCY, WEALTH)
    with pytest.raises(Refused, match="TABLE_UNKNOWN"):
        await anna.get_legal_actions(floor.inn, "anna")
    with pytest.raises(Refused, match="PLAYER_ELSEWHERE"):
        await anna.reserve_seat(floor.inn, "anna", 3)
    with pytest.raises(Refused, match="PLAYER_ELSEWHERE"):
        await anna.join_waiting_list(floor.inn, "anna")


@pytest.mark.parametrize("claims", [{}, {"scene": "den"}])
async def test_what_a_player_says_of_its_scene_counts_for_nothing(
    floor: Floor, calling: Calling, claims: dict[str, str]
) -> None:
    anna = calling("player", "anna", **claims)
    for ask in (
        anna.get_table(floor.inn, scene="inn"),
        anna.get_table(floor.open, scene="inn"),
        anna.list_tables(scene="inn"),
        anext(anna.watch(floor.inn, scene="inn")),
    ):
        with pytest.raises(Refused) as refused:
            await ask
        assert (refused.value.reason, refused.value.facts) == ("FIELD_NOT_ALLOWED", {"field": "scene"})
    with pytest.raises(Refused) as refused:
        await anna.reserve_seat(floor.inn, "anna", 3, vouched=Vouched(scene="inn"))
    assert (refused.value.reason, refused.value.facts) == ("FIELD_NOT_ALLOWED", {"field": "vouched"})


async def test_a_player_in_the_scene_sees_it_and_may_join(floor: Floor, calling: Calling) -> None:
    dora = calling("player", "dora", scene="inn")
    assert await sees(dora, floor.inn)
    assert await sees(dora, floor.open)
    assert await listed(dora, "inn") == {floor.inn, floor.open}
    assert await knows_hand(dora, floor)
    assert (await dora.get_table(floor.inn, scene="inn")).table_id == floor.inn
    await floor.shop.deposit("dora", CURRENCY, WEALTH)
    for vouched in (None, Vouched(scene="inn")):
        asked = dora.reserve_seat(floor.inn, "dora", 3, vouched=vouched)
        # Whether it takes a pass, the day decides.
        assert await refusal(asked) in ("", "PASS_REQUIRED", "PLAYER_ALREADY_SEATED")
    with pytest.raises(Refused, match="FIELD_NOT_ALLOWED"):
        await dora.reserve_seat(floor.inn, "dora", 4, vouched=INN)


async def test_a_repeated_request_may_come_with_another_scene(shop: Backend, calling: Calling) -> None:
    """The credential is no part of what a request asks for. At a house that takes no pass on any day."""
    structure, game = house_pb2.BET_STRUCTURE_NO_LIMIT, house_pb2.GAME_HOLDEM
    table = await shop.create_table("poker_ocean", structure, 2, 2, game=game)
    await shop.deposit("emil", "USD", WEALTH)
    answers = [
        await calling("player", "emil", **claims).reserve_seat(table.table_id, "emil", 2, request_id="once")
        for claims in ({"scene": "den"}, {"scene": "inn"}, {})
    ]
    assert len({answer.sequence for answer in answers}) == 1


async def test_nobody_at_a_table_loses_sight_of_it(floor: Floor, calling: Calling) -> None:
    """Seated, reserved or waiting; after that, hands played are still the player's to read."""
    bert, anna = calling("player", "bert"), calling("player", "anna", scene="den")
    assert await sees(bert, floor.inn, "bert")
    assert await knows_hand(bert, floor)
    await floor.shop.deposit("anna", CURRENCY, WEALTH)
    await floor.shop.reserve_seat(floor.inn, "anna", 3, vouched=INN)
    assert await sees(anna, floor.inn, "anna")
    assert await knows_hand(anna, floor)
    await floor.shop.release_seat(floor.inn, "anna")
    assert not await sees(anna, floor.inn)
    assert not await knows_hand(anna, floor)
    await bert.cash_out(floor.inn, "bert")
    async with asyncio.timeout(20):
        while floor.inn in await listed(bert):
            await asyncio.sleep(0.01)
    assert not await sees(bert, floor.inn)
    assert await knows_hand(bert, floor)


async def test_who_waits_for_a_seat_sees_the_table(shop: Backend, calling: Calling) -> None:
    inn = await local_table(shop, seat_count=2)
    await sits(shop, inn, "bert", 1)
    await sits(shop, inn, "cleo", 2)
    await shop.deposit("anna", CURRENCY, WEALTH)
    anna = calling("player", "anna")
    assert not await sees(anna, inn)
    await shop.join_waiting_list(inn, "anna", vouched=INN)
    assert await sees(anna, inn)


@pytest.mark.parametrize("role", ["backend", "operator", "observer", "auditor"])
async def test_all_others_see_every_table_and_choose_a_scene(
    floor: Floor, calling: Calling, role: str
) -> None:
    caller = calling(role, "someone")
    assert await listed(caller) == {floor.inn, floor.open}
    assert await listed(caller, "inn") == {floor.inn, floor.open}
    assert await listed(caller, "den") == {floor.open}
    assert (await caller.get_table(floor.inn)).table_id == floor.inn
    with pytest.raises(Refused, match="TABLE_UNKNOWN"):
        await caller.get_table(floor.inn, scene="den")
    assert await knows_hand(caller, floor)


@pytest.mark.parametrize("role", ["backend", "operator", "observer", "auditor"])
async def test_a_scene_is_a_players_claim_alone(calling: Calling, role: str) -> None:
    with pytest.raises(Refused, match="CREDENTIALS_INVALID"):
        await calling(role, "someone", scene="inn").list_houses()


@pytest.mark.parametrize("scene", [7, ["inn"], "x" * 65, "a\nb"])
async def test_a_scene_is_a_short_text(calling: Calling, scene: object) -> None:
    with pytest.raises(Refused, match="CREDENTIALS_INVALID"):
        await calling("player", "anna", scene=scene).list_houses()
