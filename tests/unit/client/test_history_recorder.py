"""Every call is taken down with what came of it, and what nothing came of is said to be unknown."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata

from croupier.client.errors import CroupierError, Refused, Unanswered
from croupier.client.load.history.log import Log
from croupier.client.load.history.operation import Operation, Outcome, SeatSeen, Standing
from croupier.client.load.history.recorder import RecordedAct, Recorder
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import ActionKind
from croupier.v1.seat_service_pb2 import BuyInRequest, BuyInResponse
from croupier.v1.table_service_pb2 import CreateTableRequest, CreateTableResponse

REQUEST = ActRequest(
    request_id="r",
    table_id="t",
    player_id="p",
    hand_id="t/1",
    action_sequence=3,
    action=ActionKind.ACTION_KIND_RAISE_TO,
    amount=60,
)


def only(log: Log, table_id: str = "t") -> Operation:
    (operation,) = log.of(table_id)
    return operation


async def test_an_answer_is_taken_down_with_its_request_and_times() -> None:
    async def act(_request: ActRequest, **_: float) -> ActResponse:
        response = ActResponse(sequence=9)
        response.result.action = ActionKind.ACTION_KIND_RAISE_TO
        response.result.paid, response.result.street_bet = 50, 60
        response.next_decision.hand_id, response.next_decision.player_id = "t/1", "q"
        response.next_decision.action_sequence = 4
        return response

    with Log() as log:
        await RecordedAct(Recorder(log), act)(REQUEST, timeout=1)  # type: ignore[arg-type]
        told = only(log)
    assert (told.method, told.player_id, told.hand_id, told.number, told.amount) == ("Act", "p", "t/1", 3, 60)
    assert (told.outcome, told.sequence, told.paid, told.street_bet) == (Outcome.ANSWERED, 9, 50, 60)
    assert told.standing == Standing("t/1", 4, "q")
    assert 0 < told.sent <= told.ended


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (StatusCode.FAILED_PRECONDITION, Outcome.REFUSED),
        (StatusCode.ABORTED, Outcome.REFUSED),
        (StatusCode.UNAVAILABLE, Outcome.UNKNOWN),
        (StatusCode.DEADLINE_EXCEEDED, Outcome.UNKNOWN),
        (StatusCode.INTERNAL, Outcome.UNKNOWN),
    ],
)
async def test_only_a_refusal_says_that_nothing_was_done(code: StatusCode, outcome: Outcome) -> None:
    async def act(_request: ActRequest, **_: float) -> ActResponse:
        raise AioRpcError(code, Metadata(), Metadata())

    with Log() as log:
        with pytest.raises(CroupierError):
            await RecordedAct(Recorder(log), act)(REQUEST, timeout=1)  # type: ignore[arg-type]
        assert (only(log).outcome, only(log).reason) == (outcome, code.name)


async def test_a_call_given_up_is_unknown() -> None:
    async def act(_request: ActRequest, **_: float) -> ActResponse:
        await asyncio.sleep(60)
        return ActResponse()

    with Log() as log:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await RecordedAct(Recorder(log), act)(REQUEST, timeout=1)  # type: ignore[arg-type]
        assert (only(log).outcome, only(log).ended) == (Outcome.UNKNOWN, 0)


def test_what_is_under_way_at_the_end_is_unknown_and_taken_down_once() -> None:
    with Log() as log:
        recorder = Recorder(log)
        operation = recorder.sent(REQUEST)
        recorder.close()
        recorder.failed(operation, Unanswered("", {}, StatusCode.UNAVAILABLE))
        assert only(log).outcome is Outcome.UNKNOWN


def test_a_table_created_is_known_by_its_answer() -> None:
    with Log() as log:
        recorder = Recorder(log)
        response = CreateTableResponse()
        response.table.table_id, response.table.sequence = "t", 1
        response.table.seats.add(seat_number=2, player_id="p", stack=5)
        recorder.answered(recorder.sent(CreateTableRequest(request_id="c")), response)
        assert (only(log).request_id, only(log).sequence) == ("c", 1)
        assert only(log).seats == (SeatSeen(2, "p", 5),)


def test_the_log_is_lines_of_json_in_the_order_that_calls_were_over(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    with Log(path) as log:
        recorder = Recorder(log)
        first, second = (
            recorder.sent(BuyInRequest(table_id=table, player_id="p", request_id=table, amount=7))
            for table in ("a", "b")
        )
        recorder.failed(second, Refused("BUY_IN_NOT_LEGAL", {}, StatusCode.FAILED_PRECONDITION))
        assert [one.request_id for one in log.of("b")] == ["b"]
        recorder.answered(first, BuyInResponse(sequence=4))
        assert log.tables() == ["b", "a"]
        assert log.count == 2
        assert [one.amount for one in log.of("a")] == [7]
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["request_id"], line["outcome"]) for line in lines] == [("b", "refused"), ("a", "answered")]
    assert lines[0]["reason"] == "BUY_IN_NOT_LEGAL"
    assert lines[1]["sequence"] == 4
