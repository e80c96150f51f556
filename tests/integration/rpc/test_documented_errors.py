"""Calls that are well formed and wrong all the same: each is refused as the contract says, and changes nothing."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import pytest
import pytest_asyncio
from google.protobuf.message import Message
from tests.support.bad_calls import IDLER, PLAYERS, Scene
from tests.support.documented import undocumented
from tests.support.live import CURRENCY, HOUSE
from tests.support.server import ServerProcess

from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

pytestmark = pytest.mark.asyncio(loop_scope="module")

BETTING, SEAT, TABLE, SETTLEMENT = (
    f"/croupier.v1.{name}Service/" for name in ("Betting", "Seat", "Table", "Settlement")
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("documented"))
    server.start()
    yield server
    server.kill()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_scene(server: ServerProcess) -> AsyncIterator[Scene]:
    async with Scene.at(server.target) as scene:
        yield scene


@pytest_asyncio.fixture(loop_scope="module")
async def scene(shared_scene: Scene) -> AsyncIterator[Scene]:
    """The scene with a decision that stands, on which the next good request works after the test as before."""
    await shared_scene.go_on()
    yield shared_scene
    await shared_scene.go_on()


async def expect(scene: Scene, method: str, request: Message, reason: str, **metadata: int | str) -> None:
    """The request must be refused with the reason; the metadata named must be so, and nothing changed."""
    before = await scene.state()
    failure = await scene.send(method, request)
    assert failure is not None, f"{method} {request} was taken"
    assert not undocumented(method, failure), (method, request, failure)
    assert failure.reason == reason, failure
    for key, value in metadata.items():
        assert failure.metadata[key] == str(value), failure
    assert await scene.state() == before


async def test_answers_to_other_decisions_are_refused(scene: Scene) -> None:
    for _ in range(6):
        now = scene.decision
        standing: dict[str, int | str] = {"hand_id": now.hand_id, "action_sequence": now.action_sequence}

        async def refused(request: Message, reason: str, standing: dict[str, int | str] = standing) -> None:
            await expect(scene, BETTING + "Act", request, reason, **standing)

        act = partial(scene.act, hand_pb2.ACTION_KIND_FOLD)
        table_id, _, number = now.hand_id.rpartition("/")
        for sequence in (now.action_sequence + 1, 2**63 - 1):
            await refused(act(action_sequence=sequence), "DECISION_UNKNOWN")
        await refused(act(hand_id=f"{table_id}/{int(number) + 1}"), "DECISION_UNKNOWN")
        if now.action_sequence > 1:
            await refused(act(action_sequence=now.action_sequence - 1), "DECISION_STALE")
        await scene.go_on()


@pytest.mark.parametrize("number", ["0", "01", "-1", "²", "", "1 ", "9" * 19])
async def test_what_is_no_hand_of_the_table_is_refused(scene: Scene, number: str) -> None:
    for table_id in (scene.busy, scene.paused, ""):
        if table_id == scene.busy or number == "01":
            request = scene.act(hand_pb2.ACTION_KIND_FOLD, hand_id=f"{table_id}/{number}")
            await expect(scene, BETTING + "Act", request, "FIELD_MALFORMED", field="hand_id")


async def test_actions_of_others_are_refused(scene: Scene) -> None:
    now = scene.decision
    dealt_in = [seat.player_id for seat in (await scene.backend.get_table(scene.busy)).hand.seats]
    for player in PLAYERS:
        if player in dealt_in and player != now.player_id:
            facts = {"actor_seat": now.seat_number, "action_sequence": now.action_sequence}
            request = scene.act(hand_pb2.ACTION_KIND_FOLD, player_id=player)
            await expect(scene, BETTING + "Act", request, "OUT_OF_TURN", **facts)
    assert IDLER not in dealt_in
    for player in (IDLER, "nobody"):
        request = scene.act(hand_pb2.ACTION_KIND_FOLD, player_id=player)
        await expect(scene, BETTING + "Act", request, "DECISION_NOT_YOURS", player_id=player)


async def test_actions_that_the_decision_does_not_offer_are_refused(scene: Scene) -> None:
    seen: set[str] = set()
    for _ in range(30):
        for kind, amount, reason, facts in not_offered(scene.decision.legal_actions):
            await expect(scene, BETTING + "Act", scene.act(kind, amount), reason, **facts)
            seen.add(reason)
        if len(seen) == 7:
            break
        await scene.go_on()
    assert seen == {
        "CHECK_NOT_ALLOWED",
        "NOTHING_TO_CALL",
        "BET_ALREADY_MADE",
        "NO_BET_TO_RAISE",
        "BET_OUT_OF_RANGE",
        "RAISE_OUT_OF_RANGE",
        "FIELD_NOT_ALLOWED",
    }


def not_offered(legal: hand_pb2.LegalActions) -> Iterator[tuple[Any, int, str, dict[str, int | str]]]:
    """Actions, with their amounts, that may not be taken; and what they must be refused with."""
    bets = {"min_bet_to": legal.min_bet_to, "max_bet_to": legal.max_bet_to}
    raises = {"min_raise_to": legal.min_raise_to, "max_raise_to": legal.max_raise_to}
    bet, raise_to = hand_pb2.ACTION_KIND_BET_TO, hand_pb2.ACTION_KIND_RAISE_TO
    for plain in (hand_pb2.ACTION_KIND_FOLD, hand_pb2.ACTION_KIND_CALL, hand_pb2.ACTION_KIND_ALL_IN):
        yield plain, 1, "FIELD_NOT_ALLOWED", {"field": "amount"}
    if legal.can_check:
        yield hand_pb2.ACTION_KIND_CALL, 0, "NOTHING_TO_CALL", {}
    else:
        yield hand_pb2.ACTION_KIND_CHECK, 0, "CHECK_NOT_ALLOWED", {"call_amount": legal.call_amount}
    if legal.max_bet_to:
        yield raise_to, legal.min_bet_to, "NO_BET_TO_RAISE", {**bets}
        for amount in (legal.min_bet_to - 1, legal.max_bet_to + 1, 2**63 - 1):
            yield bet, amount, "BET_OUT_OF_RANGE", {**bets}
    if legal.max_raise_to:
        yield bet, legal.min_raise_to, "BET_ALREADY_MADE", {**raises}
        for amount in (legal.min_raise_to - 1, legal.max_raise_to + 1, 2**63 - 1):
            yield raise_to, amount, "RAISE_OUT_OF_RANGE", {**raises}


async def test_raising_closed_is_refused_with_what_is_left(scene: Scene) -> None:
    backend = scene.backend
    table_id = await backend.open_table("kurt", "lena")
    decision = await backend.decision(table_id)
    all_in = await backend.act(table_id, decision, hand_pb2.ACTION_KIND_ALL_IN)
    answer = all_in.next_decision
    act = partial(
        betting.ActRequest,
        request_id="x",
        table_id=table_id,
        player_id=answer.player_id,
        hand_id=answer.hand_id,
        action_sequence=answer.action_sequence,
        amount=500,
    )
    raise_to = act(action=hand_pb2.ACTION_KIND_RAISE_TO)
    await expect(scene, BETTING + "Act", raise_to, "RAISE_NOT_ALLOWED", call_amount=98)
    bet = act(action=hand_pb2.ACTION_KIND_BET_TO)
    await expect(scene, BETTING + "Act", bet, "BET_ALREADY_MADE", min_raise_to=0, max_raise_to=0)


async def test_bad_dealings_with_seats_are_refused(scene: Scene) -> None:
    busy = {"request_id": "x", "table_id": scene.busy}
    await scene.backend.deposit("fred", CURRENCY, 1000)
    fred, idler = {**busy, "player_id": "fred"}, {**busy, "player_id": IDLER}
    poor, anna = {**busy, "player_id": "poor"}, {**busy, "player_id": "anna"}
    refused: list[tuple[str, Message, str, dict[str, int | str]]] = [
        ("ReserveSeat", seats.ReserveSeatRequest(**fred, seat_number=1), "SEAT_TAKEN", {"seat_number": 1}),
        ("ReserveSeat", seats.ReserveSeatRequest(**fred, seat_number=7), "FIELD_OUT_OF_RANGE", {"max": 6}),
        (
            "ReserveSeat",
            seats.ReserveSeatRequest(**poor, seat_number=5),
            "INSUFFICIENT_FUNDS",
            {"available": 0},
        ),
        (
            "ReserveSeat",
            seats.ReserveSeatRequest(**idler, seat_number=5),
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
        await expect(scene, SEAT + call, request, reason, **facts)


async def test_a_reserved_seat_takes_a_legal_buy_in_and_nothing_else(scene: Scene) -> None:
    await scene.backend.deposit("gail", CURRENCY, 100)
    await scene.backend.reserve_seat(scene.busy, "gail", 4)
    gail = {"request_id": "x", "table_id": scene.busy, "player_id": "gail"}
    for amount in (19, 201, 10**12):
        request = seats.BuyInRequest(**gail, amount=amount)
        bounds = {"min_buy_in": 20, "max_buy_in": 200}
        await expect(scene, SEAT + "BuyIn", request, "BUY_IN_NOT_LEGAL", **bounds)
    funds: dict[str, int | str] = {"available": 100, "required": 101, "currency": CURRENCY}
    await expect(scene, SEAT + "BuyIn", seats.BuyInRequest(**gail, amount=101), "INSUFFICIENT_FUNDS", **funds)
    calls: dict[str, Message] = {
        "Rebuy": seats.RebuyRequest(**gail, amount=1),
        "CashOut": seats.CashOutRequest(**gail),
        "Dismiss": seats.DismissRequest(**gail),
        "SitOut": seats.SitOutRequest(**gail),
    }
    for call, asked in calls.items():
        await expect(scene, SEAT + call, asked, "SEAT_NOT_BOUGHT_IN", seat_number=4)
    await scene.backend.release_seat(scene.busy, "gail")


async def test_a_full_table_says_so(scene: Scene) -> None:
    table_id = await scene.backend.open_table("mike", "nina", seat_count=2)
    await scene.backend.deposit("otto", CURRENCY, 100)
    request = seats.ReserveSeatRequest(request_id="x", table_id=table_id, player_id="otto", seat_number=1)
    await expect(scene, SEAT + "ReserveSeat", request, "TABLE_FULL", seat_count=2)


async def test_who_leaves_already_is_told_so(scene: Scene) -> None:
    table_id = await scene.backend.open_table("paul", "rosa")
    await scene.backend.cash_out(table_id, "paul")
    paul = {"request_id": "x", "table_id": table_id, "player_id": "paul"}
    calls: dict[str, Message] = {
        "CashOut": seats.CashOutRequest(**paul),
        "Rebuy": seats.RebuyRequest(**paul, amount=1),
    }
    for call, asked in calls.items():
        await expect(scene, SEAT + call, asked, "PLAYER_LEAVING", seat_number=1)
    await scene.backend.close_table(table_id)
    await scene.backend.deposit("stan", CURRENCY, 100)
    stan = {"request_id": "x", "table_id": table_id, "player_id": "stan"}
    request = seats.ReserveSeatRequest(**stan, seat_number=3)
    await expect(scene, SEAT + "ReserveSeat", request, "TABLE_CLOSING", table_id=table_id)
    for name, kind in (("CloseTable", tables.CloseTableRequest), ("PauseTable", tables.PauseTableRequest)):
        closing = kind(request_id="x", table_id=table_id)
        await expect(scene, TABLE + name, closing, "TABLE_CLOSING", table_id=table_id)


async def test_a_request_id_stands_for_one_request(scene: Scene) -> None:
    backend = scene.backend
    first = await backend.deposit("hugo", CURRENCY, 500, request_id="once")
    assert await backend.deposit("hugo", CURRENCY, 500, request_id="once") == first
    for player, amount in (("hugo", 501), ("iris", 500)):
        deposit = settlement.DepositRequest(
            request_id="once", player_id=player, currency=CURRENCY, amount=amount
        )
        await expect(scene, SETTLEMENT + "Deposit", deposit, "REQUEST_ID_REUSED", request_id="once")
    withdraw = settlement.WithdrawRequest(request_id="once", player_id="hugo", currency=CURRENCY, amount=1)
    assert await scene.send(SETTLEMENT + "Withdraw", withdraw) is None, "a request_id is a method's own"


async def test_an_actions_request_id_stands_for_one_action(scene: Scene) -> None:
    made = scene.decision
    can_check = made.legal_actions.can_check
    request = scene.act(hand_pb2.ACTION_KIND_CHECK if can_check else hand_pb2.ACTION_KIND_CALL)
    assert await scene.send(BETTING + "Act", request) is None
    for changed in (
        {"action": hand_pb2.ACTION_KIND_FOLD},
        {"player_id": "nobody"},
        {"action_sequence": made.action_sequence + 1},
    ):
        again = betting.ActRequest()
        again.CopyFrom(request)
        again.MergeFrom(betting.ActRequest(**changed))
        await expect(scene, BETTING + "Act", again, "REQUEST_ID_REUSED", request_id=request.request_id)
    assert await scene.send(BETTING + "Act", request) is None


async def test_tables_and_houses_that_do_not_exist_are_refused(scene: Scene) -> None:
    create = partial(tables.CreateTableRequest, request_id="x", seat_count=6)
    no_limit = house_pb2.BET_STRUCTURE_NO_LIMIT
    of_none = create(house_id="x", structure=no_limit, min_bet=2)
    await expect(scene, TABLE + "CreateTable", of_none, "HOUSE_UNKNOWN", house_id="x")
    listed = tables.ListTablesRequest(house_id="x")
    await expect(scene, TABLE + "ListTables", listed, "HOUSE_UNKNOWN", house_id="x")
    stakes = create(house_id=HOUSE, structure=no_limit, min_bet=3)
    offered: dict[str, int | str] = {"field": "min_bet", "offered": "2,20,200,2000"}
    await expect(scene, TABLE + "CreateTable", stakes, "OPTION_NOT_OFFERED", **offered)
    unknown = partial(expect, scene, reason="TABLE_UNKNOWN", table_id="x")
    await unknown(TABLE + "GetTable", tables.GetTableRequest(table_id="x"))
    await unknown(TABLE + "WatchTable", tables.WatchTableRequest(table_id="x"))
    await unknown(TABLE + "PauseTable", tables.PauseTableRequest(request_id="x", table_id="x"))
    await unknown(BETTING + "GetLegalActions", betting.GetLegalActionsRequest(table_id="x", player_id="x"))
    await unknown(SEAT + "SitOut", seats.SitOutRequest(request_id="x", table_id="x", player_id="x"))
    act = scene.act(hand_pb2.ACTION_KIND_FOLD, table_id="x", hand_id="x/1")
    await unknown(BETTING + "Act", act)


async def test_tables_in_another_state_say_so(scene: Scene) -> None:
    paused = tables.PauseTableRequest(request_id="x", table_id=scene.paused)
    await expect(scene, TABLE + "PauseTable", paused, "TABLE_PAUSED", table_id=scene.paused)
    open_one = tables.ResumeTableRequest(request_id="x", table_id=scene.busy)
    await expect(scene, TABLE + "ResumeTable", open_one, "TABLE_NOT_PAUSED", table_id=scene.busy)
    closed = {"request_id": "x", "table_id": scene.closed}
    player = {**closed, "player_id": "anna"}
    for method, request in (
        (TABLE + "PauseTable", tables.PauseTableRequest(**closed)),
        (TABLE + "ResumeTable", tables.ResumeTableRequest(**closed)),
        (TABLE + "CloseTable", tables.CloseTableRequest(**closed)),
        (SEAT + "ReserveSeat", seats.ReserveSeatRequest(**player, seat_number=1)),
        (SEAT + "ReleaseSeat", seats.ReleaseSeatRequest(**player)),
        (SEAT + "BuyIn", seats.BuyInRequest(**player, amount=100)),
        (SEAT + "Rebuy", seats.RebuyRequest(**player, amount=100)),
        (SEAT + "CashOut", seats.CashOutRequest(**player)),
        (SEAT + "Dismiss", seats.DismissRequest(**player)),
        (SEAT + "SitOut", seats.SitOutRequest(**player)),
        (SEAT + "SitIn", seats.SitInRequest(**player, wait_for_big_blind=True)),
    ):
        await expect(scene, method, request, "TABLE_CLOSED", table_id=scene.closed)
    act = scene.act(hand_pb2.ACTION_KIND_FOLD, table_id=scene.closed, hand_id=f"{scene.closed}/1")
    await expect(scene, BETTING + "Act", act, "TABLE_CLOSED", table_id=scene.closed)


async def test_money_that_is_not_there_is_refused(scene: Scene) -> None:
    idler = {"request_id": "x", "player_id": IDLER}
    for method, request in (
        ("Deposit", settlement.DepositRequest(**idler, currency="gp", amount=1)),
        ("Withdraw", settlement.WithdrawRequest(**idler, currency="gp", amount=1)),
        ("GetBalance", settlement.GetBalanceRequest(player_id=IDLER, currency="gp")),
    ):
        await expect(scene, SETTLEMENT + method, request, "CURRENCY_UNKNOWN", currency="gp")
    much = {**idler, "currency": CURRENCY}
    withdraw = settlement.WithdrawRequest(**much, amount=10**12)
    await expect(scene, SETTLEMENT + "Withdraw", withdraw, "INSUFFICIENT_FUNDS", required=10**12)
    deposit = settlement.DepositRequest(**much, amount=10**12)
    await expect(scene, SETTLEMENT + "Deposit", deposit, "BALANCE_LIMIT_EXCEEDED", max_balance=10**12)


async def test_page_tokens_are_good_for_what_they_were_issued_for(scene: Scene) -> None:
    page = await scene.backend.list_tables(page_size=1)
    good = page.next_page_token
    assert (await scene.backend.list_tables(page_size=1, page_token=good)).tables[0] != page.tables[0]
    refused = partial(expect, scene, reason="FIELD_MALFORMED", field="page_token")
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
