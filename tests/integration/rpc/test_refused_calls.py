"""Calls about seats, tables and money that are well formed and wrong: refused as the contract says."""

from __future__ import annotations

import base64
from functools import partial
from typing import Any

import pytest
from google.protobuf.message import Message
from tests.support.bad_calls import Scene
from tests.support.live import CURRENCY, HOUSE
from tests.support.untimely import IDLER
from tests.support.vouching import PASS

from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

pytestmark = pytest.mark.asyncio(loop_scope="module")

BETTING, SEAT, TABLE, SETTLEMENT = (
    f"/croupier.v1.{name}Service/" for name in ("Betting", "Seat", "Table", "Settlement")
)


async def test_bad_dealings_with_seats_are_refused(scene: Scene) -> None:
    busy: dict[str, Any] = {"request_id": "x", "table_id": scene.busy}
    await scene.backend.deposit("fred", CURRENCY, 1000)
    fred, idler, poor, anna = ({**busy, "player_id": player} for player in ("fred", IDLER, "poor", "anna"))
    reserve = partial(seats.ReserveSeatRequest, vouched=PASS)
    refused: list[tuple[str, Message, str, dict[str, int | str]]] = [
        (
            "ReserveSeat",
            reserve(**fred, seat_number=1),
            "SEAT_TAKEN",
            {"seat_number": 1},
        ),
        (
            "ReserveSeat",
            reserve(**fred, seat_number=7),
            "FIELD_OUT_OF_RANGE",
            {"max": 6},
        ),
        (
            "ReserveSeat",
            reserve(**poor, seat_number=5),
            "INSUFFICIENT_FUNDS",
            {"available": 0},
        ),
        (
            "ReserveSeat",
            reserve(**idler, seat_number=5),
            "PLAYER_ALREADY_SEATED",
            {"seat_number": 6},
        ),
        ("ReleaseSeat", seats.ReleaseSeatRequest(**idler), "SEAT_NOT_RESERVED", {"seat_number": 6}),
        ("ReleaseSeat", seats.ReleaseSeatRequest(**fred), "PLAYER_NOT_SEATED", {}),
        ("BuyIn", seats.BuyInRequest(**fred, amount=100), "PLAYER_NOT_SEATED", {}),
        ("BuyIn", seats.BuyInRequest(**idler, amount=100), "SEAT_NOT_RESERVED", {"seat_number": 6}),
        ("Rebuy", seats.RebuyRequest(**idler, amount=101), "REBUY_NOT_LEGAL", {"max_rebuy": 100}),
        ("Rebuy", seats.RebuyRequest(**fred, amount=1), "PLAYER_NOT_SEATED", {}),
        ("Rebuy", seats.RebuyRequest(**poor, amount=1), "INSUFFICIENT_FUNDS", {"required": 20}),
        ("CashOut", seats.CashOutRequest(**fred), "PLAYER_NOT_SEATED", {}),
        ("Dismiss", seats.DismissRequest(**fred), "PLAYER_NOT_SEATED", {}),
        ("SitOut", seats.SitOutRequest(**idler), "PLAYER_SITTING_OUT", {"seat_number": 6}),
        (
            "SitIn",
            seats.SitInRequest(**anna, wait_for_big_blind=True),
            "PLAYER_NOT_SITTING_OUT",
            {"seat_number": 1},
        ),
    ]
    for call, request, reason, facts in refused:
        await scene.must_refuse(SEAT + call, request, reason, **facts)


async def test_a_reserved_seat_takes_a_legal_buy_in_and_nothing_else(scene: Scene) -> None:
    await scene.backend.deposit("gail", CURRENCY, 100)
    await scene.backend.reserve_seat(scene.busy, "gail", 4, vouched=PASS)
    gail: dict[str, Any] = {"request_id": "x", "table_id": scene.busy, "player_id": "gail"}
    for amount in (19, 201, 10**12):
        request = seats.BuyInRequest(**gail, amount=amount)
        bounds = {"min_buy_in": 20, "max_buy_in": 200}
        await scene.must_refuse(SEAT + "BuyIn", request, "BUY_IN_NOT_LEGAL", **bounds)
    funds: dict[str, int | str] = {"available": 100, "required": 101, "currency": CURRENCY}
    await scene.must_refuse(
        SEAT + "BuyIn", seats.BuyInRequest(**gail, amount=101), "INSUFFICIENT_FUNDS", **funds
    )
    calls: dict[str, Message] = {
        "Rebuy": seats.RebuyRequest(**gail, amount=1),
        "CashOut": seats.CashOutRequest(**gail),
        "Dismiss": seats.DismissRequest(**gail),
        "SitOut": seats.SitOutRequest(**gail),
    }
    for call, asked in calls.items():
        await scene.must_refuse(SEAT + call, asked, "SEAT_NOT_BOUGHT_IN", seat_number=4)
    await scene.backend.release_seat(scene.busy, "gail")


async def test_a_full_table_says_so(scene: Scene) -> None:
    table_id = await scene.backend.open_table("mike", "nina", seat_count=2)
    await scene.backend.deposit("otto", CURRENCY, 100)
    request = seats.ReserveSeatRequest(
        request_id="x", table_id=table_id, player_id="otto", seat_number=1, vouched=PASS
    )
    await scene.must_refuse(SEAT + "ReserveSeat", request, "TABLE_FULL", seat_count=2)


async def test_who_leaves_already_is_told_so(scene: Scene) -> None:
    table_id = await scene.backend.open_table("paul", "rosa")
    await scene.backend.cash_out(table_id, "paul")
    paul: dict[str, Any] = {"request_id": "x", "table_id": table_id, "player_id": "paul"}
    calls: dict[str, Message] = {
        "CashOut": seats.CashOutRequest(**paul),
        "Rebuy": seats.RebuyRequest(**paul, amount=1),
    }
    for call, asked in calls.items():
        await scene.must_refuse(SEAT + call, asked, "PLAYER_LEAVING", seat_number=1)
    await scene.backend.close_table(table_id)
    await scene.backend.deposit("stan", CURRENCY, 100)
    stan: dict[str, Any] = {"request_id": "x", "table_id": table_id, "player_id": "stan"}
    request = seats.ReserveSeatRequest(**stan, seat_number=3, vouched=PASS)
    await scene.must_refuse(SEAT + "ReserveSeat", request, "TABLE_CLOSING", table_id=table_id)
    for name, kind in (("CloseTable", tables.CloseTableRequest), ("PauseTable", tables.PauseTableRequest)):
        closing = kind(request_id="x", table_id=table_id)
        await scene.must_refuse(TABLE + name, closing, "TABLE_CLOSING", table_id=table_id)


async def test_a_request_id_stands_for_one_request(scene: Scene) -> None:
    backend = scene.backend
    first = await backend.deposit("hugo", CURRENCY, 500, request_id="once")
    assert await backend.deposit("hugo", CURRENCY, 500, request_id="once") == first
    for player, amount in (("hugo", 501), ("iris", 500)):
        deposit = settlement.DepositRequest(
            request_id="once", player_id=player, currency=CURRENCY, amount=amount
        )
        await scene.must_refuse(SETTLEMENT + "Deposit", deposit, "REQUEST_ID_REUSED", request_id="once")
    withdraw = settlement.WithdrawRequest(request_id="once", player_id="hugo", currency=CURRENCY, amount=1)
    assert await scene.send(SETTLEMENT + "Withdraw", withdraw) is None, "a request_id is a method's own"


async def test_tables_and_houses_that_do_not_exist_are_refused(scene: Scene) -> None:
    create = partial(tables.CreateTableRequest, request_id="x", seat_count=6)
    no_limit = house_pb2.BET_STRUCTURE_NO_LIMIT
    of_none = create(house_id="x", structure=no_limit, min_bet=2)
    await scene.must_refuse(TABLE + "CreateTable", of_none, "HOUSE_UNKNOWN", house_id="x")
    listed = tables.ListTablesRequest(house_id="x")
    await scene.must_refuse(TABLE + "ListTables", listed, "HOUSE_UNKNOWN", house_id="x")
    stakes = create(house_id=HOUSE, structure=no_limit, min_bet=3)
    offered: dict[str, int | str] = {"field": "min_bet", "offered": "2,20,200,2000"}
    await scene.must_refuse(TABLE + "CreateTable", stakes, "OPTION_NOT_OFFERED", **offered)
    unknown = partial(scene.must_refuse, reason="TABLE_UNKNOWN", table_id="x")
    await unknown(TABLE + "GetTable", tables.GetTableRequest(table_id="x"))
    await unknown(TABLE + "WatchTable", tables.WatchTableRequest(table_id="x"))
    await unknown(TABLE + "PauseTable", tables.PauseTableRequest(request_id="x", table_id="x"))
    await unknown(BETTING + "GetLegalActions", betting.GetLegalActionsRequest(table_id="x", player_id="x"))
    await unknown(SEAT + "SitOut", seats.SitOutRequest(request_id="x", table_id="x", player_id="x"))
    act = scene.act(hand_pb2.ACTION_KIND_FOLD, table_id="x", hand_id="x/1")
    await unknown(BETTING + "Act", act)


async def test_tables_in_another_state_say_so(scene: Scene) -> None:
    paused = tables.PauseTableRequest(request_id="x", table_id=scene.paused)
    await scene.must_refuse(TABLE + "PauseTable", paused, "TABLE_PAUSED", table_id=scene.paused)
    open_one = tables.ResumeTableRequest(request_id="x", table_id=scene.busy)
    await scene.must_refuse(TABLE + "ResumeTable", open_one, "TABLE_NOT_PAUSED", table_id=scene.busy)
    closed: dict[str, Any] = {"request_id": "x", "table_id": scene.closed}
    player: dict[str, Any] = {**closed, "player_id": "anna"}
    for method, request in (
        (TABLE + "PauseTable", tables.PauseTableRequest(**closed)),
        (TABLE + "ResumeTable", tables.ResumeTableRequest(**closed)),
        (TABLE + "CloseTable", tables.CloseTableRequest(**closed)),
        (SEAT + "ReserveSeat", seats.ReserveSeatRequest(**player, seat_number=1, vouched=PASS)),
        (SEAT + "ReleaseSeat", seats.ReleaseSeatRequest(**player)),
        (SEAT + "BuyIn", seats.BuyInRequest(**player, amount=100)),
        (SEAT + "Rebuy", seats.RebuyRequest(**player, amount=100)),
        (SEAT + "CashOut", seats.CashOutRequest(**player)),
        (SEAT + "Dismiss", seats.DismissRequest(**player)),
        (SEAT + "SitOut", seats.SitOutRequest(**player)),
        (SEAT + "SitIn", seats.SitInRequest(**player, wait_for_big_blind=True)),
    ):
        await scene.must_refuse(method, request, "TABLE_CLOSED", table_id=scene.closed)
    act = scene.act(hand_pb2.ACTION_KIND_FOLD, table_id=scene.closed, hand_id=f"{scene.closed}/1")
    await scene.must_refuse(BETTING + "Act", act, "TABLE_CLOSED", table_id=scene.closed)


async def test_money_that_is_not_there_is_refused(scene: Scene) -> None:
    idler = {"request_id": "x", "player_id": IDLER}
    for method, request in (
        ("Deposit", settlement.DepositRequest(**idler, currency="groats", amount=1)),
        ("Withdraw", settlement.WithdrawRequest(**idler, currency="groats", amount=1)),
        ("GetBalance", settlement.GetBalanceRequest(player_id=IDLER, currency="groats")),
    ):
        await scene.must_refuse(SETTLEMENT + method, request, "CURRENCY_UNKNOWN", currency="groats")
    much = {**idler, "currency": CURRENCY}
    withdraw = settlement.WithdrawRequest(**much, amount=10**12)
    await scene.must_refuse(SETTLEMENT + "Withdraw", withdraw, "INSUFFICIENT_FUNDS", required=10**12)
    deposit = settlement.DepositRequest(**much, amount=10**12)
    await scene.must_refuse(SETTLEMENT + "Deposit", deposit, "BALANCE_LIMIT_EXCEEDED", max_balance=10**12)


async def test_page_tokens_are_good_for_what_they_were_issued_for(scene: Scene) -> None:
    page = await scene.backend.list_tables(page_size=1)
    good = page.next_page_token
    assert (await scene.backend.list_tables(page_size=1, page_token=good)).tables[0] != page.tables[0]
    refused = partial(scene.must_refuse, reason="FIELD_MALFORMED", field="page_token")
    await refused(TABLE + "ListTables", tables.ListTablesRequest(house_id=HOUSE, page_token=good))
    for place in ("", "x", "²", "-1", "1 ", "9" * 30):
        token = base64.urlsafe_b64encode(f"{place}\0\0\0".encode()).decode()
        await refused(SETTLEMENT + "ListEntries", settlement.ListEntriesRequest(page_token=token))
        token = base64.urlsafe_b64encode(f"{place}\0x\0".encode()).decode()
        await refused(TABLE + "ListTables", tables.ListTablesRequest(page_token=token))
    for token in ("x", "=", "äöü", "x" * 100_000, base64.b64encode(b"\xff\xff").decode()):
        await refused(TABLE + "ListTables", tables.ListTablesRequest(page_token=token))


async def test_odd_account_prefixes_find_what_begins_so_and_nothing_else(scene: Scene) -> None:
    accounts = {entry.account async for entry in scene.backend.list_entries()}
    for prefix in (
        "wallet/",
        "stack/",
        "wallet/ann",
        "%",
        "_",
        "w_llet",
        "wallet/%",
        "\ufffd",
        "'",
        "[w]",
        "*",
    ):
        found = {entry.account async for entry in scene.backend.list_entries(account_prefix=prefix)}
        assert found == {account for account in accounts if account.startswith(prefix)}, prefix
