"""Calls for another server's table: carried out there once, as the caller's; never where the table is not."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs
from tests.support.buses import MAX_PAYLOAD, LocalBus, Wires
from tests.support.forwarders import METHOD, SUBJECTS, Forwarder
from tests.support.forwarding_pair import Pair, refused

from croupier.adapters.rpc import envelopes, forwarding
from croupier.adapters.rpc.envelopes import CallEnvelope
from croupier.adapters.rpc.refusals import refusal_of, status_of
from croupier.adapters.rpc.routed import OWNER_KEY, OwnersRefusal, with_owner
from croupier.room.cluster_ports import Unreadable
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.principal import LOCAL, Principal
from croupier.v1 import table_service_pb2 as pb


@pytest.fixture
async def pair() -> Pair:
    pair = Pair()
    await pair.far.own("t")
    return pair


async def test_a_table_of_this_servers_is_called_here(pair: Pair) -> None:
    await pair.near.own("mine")
    answer, owner = await pair.near.ask("mine", "four")
    assert (answer.sequence, owner) == (4, "")
    assert not pair.far.calls


async def test_a_table_of_anothers_is_called_there(pair: Pair) -> None:
    answer, owner = await pair.near.ask("t", "four")
    assert (answer.sequence, owner) == (4, "far:1")
    assert not pair.near.calls
    assert len(pair.far.calls) == 1


@pytest.mark.parametrize(
    "principal",
    [
        LOCAL,
        Principal("backend/shop", "backend"),
        Principal("backend/shop", "backend", players=("a", "b"), houses=frozenset(("one", "two"))),
        Principal("backend/none", "backend", players=(), houses=frozenset()),
        Principal("operator/eve", "operator"),
    ],
)
async def test_who_calls_is_the_same_there(principal: Principal) -> None:
    class Knows:
        async def check(self, principal: Principal, request: Any) -> None: ...

    wires = Wires()
    near, far = (Forwarder(LocalBus(wires), name, Knows()) for name in ("near", "far"))
    await far.own("t")
    await near.ask("t", principal=principal)
    ((heard, request),) = far.calls
    assert heard == principal
    assert (heard is LOCAL) is (principal is LOCAL)
    assert request == pb.PauseTableRequest(request_id="one", table_id="t")


async def test_the_owner_looks_at_role_and_houses_again(pair: Pair) -> None:
    """Whatever a server that let the call in believes."""
    player = Principal("player/anna", "player", "anna")
    assert (await refused(pair.near.ask("t", principal=player))).reason == "CALLER_NOT_ALLOWED"
    shop = Principal("backend/shop", "backend", houses=frozenset(("elsewhere",)))
    assert (await refused(pair.near.ask("t", principal=shop))).reason == "CALLER_NOT_ALLOWED"
    assert not pair.far.calls


async def test_methods_that_are_not_the_owners_tables_are_not_called(pair: Pair) -> None:
    """The envelope's word for the method is not taken."""
    for method in ("croupier.v1.SettlementService/Deposit", "PauseTable", "", "__init__"):
        call = CallEnvelope(1, method, LOCAL, 1.0, "", b"")
        with pytest.raises(Unreadable):
            await pair.far.answering.answer(envelopes.encode(call))
    assert not pair.far.calls


@pytest.mark.parametrize("remaining", [math.nan, math.inf, -math.inf])
async def test_nobody_waits_for_a_time_that_does_not_end(pair: Pair, remaining: float) -> None:
    request = pb.PauseTableRequest(request_id="one", table_id="t").SerializeToString()
    call = CallEnvelope(1, METHOD, LOCAL, remaining, "", request)
    with pytest.raises(Unreadable):
        await pair.far.answering.answer(envelopes.encode(call))
    assert not pair.far.calls


async def test_an_envelope_of_another_version_is_not_read(pair: Pair) -> None:
    request = pb.PauseTableRequest(request_id="one", table_id="t").SerializeToString()
    call = CallEnvelope(1, METHOD, LOCAL, 1.0, "", request)
    await pair.far.answering.answer(envelopes.encode(call))
    with pytest.raises(Unreadable, match="VersionUnknown"):
        await pair.far.answering.answer(envelopes.encode(msgspec.structs.replace(call, version=2)))
    for unread in (b"\xc1", envelopes.encode(msgspec.structs.replace(call, request=b"\xff"))):
        with pytest.raises(Unreadable, match="DecodeError"):
            await pair.far.answering.answer(unread)
    assert len(pair.far.calls) == 1


async def test_a_later_version_may_append() -> None:
    call = CallEnvelope(1, METHOD, LOCAL, 1.0, "00-a-b-01", b"x")
    longer = msgspec.msgpack.encode([*msgspec.msgpack.decode(envelopes.encode(call)), "more"])
    assert envelopes.call_of(longer) == call


@pytest.mark.parametrize(
    "failure",
    [
        Refusal("TABLE_PAUSED"),
        Refusal("BET_OUT_OF_RANGE", min=2**63 - 1, max=-(2**63), note="\u2660 a, b=c"),
        Refusal("RATE_EXCEEDED", max_rate=1, retry_after_ms=1500),
        StoreAway(),
        TableHalted("t"),
    ],
)
async def test_a_refusal_is_the_owners_to_the_byte(pair: Pair, failure: Exception) -> None:
    async def fail(*_: object) -> pb.PauseTableResponse:
        raise failure

    pair.near.carry = pair.far.carry = fail
    await pair.near.own("mine")
    with pytest.raises(type(failure)) as direct:
        await pair.near.ask("mine")
    from_afar = await refused(pair.near.ask("t"))
    same = status_of(refusal_of(direct.value))
    told = status_of(from_afar)
    assert told == same
    with_more = with_owner(told, from_afar).trailing_metadata
    assert with_more == (*same.trailing_metadata, (OWNER_KEY, "far:1"))
    assert with_owner(same, refusal_of(direct.value)) == same


async def test_a_fault_is_logged_where_it_is(pair: Pair) -> None:
    async def fail(*_: object) -> pb.PauseTableResponse:
        raise ZeroDivisionError

    pair.far.carry = fail
    with capture_logs() as logs:
        refusal = await refused(pair.near.ask("t"))
    assert isinstance(refusal, OwnersRefusal)
    assert refusal.reason == "INTERNAL_FAULT"
    assert [(entry["event"], entry["method"]) for entry in logs] == [("call_failed", "PauseTable")]


@pytest.mark.parametrize("answer", [b"", b"nonsense", b"\x96\x02\xa1x\xc4\x00\xa0\x80\xc2"])
async def test_an_answer_that_is_none_is_counted_and_asked_for_again(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of another version, or of somebody who is no server: the caller may repeat the request."""
    pair = Pair()
    bus = pair.near.bus
    assert isinstance(bus, LocalBus)
    subject = SUBJECTS.calls("t")
    serving = await pair.far.bus.serve(subject, lambda _: asyncio.sleep(0, answer))
    monkeypatch.setattr(forwarding, "SEEK_S", 0.3)
    with capture_logs() as logs:
        refusal = await refused(pair.near.ask("t"))
    assert refusal.reason == "TABLE_MOVING"
    assert not logs
    assert {*bus.misread_answers} == {subject}
    assert len(bus.misread_answers) > 1
    await serving.end()
    await pair.far.own("t")
    assert (await pair.near.ask("t", "four"))[1] == "far:1"


async def test_a_slow_owner_is_asked_again_and_the_first_answer_still_counts_there(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent twice, done once: the second joins the first, as every request with a request_id does."""
    monkeypatch.setattr(forwarding, "ATTEMPT_S", 0.05)
    done: dict[str, asyncio.Future[None]] = {}

    async def slowly(_: Principal, request: pb.PauseTableRequest) -> pb.PauseTableResponse:
        if request.request_id not in done:
            done[request.request_id] = asyncio.ensure_future(asyncio.sleep(0.2))
        await asyncio.shield(done[request.request_id])
        return pb.PauseTableResponse(sequence=len(done))

    pair.far.carry = slowly
    answer, owner = await pair.near.ask("t")
    assert (answer.sequence, owner) == (1, "far:1")
    assert len(pair.far.calls) > 1
    assert len({request.SerializeToString() for _, request in pair.far.calls}) == 1


async def test_a_handler_is_cancelled_at_the_callers_deadline(pair: Pair) -> None:
    ended: list[str] = []

    async def forever(*_: object) -> pb.PauseTableResponse:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return pb.PauseTableResponse()

    pair.far.carry = forever
    assert (await refused(pair.near.ask("t", remaining=0.1))).reason == "TABLE_MOVING"
    await asyncio.sleep(0.05)
    assert ended == ["cancelled"]


async def test_a_time_out_of_the_handlers_own_is_a_fault(pair: Pair) -> None:
    async def fail(*_: object) -> pb.PauseTableResponse:
        raise TimeoutError

    pair.far.carry = fail
    with capture_logs():
        assert (await refused(pair.near.ask("t"))).reason == "INTERNAL_FAULT"


async def test_a_bus_that_comes_back_carries_the_same_call(pair: Pair) -> None:
    async def mend(_: str) -> bool:
        if len(pair.near.located) == 2:
            pair.near.bus.mend()  # type: ignore[attr-defined]
        return False

    pair.near.locate = mend
    pair.near.bus.cut()  # type: ignore[attr-defined]
    _, owner = await pair.near.ask("t")
    assert owner == "far:1"
    assert len(pair.near.located) == 2


async def test_a_request_too_long_for_the_bus_is_refused(pair: Pair) -> None:
    refusal = await refused(pair.near.ask("t", "x" * MAX_PAYLOAD))
    assert refusal.reason == "MESSAGE_TOO_LONG"
    assert refusal.facts["max_size"] == MAX_PAYLOAD
    assert int(refusal.facts["size"]) > MAX_PAYLOAD
    assert not pair.far.calls


@pytest.mark.parametrize("table_id", ["", "x" * 65, "a\nb"])
async def test_what_is_no_tables_name_is_not_asked_for(pair: Pair, table_id: str) -> None:
    assert (await refused(pair.near.ask(table_id))).reason == "TABLE_UNKNOWN"
    assert len(pair.near.calls) == 1
    assert not pair.near.located


async def test_a_server_that_drains_refuses_for_its_tables(pair: Pair) -> None:
    pair.far.gate.draining = True
    assert (await refused(pair.near.ask("t"))).reason == "SERVER_DRAINING"


async def test_what_streams_carry_out_goes_the_same_way(pair: Pair) -> None:
    here: list[str] = []

    async def act(_: Principal, request: pb.PauseTableRequest) -> str:
        here.append(request.table_id)
        return "here"

    await pair.near.own("mine")
    routed = pair.near.gate.on_stream("Play.Act", act, METHOD)
    assert await routed(LOCAL, pb.PauseTableRequest(table_id="t")) == "here"
    pair.near.gate.router = pair.near.forwarding
    assert await routed(LOCAL, pb.PauseTableRequest(table_id="mine")) == "here"
    answer = await routed(LOCAL, pb.PauseTableRequest(request_id="four", table_id="t"))
    assert pb.PauseTableResponse.FromString(answer.SerializeToString()).sequence == 4
    assert here == ["t", "mine"]
