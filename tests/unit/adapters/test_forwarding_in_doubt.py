"""Calls for a table whose owner may own it no longer: nothing is told of it, whoever has it now is asked."""

from __future__ import annotations

import asyncio

import pytest
from tests.support.forwarding_pair import Pair, refused

from croupier.adapters.rpc import forwarding
from croupier.room.failures import Refusal, StoreAway
from croupier.v1 import table_service_pb2 as pb


@pytest.fixture
async def pair() -> Pair:
    pair = Pair()
    await pair.far.own("t")
    return pair


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
