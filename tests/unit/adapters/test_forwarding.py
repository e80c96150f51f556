"""Calls for another server's table: carried out there once, as the caller's; never where the table is not."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs
from tests.support.buses import MAX_PAYLOAD, LocalBus, Wires
from tests.support.forwarders import METHOD, Forwarder

from croupier.adapters.rpc import envelopes, forwarding
from croupier.adapters.rpc.envelopes import CallEnvelope
from croupier.adapters.rpc.refusals import refusal_of, status_of
from croupier.adapters.rpc.routed import OWNER_KEY, OwnersRefusal, with_owner
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.principal import LOCAL, Principal
from croupier.v1 import table_service_pb2 as pb


class Pair:
    """Two servers on one bus; the second has table "t"."""

    def __init__(self) -> None:
        self.wires = Wires()
        self.near = Forwarder(LocalBus(self.wires), "near")
        self.far = Forwarder(LocalBus(self.wires), "far")


@pytest.fixture
async def pair() -> Pair:
    pair = Pair()
    await pair.far.own("t")
    return pair


async def refused(call: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await call
    return refusal.value


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
        with pytest.raises(LookupError):
            await pair.far.answering.answer(envelopes.encode(call))


async def test_an_envelope_of_another_version_is_not_read(pair: Pair) -> None:
    request = pb.PauseTableRequest(request_id="one", table_id="t").SerializeToString()
    call = CallEnvelope(1, METHOD, LOCAL, 1.0, "", request)
    await pair.far.answering.answer(envelopes.encode(call))
    with pytest.raises(envelopes.VersionUnknown):
        await pair.far.answering.answer(envelopes.encode(msgspec.structs.replace(call, version=2)))
    with pytest.raises(msgspec.DecodeError):
        await pair.far.answering.answer(b"\x93\x01")
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


async def test_a_table_that_is_nobodys_is_called_here_once_it_is_ours(pair: Pair) -> None:
    async def claim(table_id: str) -> bool:
        if len(pair.near.located) == 2:
            await pair.near.own(table_id)
        return table_id in pair.near.tables

    pair.near.locate = claim
    answer, owner = await pair.near.ask("orphan", "four")
    assert (answer.sequence, owner) == (4, "")
    assert pair.near.located == ["orphan", "orphan"]


async def test_a_table_that_moves_is_called_where_it_comes_to(pair: Pair) -> None:
    await pair.far.disown("t")

    async def move(table_id: str) -> bool:
        if len(pair.near.located) == 3:
            await pair.far.own(table_id)
        return False

    pair.near.locate = move
    _, owner = await pair.near.ask("t")
    assert owner == "far:1"


async def test_a_table_that_nobody_has_is_given_up(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "SEEK_S", 0.2)
    began = monotonic()
    refusal = await refused(pair.near.ask("orphan"))
    assert 0.05 < monotonic() - began < 0.5
    assert (refusal.reason, refusal.facts["table_id"]) == ("TABLE_MOVING", "orphan")
    assert len(status_of(refusal).trailing_metadata) == 1
    assert 2 < len(pair.near.located) < 40


async def test_the_callers_deadline_ends_the_search(pair: Pair) -> None:
    began = monotonic()
    assert (await refused(pair.near.ask("orphan", remaining=0.1))).reason == "TABLE_MOVING"
    assert monotonic() - began < 0.3


@pytest.mark.parametrize("failure", [StoreAway(), Refusal("TABLE_UNKNOWN", table_id="t")])
@pytest.mark.parametrize("asked", ["near", "far"])
async def test_a_table_that_leaves_under_a_call_is_followed(
    pair: Pair, failure: Exception, asked: str
) -> None:
    """The call is sent again, where the table is: it has a request_id."""

    async def leave(*_: object) -> pb.PauseTableResponse:
        await pair.far.disown("t")
        await pair.near.own("t")
        raise failure

    pair.far.carry = leave
    asks = pair.near if asked == "near" else pair.far
    pair.near.locate = lambda _: _yes()
    answer, owner = await asks.ask("t", "four")
    assert (answer.sequence, owner) == (4, "" if asked == "near" else "near:1")
    assert [request.request_id for _, request in (*pair.far.calls, *pair.near.calls)] == ["four", "four"]


async def _yes() -> bool:
    return True


async def test_a_table_that_stays_is_not_asked_twice(pair: Pair) -> None:
    async def fail(*_: object) -> pb.PauseTableResponse:
        raise StoreAway

    pair.far.carry = fail
    assert (await refused(pair.near.ask("t"))).reason == "STORE_UNAVAILABLE"
    with pytest.raises(StoreAway):
        await pair.far.ask("t")
    assert len(pair.far.calls) == 2


async def test_an_owner_that_has_it_no_more_says_so(pair: Pair) -> None:
    """Its subject outlives the table for a moment."""
    ending = pair.far.tables.pop("t")

    async def move(table_id: str) -> bool:
        await ending.end()
        await pair.near.own(table_id)
        return True

    pair.near.locate = move
    _, owner = await pair.near.ask("t")
    assert owner == ""
    assert not pair.far.calls


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


async def taken_over(pair: Pair) -> None:
    """The table is the near server's; the far one has lost its lease, and does not know of anything else."""
    pair.far.lapsed = True
    await pair.far.tables["t"].end()
    await pair.near.own("t")


async def test_whose_lease_may_be_over_asks_whoever_has_the_table_now(pair: Pair) -> None:
    await taken_over(pair)
    _, owner = await pair.far.ask("t")
    assert owner == "near:1"
    assert not pair.far.calls


async def test_whose_lease_may_be_over_says_nothing_of_the_table(pair: Pair) -> None:
    """It still serves the subject for a moment."""
    pair.far.lapsed = True

    async def claim(table_id: str) -> bool:
        await pair.near.own(table_id)
        return True

    pair.near.locate = claim
    _, owner = await pair.near.ask("t")
    assert owner == ""
    assert not pair.far.calls


@pytest.mark.parametrize("asked", ["near", "far"])
@pytest.mark.parametrize("failure", [None, Refusal("DECISION_UNKNOWN"), StoreAway()])
async def test_what_came_of_a_call_is_not_told_once_the_lease_may_be_over(
    pair: Pair, asked: str, failure: Exception | None
) -> None:
    """What the table said may be out of date by then."""

    async def stand_still(*_: object) -> pb.PauseTableResponse:
        await taken_over(pair)
        if failure is not None:
            raise failure
        return pb.PauseTableResponse(sequence=99)

    pair.far.carry = stand_still
    answer, owner = await (pair.near if asked == "near" else pair.far).ask("t", "four")
    assert (answer.sequence, owner) == (4, "near:1")


async def test_calls_that_wait_for_the_store_are_asked_of_the_next_owner(pair: Pair) -> None:
    async def forever(*_: object) -> pb.PauseTableResponse:
        await asyncio.Event().wait()
        return pb.PauseTableResponse()

    pair.far.carry = forever
    call = asyncio.ensure_future(pair.far.ask("t", "four"))
    await asyncio.sleep(0.01)
    assert len(pair.far.calls) == 1
    await taken_over(pair)
    pair.far.forwarding.doubt()
    answer, owner = await asyncio.wait_for(call, 5)
    assert (answer.sequence, owner) == (4, "near:1")


async def test_a_caller_who_goes_is_not_taken_for_a_doubt(pair: Pair) -> None:
    async def forever(*_: object) -> pb.PauseTableResponse:
        await asyncio.Event().wait()
        return pb.PauseTableResponse()

    pair.far.carry = forever
    call = asyncio.ensure_future(pair.far.ask("t"))
    await asyncio.sleep(0.01)
    pair.far.forwarding.doubt()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_whose_lease_may_be_over_and_who_has_no_bus_gives_up_at_once(pair: Pair) -> None:
    pair.far.lapsed = True
    pair.far.bus.cut()  # type: ignore[attr-defined]
    async with asyncio.timeout(1):
        assert (await refused(pair.far.ask("t"))).reason == "TABLE_MOVING"
    assert not pair.far.located


async def test_a_store_that_does_not_say_where_a_table_is_is_given_up(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "SEEK_S", 0.1)

    async def silent(_: str) -> bool:
        await asyncio.Event().wait()
        return True

    pair.near.locate = silent
    async with asyncio.timeout(5):
        assert (await refused(pair.near.ask("nowhere"))).reason == "TABLE_MOVING"


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
