"""R-T6: at every server a local table is there for the same players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from tests.support.credentials import Secret
from tests.support.live import CURRENCY, PATIENCE, WEALTH, Backend
from tests.support.local_tables import INN, hands, listed, local_table, sees, sits
from tests.support.nodes import Nodes

from croupier.client import Retry
from croupier.v1 import hand_pb2

pytestmark = pytest.mark.timeout(120)
ONCE = Retry(attempts=1, timeout=30)


@pytest.fixture
async def callers(two_with_tokens: Nodes, secret: Secret) -> AsyncIterator[list[Backend]]:
    """A backend at the first server; at the second bert, who is nowhere, anna at the den, and dora at the inn."""
    owner, other = two_with_tokens.all
    async with AsyncExitStack() as stack:

        async def call(target: str, role: str, name: str, **claims: str) -> Backend:
            token = secret.token(role, name, **claims)
            return await stack.enter_async_context(Backend(target, token=token, retry=ONCE))

        yield [
            await call(owner.target, "backend", "shop"),
            await call(other.target, "player", "bert"),
            await call(other.target, "player", "anna", scene="den"),
            await call(other.target, "player", "dora", scene="inn"),
        ]


async def test_a_local_table_of_another_server(callers: list[Backend]) -> None:
    shop, bert, anna, dora = callers
    inn = await local_table(shop)
    await sits(shop, inn, "bert", 1)
    await sits(shop, inn, "cleo", 2)
    assert await sees(bert, inn, "bert")
    assert await sees(dora, inn)
    assert not await sees(anna, inn)
    await shop.deposit("anna", CURRENCY, WEALTH)
    await shop.reserve_seat(inn, "anna", 3, vouched=INN)
    assert await sees(anna, inn, "anna")
    await shop.release_seat(inn, "anna")
    async with asyncio.timeout(PATIENCE):
        while inn in await listed(anna):
            await asyncio.sleep(0.05)
    decision = await shop.dealt(inn)
    await shop.act(inn, decision, hand_pb2.ACTION_KIND_FOLD)
    async with asyncio.timeout(PATIENCE):
        while decision.hand_id not in await hands(dora, table_id=inn):
            await asyncio.sleep(0.05)
    assert decision.hand_id in await hands(bert, table_id=inn)
    assert not await hands(anna, table_id=inn)
    assert not await hands(anna, played_by="bert")
