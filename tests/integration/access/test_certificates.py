"""TLS and client certificates over live gRPC: who a certificate names, and certificates that are renewed."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from grpc import ChannelCredentials, ssl_channel_credentials
from structlog.testing import capture_logs
from tests.integration.access.conftest import ONCE
from tests.support.credentials import Authority, Secret
from tests.support.live import CURRENCY, running

from croupier.app import App
from croupier.client import Croupier, Refused, Unanswered
from croupier.client.load import Plan, run

SHOP = "croupier://backend/shop"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def tls(authority: Authority) -> dict[str, Any]:
    """Settings of a server that demands client certificates."""
    cert, key = authority.server()
    return {"tls_cert": str(cert), "tls_key": str(key), "client_ca": str(authority.file)}


@pytest.fixture
async def app(tmp_path: Path, tls: dict[str, Any]) -> AsyncIterator[App]:
    async with running(tmp_path, **tls) as app:
        yield app


def client(app: App, credentials: ChannelCredentials, token: str | None = None) -> Croupier:
    return Croupier(f"localhost:{app.port}", credentials=credentials, token=token, retry=ONCE)


async def test_the_certificate_says_who_calls(app: App, authority: Authority) -> None:
    async with client(app, authority.client(SHOP)) as shop:
        await shop.deposit("anna", CURRENCY, 5)
    async with client(app, authority.client("croupier://player/anna", "https://example.com/x")) as anna:
        assert (await anna.get_balance("anna", CURRENCY)).available == 5
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await anna.deposit("anna", CURRENCY, 5)
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await anna.get_balance("bert", CURRENCY)


async def test_the_certificate_says_how_far_a_backend_reaches(app: App, authority: Authority) -> None:
    uri = f"{SHOP}?players=a-,b-&houses=poker_ocean"
    async with client(app, authority.client(uri)) as shop:
        assert [house.house_id for house in await shop.list_houses()] == ["poker_ocean"]
        await shop.deposit("b-bert", "USD", 5)
        with pytest.raises(Refused, match="CURRENCY_UNKNOWN"):
            await shop.deposit("b-bert", CURRENCY, 5)
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await shop.deposit("c-cleo", "USD", 5)
    async with client(app, authority.client(f"{SHOP}?players=")) as nobodys:
        with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
            await nobodys.deposit("b-bert", CURRENCY, 5)


@pytest.mark.parametrize(
    ("uris", "reason"),
    [
        ((), "CREDENTIALS_MISSING"),
        (("https://example.com",), "CREDENTIALS_MISSING"),
        ((SHOP, "croupier://operator/shop"), "CREDENTIALS_INVALID"),
        (("croupier://god/shop",), "CREDENTIALS_INVALID"),
        (("croupier://backend/",), "CREDENTIALS_INVALID"),
        (("croupier://backend/a/b",), "CREDENTIALS_INVALID"),
        (("croupier://backend/a?player=x",), "CREDENTIALS_INVALID"),
        (("croupier://player/a?players=x",), "CREDENTIALS_INVALID"),
        (("croupier://backend/a#b",), "CREDENTIALS_INVALID"),
        (("croupier://backend/%00",), "CREDENTIALS_INVALID"),
    ],
)
async def test_other_certificates_name_nobody(
    app: App, authority: Authority, uris: tuple[str, ...], reason: str
) -> None:
    async with client(app, authority.client(*uris)) as caller:
        with pytest.raises(Refused, match=reason):
            await caller.get_server_info()


async def test_without_a_certificate_of_the_authority_there_is_no_connection(
    app: App, authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path, "other")
    cert, key = other.client_files(SHOP, name="stranger")
    stranger = _trusting(authority, cert, key)
    for credentials in (authority.anonymous(), stranger):
        async with client(app, credentials) as caller:
            with pytest.raises(Unanswered):
                await caller.get_server_info()
    async with Croupier(f"localhost:{app.port}", retry=ONCE) as caller:
        with pytest.raises(Unanswered):
            await caller.get_server_info()


def _trusting(authority: Authority, cert: Path, key: Path) -> ChannelCredentials:
    return ssl_channel_credentials(authority.file.read_bytes(), key.read_bytes(), cert.read_bytes())


async def test_a_token_counts_for_nothing_where_none_is_configured(
    app: App, authority: Authority, tmp_path: Path
) -> None:
    """A gateway that passes a player's token on over its own certificate must not become the gateway."""
    token = Secret(tmp_path).token("player", "anna")
    async with client(app, authority.client(SHOP), token) as caller:
        with pytest.raises(Refused) as caught:
            await caller.deposit("anna", CURRENCY, 5)
    assert (caught.value.reason, caught.value.facts) == ("CREDENTIALS_INVALID", {"why": "unexpected"})


async def test_the_token_decides_before_the_certificate(
    tmp_path: Path, tls: dict[str, Any], authority: Authority
) -> None:
    secret = Secret(tmp_path)
    async with running(tmp_path, **tls, jwt_secret_file=str(secret.file)) as app:
        async with client(app, authority.client(SHOP), secret.token("player", "anna")) as caller:
            with pytest.raises(Refused, match="CALLER_NOT_ALLOWED"):
                await caller.deposit("anna", CURRENCY, 5)
        async with client(app, authority.client(SHOP)) as caller:
            await caller.deposit("anna", CURRENCY, 5)
        async with client(app, authority.client(), secret.token("backend", "other")) as caller:
            await caller.deposit("anna", CURRENCY, 5)


def presented(app: App, authority: Authority, client_files: tuple[Path, Path]) -> int:
    """The serial number of the certificate that the server shows."""
    context = ssl.create_default_context(cafile=str(authority.file))
    context.load_cert_chain(*client_files)
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection(("127.0.0.1", app.port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secured,
    ):
        shown = secured.getpeercert(binary_form=True)
    assert shown is not None
    return x509.load_der_x509_certificate(shown).serial_number


async def test_renewed_certificates_are_shown_without_a_restart(app: App, authority: Authority) -> None:
    files = authority.client_files(SHOP)
    first = await asyncio.to_thread(presented, app, authority, files)
    async with client(app, authority.client(SHOP)) as long_since_connected:
        await long_since_connected.get_server_info()
        authority.server()
        second = await asyncio.to_thread(presented, app, authority, files)
        assert second != first
        await long_since_connected.get_server_info()
    async with client(app, authority.client(SHOP)) as caller:
        await caller.get_server_info()


async def test_half_renewed_certificates_are_not_taken(
    app: App, authority: Authority, tmp_path: Path
) -> None:
    files = authority.client_files(SHOP)
    before = await asyncio.to_thread(presented, app, authority, files)
    kept = (tmp_path / "server.key").read_bytes()
    cert, key = authority.server("next")
    with capture_logs() as entries:
        (tmp_path / "server.crt").write_bytes(cert.read_bytes())
        assert await asyncio.to_thread(presented, app, authority, files) == before
        (tmp_path / "server.key").unlink()
        assert await asyncio.to_thread(presented, app, authority, files) == before
    assert [entry["event"] for entry in entries] == ["certificates_kept"] * 2
    assert "is not the key of the first certificate" in entries[0]["why"]
    assert kept.decode()[40:80] not in str(entries)
    (tmp_path / "server.key").write_bytes(key.read_bytes())
    assert await asyncio.to_thread(presented, app, authority, files) != before


async def test_the_load_harness_plays_by_tls_and_token(tmp_path: Path, authority: Authority) -> None:
    cert, key = authority.server()
    secret = Secret(tmp_path)
    settings: dict[str, Any] = {
        "tls_cert": str(cert),
        "tls_key": str(key),
        "jwt_secret_file": str(secret.file),
    }
    async with running(tmp_path, **settings) as app:
        plan = Plan(
            target=f"localhost:{app.port}",
            tables=2,
            seconds=1,
            credentials=authority.anonymous(),
            token=secret.token("backend", "load"),
        )
        report = await run(plan)
    assert not report.wrong
    assert report.acts > 0
