"""A request made again gets its first answer, and other content under its id is refused: before and after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any, Final

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from tests.support.live_table import CURRENCY, PATIENT, LiveTable, quiet
from tests.support.server import ServerProcess
from tests.support.vouching import PASS

from croupier.client import Croupier
from croupier.client.errors import Refused
from croupier.client.retry import repeatedly
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2, house_pb2, table_pb2
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.seat_service_pb2_grpc import SeatServiceStub
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub
from croupier.v1.table_service_pb2_grpc import TableServiceStub

_STUBS: Final = (BettingServiceStub, SeatServiceStub, SettlementServiceStub, TableServiceStub)
_OTHERWISE: Final[dict[str, Any]] = {
    "amount": 77,
    "seat_number": 6,
    "wait_for_big_blind": True,
    "name": "other",
    "player_id": "other",
    "table_id": "other",
    "action": hand_pb2.ACTION_KIND_FOLD,
    "currency": "other",
    "kind": table_pb2.ADVANCE_ACTION_KIND_CALL_ANY,
}
"""Another content for each field that a request may be told apart by."""


class Made:
    """Requests with the answers they got."""

    def __init__(self, client: Croupier) -> None:
        self.client = client
        self._stubs = [stub(client.channel) for stub in _STUBS]
        self.answered: list[tuple[Any, Message]] = []

    async def make(self, request: Any) -> Any:
        """The answer to a request that is made for the first time."""
        request.request_id = f"request {len(self.answered)}"
        answer = await self.send(request)
        self.answered.append((request, answer))
        return answer

    async def send(self, request: Any) -> Any:
        method = type(request).__name__.removesuffix("Request")
        stub = next(stub for stub in self._stubs if hasattr(stub, method))
        return await repeatedly(self.client.retry, getattr(stub, method), request)

    async def check(self) -> None:
        """Everything again, in any order: the same answers; and with other content: refused."""
        for request, answer in reversed(self.answered):
            assert told(await self.send(request)) == told(answer), type(request).__name__
        for request, _ in self.answered:
            for other in otherwise(request):
                with pytest.raises(Refused) as refused:
                    await self.send(other)
                assert refused.value.code.name == "INVALID_ARGUMENT", other
                assert refused.value.reason == "REQUEST_ID_REUSED", other


def told(answer: Message) -> Message:
    """An answer without the decision that stood at the time it was given."""
    copy = type(answer)()
    copy.CopyFrom(answer)
    if isinstance(copy, betting.ActResponse):
        copy.ClearField("next_decision")
    return copy


def otherwise(request: Any) -> list[Any]:
    """The request with one field changed, in every way that is well-formed and permitted."""
    others = []
    for field, value in _OTHERWISE.items():
        if field not in request.DESCRIPTOR.fields_by_name or getattr(request, field) == value:
            continue
        if (field == "amount" and not request.amount) or field in ("table_id", "currency"):
            continue
        other = type(request)()
        other.CopyFrom(request)
        setattr(other, field, value)
        others.append(other)
    return others


@pytest.fixture
async def client(server: ServerProcess) -> AsyncIterator[Croupier]:
    async with Croupier(server.target, retry=PATIENT) as client:
        yield client


async def opened(made: Made) -> LiveTable:
    """A table with three players."""
    request = tables.CreateTableRequest(
        house_id="puzzle_pirates",
        structure=house_pb2.BET_STRUCTURE_NO_LIMIT,
        min_bet=2,
        seat_count=6,
        hand_pause=Duration(),
    )
    table = LiveTable(made.client, (await made.make(request)).table.table_id)
    for number, player in enumerate(("anna", "bert", "cleo"), start=1):
        who: dict[str, Any] = {"player_id": player, "table_id": table.table_id}
        await made.make(settlement.DepositRequest(player_id=player, currency=CURRENCY, amount=5000))
        await made.make(seats.ReserveSeatRequest(**who, seat_number=number, vouched=PASS))
        await made.make(seats.BuyInRequest(**who, amount=100))
    return table


async def every_change(made: Made) -> None:
    """Each kind of change at least once; hands are played between them."""
    table = await opened(made)
    here = {"table_id": table.table_id}
    await act(made, table)
    await made.make(settlement.WithdrawRequest(player_id="anna", currency=CURRENCY, amount=1000))
    await made.make(seats.RebuyRequest(player_id="bert", amount=50, **here))
    await made.make(seats.SitOutRequest(player_id="cleo", **here))
    await made.make(settlement.DepositRequest(player_id="dora", currency=CURRENCY, amount=5000))
    await made.make(seats.ReserveSeatRequest(player_id="dora", seat_number=4, **here, vouched=PASS))
    await made.make(seats.ReleaseSeatRequest(player_id="dora", **here))
    for _ in range(60):
        await act(made, table)
    await made.make(tables.PauseTableRequest(**here))
    await played_to_its_end(made, table)
    await made.make(seats.SitInRequest(player_id="cleo", table_id=table.table_id))
    await made.make(tables.ResumeTableRequest(**here))
    await act(made, table)
    await made.make(seats.CashOutRequest(player_id="anna", **here))
    await made.make(seats.DismissRequest(player_id="bert", **here))
    await made.make(tables.CloseTableRequest(**here))
    await played_to_its_end(made, table)
    await two_at_a_full_table(made)
    await a_share_in_a_deal(made)


async def a_share_in_a_deal(made: Made) -> None:
    """The changes that take a pause before a hand."""
    request = tables.CreateTableRequest(
        house_id="puzzle_pirates",
        structure=house_pb2.BET_STRUCTURE_NO_LIMIT,
        min_bet=2,
        seat_count=6,
        hand_pause=Duration(seconds=10),
    )
    table_id = (await made.make(request)).table.table_id
    for number, player in enumerate(("hans", "ida"), start=1):
        who: dict[str, Any] = {"player_id": player, "table_id": table_id}
        await made.make(settlement.DepositRequest(player_id=player, currency=CURRENCY, amount=5000))
        await made.make(seats.ReserveSeatRequest(**who, seat_number=number, vouched=PASS))
        await made.make(seats.BuyInRequest(**who, amount=100))
    committed = await made.make(betting.CommitEntropyRequest(**who, commitment=sha256(bytes(32)).digest()))
    await made.make(betting.RevealEntropyRequest(**who, hand_id=committed.hand_id, entropy=bytes(32)))
    await made.make(tables.CloseTableRequest(table_id=table_id))


async def two_at_a_full_table(made: Made) -> None:
    """The changes that take a table without a free seat, and a house where cards may be shown after a hand."""
    no_limit = house_pb2.BET_STRUCTURE_NO_LIMIT
    request = tables.CreateTableRequest(
        house_id="poker_ocean",
        game=house_pb2.GAME_HOLDEM,
        structure=no_limit,
        min_bet=2,
        seat_count=2,
        hand_pause=Duration(),
    )
    table = LiveTable(made.client, (await made.make(request)).table.table_id)
    for number, player in enumerate(("emil", "fritz", "gerda"), start=1):
        who: dict[str, Any] = {"player_id": player, "table_id": table.table_id}
        await made.make(settlement.DepositRequest(player_id=player, currency="USD", amount=5000))
        if number < 3:
            await made.make(seats.ReserveSeatRequest(**who, seat_number=number))
            await made.make(seats.BuyInRequest(**who, amount=100))
    await made.make(seats.JoinWaitingListRequest(**who))
    await made.make(seats.LeaveWaitingListRequest(**who))
    wishes = table_pb2.Preferences(show_losing_hands=True)
    here: dict[str, Any] = {"table_id": table.table_id}
    await made.make(seats.SetPreferencesRequest(player_id="emil", preferences=wishes, **here))
    await act(made, table)
    decision = await table.decision()
    waits = {"emil": "fritz", "fritz": "emil"}[decision.player_id]
    check_or_fold = table_pb2.ADVANCE_ACTION_KIND_CHECK_FOLD
    await made.make(
        betting.SetAdvanceActionRequest(player_id=waits, hand_id=decision.hand_id, kind=check_or_fold, **here)
    )
    await made.make(table.request(decision, hand_pb2.ACTION_KIND_ALL_IN, ""))
    await made.make(betting.ShowCardsRequest(player_id=waits, hand_id=decision.hand_id, **here))
    await made.make(tables.CloseTableRequest(**here))
    await played_to_its_end(made, table)


async def act(made: Made, table: LiveTable) -> betting.ActResponse:
    """Whoever must checks or calls."""
    decision = await table.decision()
    answer: betting.ActResponse = await made.make(table.request(decision, quiet(decision), ""))
    return answer


async def played_to_its_end(made: Made, table: LiveTable) -> None:
    while (await table.client.get_table(table.table_id)).HasField("hand"):
        await act(made, table)


async def test_every_change_made_again_is_answered_as_before(server: ServerProcess, client: Croupier) -> None:
    made = Made(client)
    await every_change(made)
    methods = {type(request).__name__ for request, _ in made.answered}
    services = [
        module.DESCRIPTOR.services_by_name.values() for module in (betting, seats, settlement, tables)
    ]
    changes = {
        method.input_type.name
        for service in services
        for one in service
        for method in one.methods
        if "request_id" in method.input_type.fields_by_name
    }
    assert methods == changes
    while sum([entry.amount async for entry in client.list_entries(account_prefix="reserved/")]):
        await asyncio.sleep(0.01)
    entries = [entry async for entry in client.list_entries()]
    await made.check()
    server.kill()
    server.start()
    await made.check()
    assert [entry async for entry in client.list_entries()] == entries


async def test_each_rpc_knows_its_request_ids_apart(client: Croupier) -> None:
    """One purchase's name may be given to a deposit and to a withdrawal."""
    paid = await client.deposit("hanna", "USD", 500, request_id="purchase-1")
    taken = await client.withdraw("hanna", "USD", 500, request_id="purchase-1")
    assert (paid.available, taken.available) == (500, 0)
    assert await client.withdraw("hanna", "USD", 500, request_id="purchase-1") == taken
