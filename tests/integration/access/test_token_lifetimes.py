"""What becomes of tokens, and of streams begun with them, when time or keys go on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from grpc import StatusCode, aio
from tests.integration.access.conftest import Calling
from tests.integration.access.telling import invalid, why
from tests.support.credentials import Issuer, Secret
from tests.support.live import PATIENCE, Backend
from tests.support.refused import told

from croupier.adapters.credentials import keys
from croupier.app import App
from croupier.client import Croupier, Retry


async def test_keys_are_rotated_without_a_restart(issued: aio.Channel, issuer: Issuer) -> None:
    before = issuer.token("old", "backend", "shop")
    assert await why(issued, before) == ("", "")
    issuer.add_rsa("new")
    assert await why(issued, issuer.token("new", "backend", "shop")) == ("", "")
    assert await why(issued, before) == ("", "")
    issuer.remove("old")
    assert await why(issued, before) == invalid("key"), "what was verified by a removed key counts no longer"
    issuer.file.write_text("{")
    assert await why(issued, issuer.token("new", "backend", "shop")) == ("", ""), "keys are kept"


async def test_a_new_secret_ends_tokens_of_the_old(
    channel: aio.Channel, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "REREAD_S", 0)
    before = secret.token("backend", "shop")
    assert await why(channel, before) == ("", "")
    secret.renew()
    await asyncio.sleep(1.1)  # the file had been looked at just now
    assert await why(channel, before) == invalid("signature")
    assert await why(channel, secret.token("backend", "shop")) == ("", "")


async def test_a_remembered_token_expires(
    channel: aio.Channel, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    token = secret.token("backend", "shop", seconds=2)
    assert await why(channel, token) == ("", "")
    async with asyncio.timeout(PATIENCE):
        while await why(channel, token) == ("", ""):
            await asyncio.sleep(0.2)
    assert await why(channel, token) == ("CREDENTIALS_EXPIRED", "")


async def test_a_stream_ends_with_its_token(
    shop: Backend, calling: Calling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    table_id = await shop.open_table()
    watch = calling("player", "anna", seconds=2).watching(table_id, "anna")
    assert await watch.finished() is StatusCode.UNAUTHENTICATED
    assert watch.failure is not None
    assert told(watch.failure)[1] == "CREDENTIALS_EXPIRED"
    assert watch.messages


async def test_a_client_whose_token_is_renewed_goes_on_watching(
    app: App, shop: Backend, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.adapters.credentials.tokens.LEEWAY_S", 0)
    table_id = await shop.open_table()
    tokens = []

    def fresh() -> str:
        tokens.append(secret.token("observer", "stands", seconds=2))
        return tokens[-1]

    async with Croupier(f"127.0.0.1:{app.port}", token=fresh, retry=Retry(first_pause=0.01)) as client:
        news = client.watch(table_id)
        await anext(news)
        async with asyncio.timeout(PATIENCE):
            while len(tokens) < 2:
                waiting = asyncio.ensure_future(anext(news))
                await asyncio.sleep(2.5)
                await shop.pause_table(table_id)
                batch: Any = await waiting
                assert batch.events[0].WhichOneof("event") == "table_paused"
        await news.aclose()
