"""Which failed calls the client makes again, with what, and what it raises in the end."""

from __future__ import annotations

from time import perf_counter

import pytest
from grpc import StatusCode
from tests.unit.client.scripted import Refusal, Scripted

from croupier.client import Croupier, Refused, Retry, Unanswered
from croupier.v1.betting_service_pb2 import ActResponse
from croupier.v1.hand_pb2 import ActionKind, Decision

DECISION = Decision(hand_id="T-1", player_id="ann", action_sequence=3)
CALL = ActionKind.ACTION_KIND_CALL


async def act(client: Croupier, request_id: str = "") -> ActResponse:
    return await client.act("T", DECISION, CALL, request_id=request_id)


async def test_an_answer_comes_back_as_it_was_sent(client: Croupier, scripted: Scripted) -> None:
    scripted.acts = [ActResponse(sequence=7)]
    assert (await act(client)).sequence == 7
    request = scripted.requests[0]
    assert (request.table_id, request.hand_id, request.player_id) == ("T", "T-1", "ann")
    assert (request.action_sequence, request.action, request.amount) == (3, CALL, 0)


@pytest.mark.parametrize(
    "failure",
    [
        Refusal(StatusCode.UNAVAILABLE),
        Refusal(StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"),
        Refusal(StatusCode.DEADLINE_EXCEEDED),
        Refusal(StatusCode.CANCELLED),
        Refusal(StatusCode.RESOURCE_EXHAUSTED, "TABLE_BUSY", {"table_id": "T"}),
    ],
    ids=lambda failure: failure.reason or failure.code.name,
)
async def test_a_call_that_may_fare_better_is_repeated_unchanged(
    client: Croupier, scripted: Scripted, failure: Refusal
) -> None:
    scripted.acts = [failure, failure, ActResponse(sequence=7)]
    assert (await act(client)).sequence == 7
    first, second, third = scripted.requests
    assert first == second == third
    assert first.request_id


async def test_the_next_call_waits_as_long_as_the_service_asked(client: Croupier, scripted: Scripted) -> None:
    asked = Refusal(StatusCode.RESOURCE_EXHAUSTED, "RATE_EXCEEDED", {"retry_after_ms": "300"})
    scripted.acts = [asked, ActResponse(sequence=7)]
    started = perf_counter()
    assert (await act(client)).sequence == 7
    assert perf_counter() - started >= 0.3


async def test_two_calls_never_share_a_request_id(client: Croupier, scripted: Scripted) -> None:
    scripted.acts = [ActResponse(), ActResponse()]
    await act(client)
    await act(client)
    assert len({request.request_id for request in scripted.requests}) == 2


async def test_a_refusal_is_raised_at_once_with_its_reason_and_facts(
    client: Croupier, scripted: Scripted
) -> None:
    scripted.acts = [Refusal(StatusCode.FAILED_PRECONDITION, "OUT_OF_TURN", {"actor_seat": "2"})]
    with pytest.raises(Refused, match=r"OUT_OF_TURN \(actor_seat=2\) said so") as refused:
        await act(client)
    assert refused.value.reason == "OUT_OF_TURN"
    assert refused.value.facts == {"actor_seat": "2"}
    assert refused.value.code is StatusCode.FAILED_PRECONDITION
    assert len(scripted.requests) == 1


@pytest.mark.parametrize("domain", ["", "elsewhere"])
async def test_a_reason_of_another_domain_is_none_of_ours(
    client: Croupier, scripted: Scripted, domain: str
) -> None:
    scripted.acts = [Refusal(StatusCode.NOT_FOUND, "TABLE_UNKNOWN", domain=domain)]
    with pytest.raises(Refused, match="NOT_FOUND said so") as refused:
        await act(client)
    assert refused.value.reason == ""


async def test_patience_ends_and_leaves_the_request_id_to_go_on_with(
    client: Croupier, scripted: Scripted
) -> None:
    scripted.acts = [Refusal(StatusCode.UNAVAILABLE)] * 3
    with pytest.raises(Unanswered) as unanswered:
        await act(client, request_id="mine")
    assert unanswered.value.code is StatusCode.UNAVAILABLE
    assert unanswered.value.request_id == "mine"
    assert len(scripted.requests) == 3


async def test_a_fault_of_the_service_is_not_repeated_and_not_called_a_refusal(
    client: Croupier, scripted: Scripted
) -> None:
    scripted.acts = [Refusal(StatusCode.INTERNAL, "INTERNAL_FAULT")]
    with pytest.raises(Unanswered, match="INTERNAL_FAULT"):
        await act(client)
    assert len(scripted.requests) == 1


async def test_a_server_that_is_not_there_is_unanswered() -> None:
    retry = Retry(attempts=2, timeout=5, first_pause=0.001, longest_pause=0.002)
    async with Croupier("127.0.0.1:1", retry=retry) as client:
        with pytest.raises(Unanswered) as unanswered:
            await act(client)
    assert unanswered.value.code is StatusCode.UNAVAILABLE


def test_pauses_grow_to_the_longest_and_never_pass_it() -> None:
    retry = Retry(attempts=9, first_pause=0.1, longest_pause=1.0)
    for failures, longest in enumerate([0.1, 0.2, 0.4, 0.8, 1.0, 1.0], start=1):
        assert longest / 2 <= retry.pause(failures) <= longest
