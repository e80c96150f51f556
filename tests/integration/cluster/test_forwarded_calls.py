"""Calls at a server that does not have the table: to the caller, all is as at the one that has it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode, aio
from tests.support.bad_calls import METHODS
from tests.support.credentials import AUDIENCE, Secret
from tests.support.live import Backend, number_of
from tests.support.nats import NatsServer, nats_server
from tests.support.neighbours import Neighbour, neighbours
from tests.support.refused import refused, told
from tests.support.vouching import PASS

from croupier.adapters.rpc.routed import OWNER_KEY
from croupier.adapters.rpc.routes import route_of
from croupier.client import Refused, Retry
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2
from croupier.v1 import play_service_pb2 as play
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import table_service_pb2 as tables
from croupier.v1.play_service_pb2_grpc import PlayServiceStub

ONCE = Retry(attempts=1, timeout=20)
OF_TABLES = {
    name: method
    for name, method in METHODS.items()
    if route_of(method.containing_service.name, method.name) == "owner"
}


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    with nats_server() as server:
        yield server


@pytest.fixture
async def pair(tmp_path: Path, nats: NatsServer) -> AsyncIterator[list[Neighbour]]:
    """The first has tables, the second is asked."""
    async with neighbours(tmp_path, nats.url) as pair:
        yield pair


@pytest.fixture
async def owner(pair: list[Neighbour]) -> AsyncIterator[Backend]:
    async with Backend(pair[0].target, retry=ONCE) as backend:
        yield backend


@pytest.fixture
async def near(pair: list[Neighbour]) -> AsyncIterator[Backend]:
    async with Backend(pair[1].target, retry=ONCE) as backend:
        yield backend


async def test_a_hand_is_played_from_another_server(
    pair: list[Neighbour], owner: Backend, near: Backend
) -> None:
    table_id = await owner.open_table("anna", "bert", "cleo")
    await pair[0].serve()
    while number_of(decision := await near.dealt(table_id)) < 4:
        await near.check_or_call(table_id, decision)
    from_afar, direct = await near.get_table(table_id, "anna"), await owner.get_table(table_id, "anna")
    for table in (from_afar, direct):
        table.next_decision.ClearField("time_remaining")
    assert from_afar == direct


async def test_the_answer_names_who_gave_it(pair: list[Neighbour], owner: Backend, near: Backend) -> None:
    table_id = await owner.open_table()
    await pair[0].serve()
    assert await owners(near.channel, tables.GetTableRequest(table_id=table_id)) == [pair[0].target]
    assert await owners(owner.channel, tables.GetTableRequest(table_id=table_id)) == []
    failure = await refused(
        near.channel, "/croupier.v1.TableService/ResumeTable", change(tables.ResumeTableRequest, table_id)
    )
    assert told(failure)[:2] == (StatusCode.FAILED_PRECONDITION, "TABLE_NOT_PAUSED")
    named = [value for key, value in failure.trailing_metadata() or () if key == OWNER_KEY]
    assert named == [pair[0].target]


async def owners(channel: aio.Channel, request: Message) -> list[str | bytes]:
    """Whom the answer to GetTable names."""
    call = cast(Any, channel.unary_unary("/croupier.v1.TableService/GetTable"))(request.SerializeToString())
    await call
    return [value for key, value in await call.trailing_metadata() or () if key == OWNER_KEY]


def change(request: Any, table_id: str, **fields: Any) -> Message:
    message: Message = request(request_id="one", table_id=table_id, **fields)
    return message


def attempts(table_id: str) -> Iterator[tuple[str, bytes]]:
    """Requests of every method for a table, most of them bad; the good ones among them change little."""
    random = Random(7)
    for path, method in OF_TABLES.items():
        for number in range(24):
            request: Any = GetMessageClass(method.input_type)(table_id=table_id)
            for field in method.input_type.fields:
                value = _value(random, field, number)
                if field.name != "table_id" and value is not None:
                    setattr(request, field.name, value)
            if method.name != "CloseTable" or len(request.request_id) > 64:
                yield path, request.SerializeToString()


def _value(random: Random, field: Any, number: int) -> Any:
    """A value that may be right, or what is wrong about fields of its kind; None to leave it out."""
    if field.name == "request_id":
        return random.choice(("", "x" * 65, *(f"{number}",) * 6))
    if field.name == "player_id":
        return random.choice(("", "zoe", "no such/name", *("anna", "bert") * 2))
    if field.name == "hand_id":
        return random.choice(("", "t/1", "x" * 100))
    if field.message_type is not None or field.is_repeated:
        return None
    if field.type == field.TYPE_STRING:
        return random.choice(("", "x", "\u2660", "a\nb", "x" * 300))
    if field.type == field.TYPE_BYTES:
        return random.choice((b"", b"x", bytes(32)))
    if field.type == field.TYPE_BOOL:
        return random.random() < 0.5
    return random.choice((0, 1, 2, 99, -1, 2**31 - 1))


async def test_refusals_are_the_same_to_the_byte(
    pair: list[Neighbour], owner: Backend, near: Backend
) -> None:
    table_id = await owner.open_table("anna", "bert")
    await pair[0].serve()
    await owner.dealt(table_id)
    reasons = set()
    for path, data in attempts(table_id):
        direct, from_afar = await status(owner.channel, path, data), await status(near.channel, path, data)
        # Reads, and what was done the first time, are answered; what a second time is refused was not the same.
        if direct is None or from_afar is None:
            continue
        code, text, trailing = from_afar
        assert (OWNER_KEY, pair[0].target) in trailing, path
        assert (code, text, [one for one in trailing if one[0] != OWNER_KEY]) == direct, path
        reasons.add((path, text.partition(" ")[0]))
    assert len(reasons) > 3 * len(OF_TABLES)


async def status(channel: aio.Channel, path: str, data: bytes) -> tuple[StatusCode, str, list[Any]] | None:
    """What a call is refused with; None where it is not."""
    try:
        await cast(Any, channel.unary_unary(path))(data, timeout=20)
    except aio.AioRpcError as failure:
        return failure.code(), failure.details() or "", list(failure.trailing_metadata() or ())
    return None


async def test_a_table_that_nobody_has_is_unknown_everywhere(near: Backend) -> None:
    for path, method in OF_TABLES.items():
        failure = await refused(near.channel, path, GetMessageClass(method.input_type)(table_id="nowhere"))
        assert told(failure)[1] in ("TABLE_UNKNOWN", "FIELD_REQUIRED"), path
    with pytest.raises(Refused, match="TABLE_UNKNOWN"):
        await near.get_table("nowhere")


async def test_the_caller_is_the_same_there(tmp_path: Path, nats: NatsServer) -> None:
    """A player's token is a player's at the owner, and a house that is not a backend's own stays unknown."""
    secret = Secret(tmp_path)
    settings: dict[str, Any] = {"jwt_secret_file": str(secret.file), "jwt_audience": AUDIENCE}
    async with (
        neighbours(tmp_path, nats.url, **settings) as pair,
        Backend(pair[0].target, token=secret.token("backend", "shop"), retry=ONCE) as shop,
        Backend(pair[1].target, token=secret.token("player", "anna"), retry=ONCE) as anna,
        Backend(
            pair[1].target, token=secret.token("backend", "else", houses=["poker_ocean"]), retry=ONCE
        ) as elsewhere,
        Backend(pair[1].target, token=secret.token("observer", "eve"), retry=ONCE) as eve,
    ):
        table_id = await shop.open_table("anna", "bert")
        await pair[0].serve()
        await shop.dealt(table_id)
        seen = (await anna.get_table(table_id, "anna")).hand.seats
        assert [len(seat.hole_cards) for seat in seen] == [2, 0]
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await anna.get_table(table_id, "bert")
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await anna.sit_out(table_id, "bert")
        await anna.sit_out(table_id, "anna")
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await eve.pause_table(table_id)
        with pytest.raises(Refused, match="TABLE_UNKNOWN"):
            await elsewhere.pause_table(table_id)
        await shop.pause_table(table_id)


async def test_the_same_request_is_the_same_anywhere(
    pair: list[Neighbour], owner: Backend, near: Backend
) -> None:
    table_id = await owner.open_table("anna", "bert")
    await pair[0].serve()
    decision = await owner.dealt(table_id)
    call = decision.legal_actions.call_amount
    kind = hand_pb2.ACTION_KIND_CALL if call else hand_pb2.ACTION_KIND_CHECK
    first = await near.act(table_id, decision, kind, request_id="one")
    again = await owner.act(table_id, decision, kind, request_id="one")
    for answer in (first, again):
        answer.next_decision.ClearField("time_remaining")
    assert first == again


async def test_actions_of_a_stream_go_to_their_tables(
    pair: list[Neighbour], owner: Backend, near: Backend
) -> None:
    far, mine = await owner.open_table("anna", "bert"), await near.open_table("cleo", "dora")
    for one in pair:
        await one.serve()
    asked = [await backend.dealt(table_id) for backend, table_id in ((owner, far), (near, mine))]
    acts = [
        play.PlayAct(
            correlation_id=number,
            act=betting.ActRequest(
                request_id=f"{number}",
                table_id=decision.hand_id.partition("/")[0],
                player_id=decision.player_id,
                hand_id=decision.hand_id,
                action_sequence=decision.action_sequence,
                action=hand_pb2.ACTION_KIND_FOLD if number < 2 else hand_pb2.ACTION_KIND_CHECK,
            ),
        )
        for number, decision in enumerate((*asked, *asked))
    ]
    acts.append(play.PlayAct(correlation_id=4, act=betting.ActRequest(request_id="4", table_id="nowhere")))
    stream = PlayServiceStub(near.channel).Play()
    await stream.write(play.PlayRequest(open=play.PlayOpen(stream_id="s"), acts=acts))
    results: dict[int, play.PlayResult] = {}
    async with asyncio.timeout(10):
        while len(results) < len(acts):
            answer = await stream.read()
            assert isinstance(answer, play.PlayResponse)
            results |= {result.correlation_id: result for result in answer.results}
    stream.cancel()
    told = {number: result.WhichOneof("outcome") for number, result in results.items()}
    assert told == {0: "acted", 1: "acted", 2: "refused", 3: "refused", 4: "refused"}
    assert results[2].refused.reason == results[3].refused.reason
    assert results[2].refused.metadata.keys() == results[3].refused.metadata.keys()


async def test_what_is_longer_than_the_bus_takes_is_refused_with_what_to_do(
    pair: list[Neighbour], owner: Backend, near: Backend
) -> None:
    table_id = await owner.open_table()
    await pair[0].serve()
    request = seats.ReserveSeatRequest(
        request_id="one", table_id=table_id, player_id="x" * 2_000_000, seat_number=1, vouched=PASS
    )
    path = "/croupier.v1.SeatService/ReserveSeat"
    code, reason, facts, _ = told(await refused(near.channel, path, request))
    assert (code, reason) == (StatusCode.RESOURCE_EXHAUSTED, "MESSAGE_TOO_LONG")
    assert int(facts["size"]) > int(facts["max_size"]) == 1024 * 1024
    assert told(await refused(owner.channel, path, request))[1] == "FIELD_TOO_LONG"
