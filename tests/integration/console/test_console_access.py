"""The console is entered with a token, which no script and no address ever has."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from tests.support.console_asking import COOKIE, ask, streaming
from tests.support.credentials import Secret
from tests.support.live import Backend, running

from croupier.adapters.console import live
from croupier.app import App
from croupier.v1 import table_pb2

DATA: Final = ("about", "floor", "series")


@pytest_asyncio.fixture
async def secret(tmp_path: Path) -> Secret:
    return Secret(tmp_path)


@pytest_asyncio.fixture
async def guarded(tmp_path: Path, secret: Secret) -> AsyncIterator[App]:
    async with running(tmp_path, console=True, jwt_secret_file=str(secret.file)) as app:
        yield app


async def test_without_a_token_there_is_the_form_alone(guarded: App) -> None:
    told = await ask(guarded, "/console")
    assert (told.status, told.headers["location"]) == (303, "/console/login")
    assert b"<form" in (await ask(guarded, "/console/login")).body
    for name in (*DATA, "tables/x/events", "tables/x/hands", "tables/x/hands/1"):
        refused = await ask(guarded, f"/console/data/{name}")
        assert (refused.status, refused.json["reason"]) == (401, "CREDENTIALS_MISSING")
    for page in ("/metrics", "/healthz", "/readyz"):
        assert (await ask(guarded, page)).status == 200


async def test_the_form_gives_a_cookie_that_no_script_reads(guarded: App, secret: Secret) -> None:
    token = secret.token("observer", "olga", seconds=60)
    told = await ask(guarded, "/console/login", method="POST", body=f"token={token}")
    assert (told.status, told.headers["location"]) == (303, "/console")
    cookie, *kept = told.headers["set-cookie"].split("; ")
    assert cookie == f"{COOKIE}={token}"
    assert {"Path=/console", "HttpOnly", "SameSite=Strict"} <= set(kept)
    assert 0 < int(next(one for one in kept if one.startswith("Max-Age=")).partition("=")[2]) <= 66
    for name in DATA:
        assert (await ask(guarded, f"/console/data/{name}", token=token)).status == 200
    out = await ask(guarded, "/console/logout", method="POST", token=token)
    assert f"{COOKIE}=; " in out.headers["set-cookie"]
    assert "Max-Age=0" in out.headers["set-cookie"]


@pytest.mark.parametrize(
    ("scheme", "secure"),
    [("https", True), ("HTTPS, http", True), ("http", False), ("http, https", False), ("", False)],
)
async def test_behind_tls_the_cookie_stays_there_whatever_the_proxys_address(
    guarded: App, secret: Secret, scheme: str, secure: bool
) -> None:
    token = secret.token("observer", "olga")
    for page in ("login", "logout"):
        told = await ask(
            guarded,
            f"/console/{page}",
            method="POST",
            body=f"token={token}",
            source="127.0.0.2",
            x_forwarded_proto=scheme,
        )
        assert ("Secure" in told.headers["set-cookie"].split("; ")) == secure


@pytest.mark.parametrize("role", ["observer", "operator", "auditor", "backend"])
async def test_whoever_looks_after_the_service_is_let_in(guarded: App, secret: Secret, role: str) -> None:
    assert role in (await ask(guarded, "/console/login")).body.decode()
    told = await ask(guarded, "/console/data/about", token=secret.token(role, "olga"))
    assert told.json["caller"] == {"id": f"{role}/olga", "role": role, "known": True}


async def test_players_and_wrong_tokens_are_not(guarded: App, secret: Secret, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    wrong = {
        "player": secret.token("player", "anna"),
        "forged": Secret(tmp_path / "other").token("observer", "olga"),
        "expired": secret.token("observer", "olga", seconds=-60),
        "none": "x",
        "long": "x" * 5000,
    }
    for token in wrong.values():
        told = await ask(guarded, "/console/login", method="POST", body=f"token={token}")
        assert (told.status, "set-cookie" in told.headers) == (403, False)
        assert token.encode() not in told.body or len(token) == 1
        assert (b"That token is a player" in told.body) == (token == wrong["player"])
    for kind in ("player", "forged", "expired"):
        assert (await ask(guarded, "/console/data/floor", token=wrong[kind])).status in (401, 403)
        assert (await ask(guarded, "/console", token=wrong[kind])).status == 303


async def test_a_token_in_an_address_counts_for_nothing(guarded: App, secret: Secret) -> None:
    token = secret.token("observer", "olga")
    for name in (f"floor?token={token}", f"floor?{COOKIE}={token}"):
        assert (await ask(guarded, f"/console/data/{name}")).status == 401
    assert (await ask(guarded, f"/console/login?token={token}", method="POST")).status == 403


@pytest.mark.parametrize("page", ["login", "logout"])
@pytest.mark.parametrize(
    "sent",
    [
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site", "origin": "http://localhost"},
        {"origin": "http://evil"},
        {"origin": "https://localhost.evil"},
        {"origin": "http://localhost:8000"},
        {"origin": "null"},
        {"origin": "null", "host": ""},
    ],
)
async def test_another_site_cannot_post_the_form(
    guarded: App, secret: Secret, page: str, sent: dict[str, str]
) -> None:
    body = f"token={secret.token('observer', 'olga')}"
    told = await ask(guarded, f"/console/{page}", method="POST", body=body, **sent)
    assert (told.status, "set-cookie" in told.headers) == (403, False)
    assert b"another site" in told.body


@pytest.mark.parametrize("page", ["login", "logout"])
@pytest.mark.parametrize(
    "sent",
    [
        {"origin": "http://localhost"},
        {"origin": "https://Localhost"},
        {"origin": "https://floor.example:8443", "host": "floor.example:8443"},
        {"origin": "http://[::1]:9464", "host": "[::1]:9464"},
        {"origin": "https://floor.example", "sec_fetch_site": "same-origin"},
    ],
)
async def test_its_own_page_posts_the_form_through_a_proxy_too(
    guarded: App, secret: Secret, page: str, sent: dict[str, str]
) -> None:
    body = f"token={secret.token('observer', 'olga')}"
    told = await ask(guarded, f"/console/{page}", method="POST", body=body, **sent)
    assert (told.status, "set-cookie" in told.headers) == (303, True)


async def test_a_backend_of_some_houses_sees_those_alone(guarded: App, secret: Secret) -> None:
    elsewhere = secret.token("backend", "else", houses=["nowhere"])
    async with Backend(f"127.0.0.1:{guarded.port}", token=secret.token("backend", "shop")) as backend:
        table_id = await backend.open_table("anna", "bert")
    assert (await ask(guarded, "/console/data/floor", token=elsewhere)).json["tables"] == []
    assert (await ask(guarded, f"/console/data/tables/{table_id}/hands", token=elsewhere)).status == 404
    async with streaming(guarded, table_id, elsewhere) as stream:
        await stream.status()
        assert (await stream.refusal())["status"] == 404
    found = await ask(guarded, f"/console/data/floor?find={table_id}", token=elsewhere)
    assert found.json["found"] == 0
    assert (await ask(guarded, "/console/data/series", token=elsewhere)).status == 403
    all_houses = secret.token("observer", "olga")
    told = await ask(guarded, "/console/data/floor", token=all_houses)
    assert told.json["tables"][0]["state"] == table_pb2.TableState.Name(table_pb2.TABLE_STATE_OPEN)


async def test_a_stream_ends_with_its_credential(guarded: App, secret: Secret) -> None:
    backend = Backend(f"127.0.0.1:{guarded.port}", token=secret.token("backend", "shop"))
    async with backend:
        table_id = await backend.open_table("anna", "bert")
        token = secret.token("observer", "olga", seconds=-3)  # of the leeway of five seconds two are left
        told = await ask(guarded, f"/console/data/tables/{table_id}/events", token=token)
    assert told.status == 200
    *_, last = told.body.strip().split(b"\n\n")
    assert last.startswith(b'event: refused\ndata: {"reason":"CREDENTIALS_EXPIRED"')


async def test_one_visitor_leaves_streams_to_the_others(
    guarded: App, secret: Secret, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_OF_A_VISITOR", 1)
    monkeypatch.setattr(live, "MOST_STREAMS", 2)
    async with Backend(f"127.0.0.1:{guarded.port}", token=secret.token("backend", "shop")) as backend:
        table_id = await backend.open_table("anna", "bert")
    olga, piet, quin = (secret.token("observer", name) for name in ("olga", "piet", "quin"))
    async with streaming(guarded, table_id, olga) as one, streaming(guarded, table_id, piet) as other:
        for stream in (one, other):
            await stream.status()
            assert (await stream.next()).HasField("snapshot")
        for token, most in ((olga, 1), (quin, 2)):
            async with streaming(guarded, table_id, token) as refused:
                await refused.status()
                told = await refused.refusal()
                assert (told["reason"], told["status"]) == ("TOO_MANY_STREAMS", 429)
                assert f"max_streams={most}" in told["text"]
