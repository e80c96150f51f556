"""For a backend of some houses, at a server that does not play it, another house's table is what never was."""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

import pytest
from tests.support.credentials import Secret
from tests.support.live import PATIENCE, Backend
from tests.support.nodes import Nodes
from tests.support.refused import refused

from croupier.client import Retry
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1 import table_service_pb2 as tables

pytestmark = pytest.mark.timeout(120)
ONCE = Retry(attempts=1, timeout=30)
GET, LIST = "/croupier.v1.TableService/GetTable", "/croupier.v1.SettlementService/ListHands"
MOST_APART_S = 0.5


async def outcome(backend: Backend, table_id: str) -> tuple[Any, ...]:
    """Code, and every trailer, where the table's own id reads "ID"."""
    failure = await refused(backend.channel, GET, tables.GetTableRequest(table_id=table_id))
    data = [
        (key, (value if isinstance(value, bytes) else value.encode()).replace(table_id.encode(), b"ID"))
        for key, value in failure.trailing_metadata() or ()
    ]
    return failure.code(), data


async def test_no_server_is_asked_for_it_nor_waited_for(two_with_tokens: Nodes, secret: Secret) -> None:
    owner, other = two_with_tokens.all
    hidden_from = secret.token("backend", "other", houses=["poker_ocean"])
    async with (
        Backend(owner.target, token=secret.token("backend", "shop"), retry=ONCE) as shop,
        Backend(other.target, token=secret.token("backend", "shop"), retry=ONCE) as elsewhere,
        Backend(other.target, token=hidden_from, retry=ONCE) as backend,
    ):
        hidden = [await shop.open_table("anna", "bert") for _ in range(8)]
        never = hidden[0][:-1] + ("a" if hidden[0][-1] != "a" else "b")
        expected = await outcome(backend, never)
        assert not [key for key, _ in expected[1] if key == "croupier-owner"]
        for table_id in hidden:
            assert await outcome(backend, table_id) == expected
        await shop.dealt(hidden[0])
        await shop.play(hidden[0], Random(1), until_hand=4)
        await _pages_go_on_at_the_other(shop, elsewhere)
        owner.kill()
        took = []
        for table_id in (*hidden, never):
            began = time.monotonic()
            assert await outcome(backend, table_id) == expected
            took.append(time.monotonic() - began)
        assert max(took) < MOST_APART_S, took


async def _pages_go_on_at_the_other(shop: Backend, elsewhere: Backend) -> None:
    """A token that one server issued, another of the same store takes."""
    first = settlement.ListHandsRequest(played_by="anna", page_size=1)
    async with asyncio.timeout(PATIENCE):
        while not (page := await _page(shop, first)).next_page_token:
            await asyncio.sleep(0.05)
    first.page_token = page.next_page_token
    (next_one,) = (await _page(elsewhere, first)).hands
    assert next_one.hand_id != page.hands[0].hand_id


async def _page(backend: Backend, request: settlement.ListHandsRequest) -> settlement.ListHandsResponse:
    call: Any = backend.channel.unary_unary(LIST)
    return settlement.ListHandsResponse.FromString(await call(request.SerializeToString(), timeout=20))
