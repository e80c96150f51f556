"""A server that takes tokens, and callers of every role."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from grpc import aio
from tests.support.credentials import AUDIENCE, Issuer, Secret
from tests.support.live import Backend, running

from croupier.adapters.credentials import keys
from croupier.app import App
from croupier.client import Retry

ONCE = Retry(attempts=1, timeout=20)

Calling = Callable[..., Backend]


@pytest.fixture
def secret(tmp_path: Path) -> Secret:
    return Secret(tmp_path)


@pytest.fixture
async def app(tmp_path: Path, secret: Secret) -> AsyncIterator[App]:
    async with running(tmp_path, jwt_secret_file=str(secret.file), jwt_audience=AUDIENCE) as app:
        yield app


@pytest.fixture
async def calling(app: App, secret: Secret) -> AsyncIterator[Calling]:
    """A client with a token for a role and a name, which repeats nothing."""
    async with AsyncExitStack() as stack:
        made: list[Backend] = []

        def call(role: str, name: str, **claims: object) -> Backend:
            token = secret.token(role, name, **claims)
            client = Backend(f"127.0.0.1:{app.port}", token=token, retry=ONCE)
            stack.push_async_callback(client.close)
            made.append(client)
            return client

        yield call


@pytest.fixture
def shop(calling: Calling) -> Backend:
    """A backend of everything."""
    return calling("backend", "shop")


@pytest.fixture
async def channel(app: App) -> AsyncIterator[aio.Channel]:
    async with aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:
        yield channel


@pytest.fixture
def issuer(tmp_path: Path) -> Issuer:
    issuer = Issuer(tmp_path)
    issuer.add_rsa("old")
    issuer.add_ed25519("young")
    return issuer


@pytest.fixture
async def issued(
    tmp_path: Path, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[aio.Channel]:
    """A channel to a server that knows the issuer's keys, and looks at its file at every call."""
    monkeypatch.setattr(keys, "REREAD_S", 0)
    async with (
        running(tmp_path, jwks_file=str(issuer.file)) as app,
        aio.insecure_channel(f"127.0.0.1:{app.port}") as channel,
    ):
        yield channel
