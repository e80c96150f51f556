"""A player_id in a request is checked against the credential: a player's own, a backend's in scope, else none."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message
from grpc import StatusCode
from tests.integration.access.conftest import Calling
from tests.support.live import CURRENCY, Backend
from tests.support.refused import Answered, refused, told
from tests.support.vouching import PASS

from croupier.client import Refused
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

NOT_ALLOWED = "CALLER_NOT_ALLOWED"


def requests(table_id: str, player_id: str) -> dict[str, tuple[str, Message]]:
    """One of every RPC that a player may call for itself alone, good enough to get as far as whose it is."""
    known: dict[str, Any] = {"table_id": table_id, "player_id": player_id}
    change: dict[str, Any] = {"request_id": "one", **known}
    hand: dict[str, Any] = {**change, "hand_id": f"{table_id}/1"}
    made: dict[str, tuple[str, Message]] = {
        "ReserveSeat": ("SeatService", seats.ReserveSeatRequest(**change, seat_number=5)),
        "ReleaseSeat": ("SeatService", seats.ReleaseSeatRequest(**change)),
        "BuyIn": ("SeatService", seats.BuyInRequest(**change, amount=100)),
        "Rebuy": ("SeatService", seats.RebuyRequest(**change, amount=100)),
        "CashOut": ("SeatService", seats.CashOutRequest(**change)),
        "Dismiss": ("SeatService", seats.DismissRequest(**change)),
        "SitOut": ("SeatService", seats.SitOutRequest(**change)),
        "SitIn": ("SeatService", seats.SitInRequest(**change)),
        "SetPreferences": ("SeatService", seats.SetPreferencesRequest(**change)),
        "JoinWaitingList": ("SeatService", seats.JoinWaitingListRequest(**change)),
        "LeaveWaitingList": ("SeatService", seats.LeaveWaitingListRequest(**change)),
        "Act": (
            "BettingService",
            betting.ActRequest(**hand, action_sequence=1, action=hand_pb2.ACTION_KIND_FOLD),
        ),
        "SetAdvanceAction": ("BettingService", betting.SetAdvanceActionRequest(**hand)),
        "ShowCards": ("BettingService", betting.ShowCardsRequest(**hand, cards=["As"])),
        "GetLegalActions": ("BettingService", betting.GetLegalActionsRequest(**known)),
        "GetTable": ("TableService", tables.GetTableRequest(**known)),
        "WatchTable": ("TableService", tables.WatchTableRequest(**known)),
        "GetBalance": (
            "SettlementService",
            settlement.GetBalanceRequest(player_id=player_id, currency=CURRENCY),
        ),
        "GetHand": (
            "SettlementService",
            settlement.GetHandRequest(hand_id=f"{table_id}/1", player_id=player_id),
        ),
        "ListHands": ("SettlementService", settlement.ListHandsRequest(**known)),
        "ExportHand": (
            "SettlementService",
            settlement.ExportHandRequest(
                hand_id=f"{table_id}/1", player_id=player_id, format=settlement.HAND_FORMAT_PHH
            ),
        ),
    }
    return made


async def outcome(caller: Backend, method: str, asked: tuple[str, Message]) -> tuple[str, dict[str, str]]:
    """Reason and metadata of a refusal; none where there is an answer."""
    service, request = asked
    path = f"/croupier.v1.{service}/{method}"
    try:
        failure = await refused(caller.channel, path, request, streams=method == "WatchTable")
    except Answered:
        return "", {}
    code, reason, facts, _ = told(failure)
    assert (code is StatusCode.PERMISSION_DENIED) == (reason in (NOT_ALLOWED, "DECISION_NOT_YOURS")), failure
    return reason, facts


async def test_a_player_speaks_for_itself_alone(shop: Backend, calling: Calling) -> None:
    table_id = await shop.open_table("anna", "bert")
    anna = calling("player", "anna")
    for method, asked in requests(table_id, "bert").items():
        assert await outcome(anna, method, asked) == (NOT_ALLOWED, {"role": "player", "player_id": "bert"}), (
            method
        )
    for method, asked in requests(table_id, "anna").items():
        assert (await outcome(anna, method, asked))[0] != NOT_ALLOWED, method


async def test_a_backend_speaks_for_players_in_its_scope(shop: Backend, calling: Calling) -> None:
    table_id = await shop.open_table("a-anna", "b-bert")
    backend = calling("backend", "a-site", players=["a-", "c-"])
    for method, asked in requests(table_id, "b-bert").items():
        assert (await outcome(backend, method, asked))[0] == NOT_ALLOWED, method
    for player_id in ("a-anna", "c-new"):
        for method, asked in requests(table_id, player_id).items():
            assert (await outcome(backend, method, asked))[0] != NOT_ALLOWED, method
    with pytest.raises(Refused, match=NOT_ALLOWED):
        await backend.deposit("b-bert", CURRENCY, 1)
    await backend.deposit("a-anna", CURRENCY, 1)


async def test_a_backend_of_no_players_speaks_for_none(calling: Calling) -> None:
    with pytest.raises(Refused, match=NOT_ALLOWED):
        await calling("backend", "nobodys", players=[]).deposit("anna", CURRENCY, 1)


@pytest.mark.parametrize("role", ["observer", "operator", "auditor"])
async def test_nobody_else_sees_with_a_players_eyes(shop: Backend, calling: Calling, role: str) -> None:
    table_id = await shop.open_table("anna", "bert")
    caller = calling(role, "anna")
    for method in ("GetTable", "WatchTable", "GetHand", "ListHands", "ExportHand"):
        asked = requests(table_id, "anna")[method]
        assert await outcome(caller, method, asked) == (NOT_ALLOWED, {"role": role, "player_id": "anna"}), (
            method
        )


async def test_observer_sees_no_cards_and_auditor_reads_the_books(shop: Backend, calling: Calling) -> None:
    table_id = await shop.open_table("anna", "bert")
    await shop.dealt(table_id)
    seen = await calling("observer", "stands").get_table(table_id)
    assert seen.hand.hand_id
    assert not any(seat.hole_cards for seat in seen.hand.seats)
    auditor = calling("auditor", "books")
    assert [entry async for entry in auditor.list_entries()]
    assert (await auditor.get_balance("anna", CURRENCY)).available > 0


async def test_a_player_sees_its_own_cards_alone(shop: Backend, calling: Calling) -> None:
    table_id = await shop.open_table("anna", "bert")
    await shop.dealt(table_id)
    seen = await calling("player", "anna").get_table(table_id, "anna")
    cards = {seat.seat_number: list(seat.hole_cards) for seat in seen.hand.seats}
    assert len(cards[1]) == 2
    assert not cards[2]


async def test_a_players_own_word_counts_for_nothing(shop: Backend, calling: Calling) -> None:
    """R-T6, R-T7: experience, scene and pass are vouched for by a backend."""
    table_id = await shop.open_table()
    await shop.deposit("anna", CURRENCY, 100)
    with pytest.raises(Refused) as caught:
        await calling("player", "anna").reserve_seat(table_id, "anna", 1, vouched=PASS)
    assert (caught.value.reason, caught.value.facts) == ("FIELD_NOT_ALLOWED", {"field": "vouched"})
    await shop.reserve_seat(table_id, "anna", 1, vouched=PASS)


async def test_a_limited_backend_reads_entries_of_its_players_alone(shop: Backend, calling: Calling) -> None:
    await shop.open_table("a-anna", "b-bert")
    backend = calling("backend", "a-site", players=["a-"])
    with pytest.raises(Refused, match=NOT_ALLOWED):
        _ = [entry async for entry in backend.list_entries()]
    with pytest.raises(Refused, match=NOT_ALLOWED):
        _ = [entry async for entry in backend.list_entries(player_id="b-bert")]
    found = [entry async for entry in backend.list_entries(player_id="a-anna")]
    assert found
    assert all(entry.player_id == "a-anna" or entry.account.startswith("reserved/") for entry in found)


async def test_request_ids_of_one_caller_are_nothing_to_another(shop: Backend, calling: Calling) -> None:
    """A player and a backend of the same name are two callers."""
    table_id = await shop.open_table()
    await shop.deposit("shop", CURRENCY, 100)
    await shop.reserve_seat(table_id, "shop", 1, vouched=PASS, request_id="same")
    with pytest.raises(Refused, match="PLAYER_ALREADY_SEATED"):
        await calling("player", "shop").reserve_seat(table_id, "shop", 2, request_id="same")
    again = await shop.reserve_seat(table_id, "shop", 1, vouched=PASS, request_id="same")
    assert again.seat.seat_number == 1
