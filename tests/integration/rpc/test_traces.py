"""Traces as an OTLP receiver gets them: a span a command with its stages, under the caller's"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from grpc import StatusCode
from grpc.aio import AioRpcError
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from structlog.typing import EventDict
from tests.support.live import CURRENCY, PATIENCE, Backend, running
from tests.support.receiver import Receiver, attributes, receiving

from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2
from croupier.v1 import play_service_pb2 as play
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.play_service_pb2_grpc import PlayServiceStub
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED = (("traceparent", f"00-{TRACE}-{PARENT}-01"),)
UNSAMPLED = (("traceparent", f"00-{TRACE}-{PARENT}-00"),)
STAGES = ["queue", "decide", "journal", "publish"]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@asynccontextmanager
async def playing(receiver: Receiver, directory: Path) -> AsyncIterator[Backend]:
    """A server that has sent all its spans when this is left."""
    async with (
        running(directory, traces_endpoint=receiver.endpoint) as app,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        yield backend


def request(decision: hand_pb2.Decision, request_id: str, **fields: Any) -> betting.ActRequest:
    """A call or a check, or what `fields` say instead."""
    call = decision.legal_actions.call_amount
    told = {"action": hand_pb2.ACTION_KIND_CALL if call else hand_pb2.ACTION_KIND_CHECK} | fields
    return betting.ActRequest(
        request_id=request_id,
        table_id=decision.hand_id.partition("/")[0],
        player_id=decision.player_id,
        hand_id=decision.hand_id,
        action_sequence=decision.action_sequence,
        **told,
    )


def of_caller(receiver: Receiver) -> list[Span]:
    """The spans right below the caller's."""
    return [
        span
        for span in receiver.spans
        if span.trace_id == bytes.fromhex(TRACE) and span.parent_span_id == bytes.fromhex(PARENT)
    ]


async def test_an_action_is_a_span_under_its_callers_with_its_stages(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    async with playing(receiver, tmp_path) as backend:
        table_id = await backend.open_table("anna", "bert")
        decision = await backend.dealt(table_id)
        sent = time.time_ns()
        await BettingServiceStub(backend.channel).Act(request(decision, "a"), metadata=SAMPLED)
        answered = time.time_ns()
    (span,) = of_caller(receiver)
    assert (span.name, span.kind) == ("Act", Span.SPAN_KIND_SERVER)
    assert attributes(span) == {
        "method": "Act",
        "table_id": table_id,
        "hand_id": decision.hand_id,
        "outcome": "ACCEPTED",
    }
    assert [event.name for event in span.events] == STAGES
    begun = [event.time_unix_nano for event in span.events]
    assert sorted(begun) == begun
    assert sent <= span.start_time_unix_nano == begun[0]
    assert begun[-1] <= span.end_time_unix_nano <= answered
    spans = [event.attributes[0].value.int_value for event in span.events]
    whole = span.end_time_unix_nano - span.start_time_unix_nano
    assert whole / 1000 - len(STAGES) <= sum(spans) <= whole / 1000
    assert receiver.resources[0]["service.name"] == "croupier"
    assert [entry["event"] for entry in logged][-1] == "server_stopped"


async def test_what_a_server_has_not_sent_when_it_stops_it_sends_then(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    """Batches go every five seconds, and this does not take as long."""
    del logged
    async with playing(receiver, tmp_path) as backend:
        table_id = await backend.open_table("anna", "bert")
        await backend.play(table_id, Random(1), until_hand=4)
    acts, hands = receiver.named("Act"), receiver.named("StartHand")
    assert len(acts) > 6
    assert {attributes(span)["hand_id"] for span in acts} >= {f"{table_id}/{number}" for number in (1, 2, 3)}
    assert [attributes(span)["hand_id"] for span in hands[:3]] == [f"{table_id}/{n}" for n in (1, 2, 3)]
    assert [event.name for event in hands[0].events] == STAGES
    assert len({span.span_id for span in receiver.spans}) == len(receiver.spans)


async def test_a_refusal_tells_its_reason_and_comes_to_no_journal(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    del logged
    async with playing(receiver, tmp_path) as backend:
        decision = await backend.dealt(await backend.open_table("anna", "bert"))
        refused = request(decision, "a", action=hand_pb2.ACTION_KIND_RAISE_TO, amount=10**9)
        with pytest.raises(AioRpcError):
            await BettingServiceStub(backend.channel).Act(refused, metadata=SAMPLED)
    (span,) = of_caller(receiver)
    assert attributes(span)["outcome"] == "RAISE_OUT_OF_RANGE"
    assert [event.name for event in span.events] == STAGES[:2]
    assert span.status.code == Status.STATUS_CODE_UNSET, "it is the caller's mistake, not a fault"


async def test_calls_that_put_no_command_to_a_table_are_spans_without_its_stages(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    """A deposit, a repeated action, and a request that is wrong in itself."""
    del logged
    async with playing(receiver, tmp_path) as backend:
        decision = await backend.dealt(await backend.open_table("anna", "bert"))
        act = BettingServiceStub(backend.channel).Act
        deposit = settlement.DepositRequest(request_id="d", player_id="x", currency=CURRENCY, amount=5)
        await SettlementServiceStub(backend.channel).Deposit(deposit, metadata=SAMPLED)
        await act(request(decision, "a"))
        await act(request(decision, "a"), metadata=SAMPLED)
        with pytest.raises(AioRpcError):
            await act(betting.ActRequest(request_id="b"), metadata=SAMPLED)
        await backend.get_table(decision.hand_id.partition("/")[0])
    told = [(span.name, attributes(span)["outcome"]) for span in of_caller(receiver)]
    assert told == [("Deposit", "ACCEPTED"), ("Act", "ACCEPTED"), ("Act", "FIELD_REQUIRED")]
    assert all([event.name for event in span.events] == ["queue"] for span in of_caller(receiver))
    assert not receiver.named("GetTable"), "reads are no commands"


async def test_a_buy_in_has_all_its_commands_under_the_callers_span(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    del logged
    async with playing(receiver, tmp_path) as backend:
        await backend.open_table("anna", "bert")
    of_buy_in = [span for span in receiver.spans if attributes(span).get("method") == "BuyIn"]
    assert {span.name for span in of_buy_in} >= {"RequestBuyIn", "AcceptTransfer"}
    assert all("publish" in [event.name for event in span.events] for span in of_buy_in)


async def test_actions_on_a_stream_have_the_parent_that_the_stream_has(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    del logged
    async with playing(receiver, tmp_path) as backend:
        decision = await backend.dealt(await backend.open_table("anna", "bert"))
        stream: Any = PlayServiceStub(backend.channel).Play(metadata=SAMPLED, timeout=PATIENCE)
        await stream.write(play.PlayRequest(open=play.PlayOpen(stream_id="s")))
        act = play.PlayAct(correlation_id=1, act=request(decision, "a"))
        await stream.write(play.PlayRequest(acts=[act]))
        while not (answer := await stream.read()).results:
            pass
        assert answer.results[0].HasField("acted")
        await stream.done_writing()
        assert await stream.code() is StatusCode.OK
    (span,) = of_caller(receiver)
    assert attributes(span)["method"] == "Play.Act"
    assert [event.name for event in span.events] == STAGES


async def test_a_caller_who_does_not_sample_has_no_spans(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict]
) -> None:
    del logged
    async with playing(receiver, tmp_path) as backend:
        decision = await backend.dealt(await backend.open_table("anna", "bert"))
        await BettingServiceStub(backend.channel).Act(request(decision, "a"), metadata=UNSAMPLED)
    assert receiver.spans
    assert not of_caller(receiver)
    assert not receiver.named("Act")


async def test_variables_of_the_standard_count(
    receiver: Receiver, tmp_path: Path, logged: list[EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ratio of nothing leaves what callers sample themselves."""
    del logged
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "service.name=floor,deployment.environment=test")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=abc")
    async with playing(receiver, tmp_path) as backend:
        decision = await backend.dealt(await backend.open_table("anna", "bert"))
        await BettingServiceStub(backend.channel).Act(request(decision, "a"), metadata=SAMPLED)
    assert [span.name for span in receiver.spans] == ["Act"]
    assert receiver.resources[0]["service.name"] == "floor"
    assert receiver.resources[0]["deployment.environment"] == "test"
    assert ("x-key", "abc") in receiver.metadata
