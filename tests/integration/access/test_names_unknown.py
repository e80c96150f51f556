"""For a backend of some houses another house's table or hand is what never was: the same refusal, to the byte."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import pytest
import pytest_asyncio
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio
from tests.integration.access.test_matrix import METHODS
from tests.support.credentials import Secret
from tests.support.live import PATIENCE, Backend, running

from croupier.adapters.rpc.access import roles_of
from croupier.v1 import hand_pb2, play_service_pb2
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.betting_service_pb2 import ActRequest

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAMES = ("table_id", "hand_id")
NAMING = {
    rpc: method
    for rpc, (service, method) in METHODS.items()
    if not method.client_streaming
    and "backend" in roles_of(service, method.name)
    and set(NAMES) & set(method.input_type.fields_by_name)
}
"""Every RPC that such a backend may call and whose request names a table or a hand."""
GOOD: dict[str, Any] = {
    "request_id": "one",
    "player_id": "anna",
    "seat_number": 5,
    "amount": 100,
    "cards": ["As"],
    "commitment": bytes(32),
    "entropy": bytes(32),
    "action": hand_pb2.ACTION_KIND_FOLD,
    "action_sequence": 1,
    "format": settlement.HAND_FORMAT_PHH,
}
BAD: dict[int, Any] = {
    FieldDescriptor.CPPTYPE_STRING: "\n",
    FieldDescriptor.CPPTYPE_INT32: -1,
    FieldDescriptor.CPPTYPE_INT64: -1,
    FieldDescriptor.CPPTYPE_ENUM: 99,
    FieldDescriptor.CPPTYPE_BOOL: True,
}


class Outcome(NamedTuple):
    """Code, details and every trailer of a refusal; the answer's bytes where it is none. Its own id reads "ID"."""

    code: str
    details: str
    trailers: tuple[tuple[str, bytes], ...]
    answer: bytes = b""


class Door:
    """A server where a house's hands were played, and a backend of another."""

    def __init__(self, channel: aio.Channel, token: str, hidden: list[str]) -> None:
        self._channel = channel
        self._metadata = (("authorization", f"Bearer {token}"),)
        self.hidden = hidden
        """An open and a closed table."""
        self.never = hidden[0][:-1] + ("a" if hidden[0][-1] != "a" else "b")

    async def outcome(self, path: str, request: Message, table_id: str, *, streams: bool = False) -> Outcome:
        data = request.SerializeToString()
        make = self._channel.unary_stream if streams else self._channel.unary_unary
        call = cast(Any, make(path))(data, timeout=20, metadata=self._metadata)

        def same(value: str | bytes) -> bytes:
            return (value if isinstance(value, bytes) else value.encode()).replace(table_id.encode(), b"ID")

        try:
            answer = await (call.read() if streams else call)
        except aio.AioRpcError as failure:
            trailers = tuple((key, same(value)) for key, value in failure.trailing_metadata() or ())
            return Outcome(failure.code().name, same(failure.details() or "").decode(), trailers)
        return Outcome("OK", "", tuple(await call.trailing_metadata()), same(answer))

    async def played(self, request: play_service_pb2.PlayRequest, table_id: str) -> bytes:
        """The first that a Play stream which says this and no more is told of it."""
        call = cast(Any, self._channel.stream_stream("/croupier.v1.PlayService/Play"))(
            metadata=self._metadata
        )
        opening = play_service_pb2.PlayOpen(stream_id="s")
        await call.write(play_service_pb2.PlayRequest(open=opening, news_credits=9).SerializeToString())
        await call.write(request.SerializeToString())
        told = b""
        async with asyncio.timeout(PATIENCE):
            while b"UNKNOWN" not in told:
                told = cast(bytes, await call.read())
        call.cancel()
        return told.replace(table_id.encode(), b"ID")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def door(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    directory: Path = tmp_path_factory.mktemp("unknown")
    secret = Secret(directory)
    async with (
        running(directory, jwt_secret_file=str(secret.file)) as app,
        Backend(f"127.0.0.1:{app.port}", token=secret.token("backend", "shop")) as shop,
        aio.insecure_channel(f"127.0.0.1:{app.port}") as channel,
    ):
        hidden = [await shop.open_table("anna", "bert"), await shop.open_table("anna", "bert")]
        for table_id in hidden:
            await shop.dealt(table_id)
            await shop.play(table_id, Random(1), until_hand=3)
        async with asyncio.timeout(PATIENCE):
            while len([hand async for hand in shop.list_hands(played_by="anna")]) < 4:
                await asyncio.sleep(0.05)
        await shop.close_table(hidden[1])
        yield Door(channel, secret.token("backend", "other", houses=["poker_ocean"]), hidden)


def request(method: Any, table_id: str, spoilt: str = "") -> Message:
    """A good one but for the field that is spoilt."""
    made = GetMessageClass(method.input_type)()
    for field in method.input_type.fields:
        if field.name in NAMES:
            setattr(made, field.name, table_id if field.name == "table_id" else f"{table_id}/1")
        elif field.name == spoilt:
            spoil(made, field)
        elif isinstance(good := GOOD.get(field.name), list):
            getattr(made, field.name).extend(good)
        elif good is not None:
            setattr(made, field.name, good)
    return made


def spoil(made: Message, field: FieldDescriptor) -> None:
    if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        part = getattr(made, field.name)
        part.SetInParent()
        if "nanos" in part.DESCRIPTOR.fields_by_name:
            part.nanos = -7
        if "experience" in part.DESCRIPTOR.fields_by_name:
            part.experience = "\n"
    elif field.is_repeated:
        getattr(made, field.name).append("\n")
    else:
        setattr(made, field.name, b"x" if field.type == field.TYPE_BYTES else BAD[field.cpp_type])


def spoilings() -> Iterator[tuple[str, str]]:
    for rpc, method in NAMING.items():
        yield rpc, ""
        for field in method.input_type.fields:
            if field.name not in NAMES:
                yield rpc, field.name


@pytest.mark.parametrize(("rpc", "spoilt"), sorted(spoilings()))
async def test_another_houses_table_is_refused_as_one_that_never_was(
    door: Door, rpc: str, spoilt: str
) -> None:
    method = NAMING[rpc]
    path, streams = f"/croupier.v1.{rpc.replace('.', '/')}", method.server_streaming
    never = await door.outcome(path, request(method, door.never, spoilt), door.never, streams=streams)
    named = "hand_id" if "table_id" not in method.input_type.fields_by_name else "table_id"
    assert never.details.startswith(f"{named.removesuffix('_id').upper()}_UNKNOWN"), never
    for table_id in door.hidden:
        asked = request(method, table_id, spoilt)
        assert await door.outcome(path, asked, table_id, streams=streams) == never


async def test_rpcs_that_name_a_table_or_a_hand_are_there() -> None:
    assert len(NAMING) > 25
    assert {"SettlementService.ListHands", "SettlementService.ListEntries"} < NAMING.keys()


async def test_a_play_stream_tells_them_apart_no_more(door: Door) -> None:
    acts = NAMING["BettingService.Act"]
    for spoilt in ("", "action", "player_id"):

        def acting(table_id: str, spoilt: str = spoilt) -> play_service_pb2.PlayRequest:
            act = cast(ActRequest, request(acts, table_id, spoilt))
            part = play_service_pb2.PlayAct(correlation_id=7, act=act)
            return play_service_pb2.PlayRequest(acts=[part])

        def watching(table_id: str, spoilt: str = spoilt) -> play_service_pb2.PlayRequest:
            watch = tables.WatchTableRequest(table_id=table_id, language="xx" if spoilt else "")
            return play_service_pb2.PlayRequest(watch=[watch])

        for make in (acting, watching):
            never = await door.played(make(door.never), door.never)
            for table_id in door.hidden:
                assert await door.played(make(table_id), table_id) == never


async def test_no_page_and_no_token_tells_of_another_houses_hands(door: Door) -> None:
    path = "/croupier.v1.SettlementService/ListHands"
    for size in (1, 2, 100):
        asked = settlement.ListHandsRequest(played_by="anna", page_size=size)
        assert (await door.outcome(path, asked, door.never)).answer == b""


async def test_entries_and_balances_are_those_of_the_callers_houses(door: Door) -> None:
    entries, balance = (f"/croupier.v1.SettlementService/{rpc}" for rpc in ("ListEntries", "GetBalance"))
    for prefix in ("", "stack/", f"stack/{door.hidden[0]}/", "wallet/"):
        for size in (1, 100):
            asked = settlement.ListEntriesRequest(player_id="anna", account_prefix=prefix, page_size=size)
            assert (await door.outcome(entries, asked, door.never)).answer == b""
    told = await door.outcome(
        balance, settlement.GetBalanceRequest(player_id="anna", currency="USD"), door.never
    )
    nothing = settlement.Balance(player_id="anna", currency="USD")
    assert told.answer == settlement.GetBalanceResponse(balance=nothing).SerializeToString()


@pytest.mark.parametrize("rpc", ["Deposit", "Withdraw", "GetBalance"])
@pytest.mark.parametrize("spoilt", ["", "player_id", "amount", "request_id"])
async def test_another_houses_currency_is_refused_as_one_that_never_was(
    door: Door, rpc: str, spoilt: str
) -> None:
    path, (_, method) = f"/croupier.v1.SettlementService/{rpc}", METHODS[f"SettlementService.{rpc}"]
    found = []
    for currency in ("PoE", "XyZ"):
        asked: Any = request(method, "", spoilt)
        asked.currency = currency
        found.append(await door.outcome(path, asked, currency))
    assert found[0] == found[1]
    assert found[0].details.startswith("CURRENCY_UNKNOWN")
