"""Getting in to NATS: passwords, tokens, credentials files and TLS; no secret is logged, or sent in the clear."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.support.credentials import Authority
from tests.support.nats import NatsServer, nats_server
from tests.support.nkeys import guarded

from croupier.adapters.nats import NatsBus, Server
from croupier.adapters.nats.server import ServerUnusable

PASSWORD = "s3cr/t:@ p\u00e4ss"
QUOTED = "s3cr%2Ft%3A%40%20p%C3%A4ss"


async def gets_in(url: str, credentials_file: Path | str = "") -> bool:
    """Whether a bus connects, and tells no secret."""
    with capture_logs() as logs:
        bus = NatsBus(Server(url, str(credentials_file)), "test", lambda: None)
        came = await bus.start(0.7)
        await bus.close()
    told = json.dumps(logs)
    assert logs
    assert not [secret for secret in ("s3cr", "t0ken", "SUA") if secret in told]
    return came


def url(nats: NatsServer, identity: str, scheme: str = "nats") -> str:
    return f"{scheme}://{identity}@127.0.0.1:{nats.port}"


async def test_a_name_and_its_password() -> None:
    with nats_server(f'authorization {{ user: croupier, password: "{PASSWORD}" }}') as nats:
        assert await gets_in(url(nats, f"croupier:{QUOTED}"))
        assert not await gets_in(url(nats, f"croupier:{QUOTED}x"))
        assert not await gets_in(nats.url)


async def test_a_token() -> None:
    with nats_server("authorization { token: t0ken }") as nats:
        assert await gets_in(url(nats, "t0ken"))
        assert not await gets_in(url(nats, "t0ke"))


async def test_a_credentials_file(tmp_path: Path) -> None:
    configuration, file = guarded(tmp_path)
    with nats_server(configuration) as nats:
        assert await gets_in(nats.url, file)
        assert not await gets_in(nats.url)
        for damaged in (file.read_text().replace("USER NKEY SEED", "SEED"), "", "x" * 100):
            (tmp_path / "damaged").write_text(damaged)
            assert not await gets_in(nats.url, tmp_path / "damaged")
        assert not await gets_in(nats.url, tmp_path / "missing")


async def test_a_file_that_is_mended_is_read_again(tmp_path: Path) -> None:
    configuration, file = guarded(tmp_path)
    good = file.read_text()
    file.write_text("")
    with nats_server(configuration) as nats:
        bus = NatsBus(Server(nats.url, str(file)), "test", lambda: None)
        assert not await bus.start(0.3)
        file.write_text(good)
        async with asyncio.timeout(5):
            while not bus.connected:
                await asyncio.sleep(0.01)
        await bus.close()


async def test_tls_by_an_authority_that_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.server()
    with nats_server(f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}') as nats:
        assert not await gets_in(url(nats, "croupier:s3cr", "tls"))
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        assert await gets_in(url(nats, "croupier:s3cr", "tls"))


@pytest.mark.parametrize("identity", ["croupier:s3cr", "t0ken", ""])
async def test_a_server_without_tls_is_told_no_secret_where_tls_is_asked_for(
    identity: str, tmp_path: Path
) -> None:
    """Whoever sits in between could say that the server has none."""
    received: list[bytes] = []

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"nonce": "n", "auth_required": true, "headers": true, "max_payload": 1024}\r\n')
        received.append(await reader.readline())
        writer.write(b"PONG\r\n")
        await reader.read()
        writer.close()

    listening = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    _, file = guarded(tmp_path)
    place = f"tls://{identity}@127.0.0.1:{port}" if identity else f"tls://127.0.0.1:{port}"
    assert not await gets_in(place, "" if identity else file)
    listening.close()
    assert received
    assert not b"".join(received).strip()


@pytest.mark.parametrize(
    "given", ["", "nats", "nats://", "http://a:1", "nats://a:x", "nats://a:0", "nats://a:1,"]
)
def test_what_is_no_bus_is_told(given: str) -> None:
    with pytest.raises(ServerUnusable, match="a bus is nats://HOST:PORT"):
        Server(given)


def test_a_place_has_no_secret() -> None:
    server = Server("tls://croupier:s3cr@one:1, tls://croupier:s3cr@two")
    assert server.place == "tls://one:1,tls://two:4222"
    assert Server("nats://[::1]:5").place == "nats://[::1]:5"
