"""Calls for tables that move, that nobody has, and that go away under the call."""

from __future__ import annotations

from time import monotonic

import pytest
from tests.support.forwarding_pair import Pair, refused

from croupier.adapters.rpc import forwarding
from croupier.adapters.rpc.refusals import status_of
from croupier.room.failures import Refusal, StoreAway
from croupier.v1 import table_service_pb2 as pb


@pytest.fixture
async def pair() -> Pair:
    pair = Pair()
    await pair.far.own("t")
    return pair


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
