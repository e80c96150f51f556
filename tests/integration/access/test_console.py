"""The console is entered with an observer's token, tells what a watcher is told, and changes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import pytest_asyncio
from google.protobuf import json_format
from tests.support.credentials import Secret
from tests.support.live import Backend, running

from croupier.adapters.console import live
from croupier.app import App
from croupier.v1 import hand_pb2, settlement_service_pb2, table_pb2
from croupier.v1.table_service_pb2 import WatchTableResponse

COOKIE: Final = "croupier_console"
NAME: Final = "<script>alert(1)</script> & co"
DATA: Final = ("about", "floor", "series")


class Told(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def ask(
    app: App, path: str, *, method: str = "GET", token: str = "", body: str = "", **headers: str
) -> Told:
    """What the HTTP port answers; names of headers have _ for -."""
    lines = [f"{method} {path} HTTP/1.0", f"Host: {headers.pop('host', 'localhost')}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token:
        lines.append(f"Cookie: a=b; {COOKIE}={token}")
    if body:
        lines.append(f"Content-Length: {len(body)}")
    reader, writer = await asyncio.open_connection("127.0.0.1", app.http_port)
    writer.write(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
    head, _, rest = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *others = head.decode().split("\r\n")
    told = {name.lower(): value for name, _, value in (line.partition(": ") for line in others)}
    return Told(int(first.split()[1]), told, rest)


class Stream:
    """A table's server-sent events."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def status(self) -> int:
        head = await self._reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1])

    async def next(self) -> WatchTableResponse:
        async with asyncio.timeout(10):
            event = await self._reader.readuntil(b"\n\n")
        data = event[event.index(b"data: ") + 6 :]
        return json_format.Parse(data, WatchTableResponse())


@asynccontextmanager
async def streaming(app: App, table_id: str) -> AsyncIterator[Stream]:
    reader, writer = await asyncio.open_connection("127.0.0.1", app.http_port)
    path = f"/console/data/tables/{table_id}/events"
    writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    stream = Stream(reader, writer)
    try:
        yield stream
    finally:
        await stream.close()


@pytest_asyncio.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    async with running(tmp_path, console=True) as app:
        yield app


@pytest_asyncio.fixture
async def backend(app: App) -> AsyncIterator[Backend]:
    async with Backend(f"127.0.0.1:{app.port}") as backend:
        yield backend


async def test_off_unless_asked_for(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        for path in ("/console", "/console/static/app.js", "/console/data/floor"):
            assert (await ask(app, path)).status == 404


async def test_every_answer_forbids_foreign_and_inline_script(app: App) -> None:
    for path in ("/console", "/console/static/app.js", "/console/data/floor", "/console/nothing"):
        policy = (await ask(app, path)).headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    page = (await ask(app, "/console")).body.decode()
    assert page.count("<script ") == page.count("></script>") == 2
    assert " style=" not in page
    assert "//" not in page.replace("<!doctype html>", "")


async def test_a_file_that_the_browser_has_is_not_sent_again(app: App) -> None:
    first = await ask(app, "/console/static/app.js")
    again = await ask(app, "/console/static/app.js", if_none_match=first.headers["etag"])
    assert (first.status, again.status, again.body) == (200, 304, b"")


@pytest.mark.parametrize(
    "path", ["static/../console.py", "static/", "static/vendor/vendor.json", "data/", "data/x", "x"]
)
async def test_nothing_else_is_there(app: App, path: str) -> None:
    assert (await ask(app, f"/console/{path}")).status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_it_is_for_looking(app: App, method: str) -> None:
    for path in ("/console", "/console/data/floor", "/console/static/app.js"):
        assert (await ask(app, path, method=method)).status == 405


async def test_the_floor_tells_every_table_as_it_stands(app: App, backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert", name=NAME)
    await backend.dealt(table_id)
    (row,) = (await ask(app, "/console/data/floor")).json["tables"]
    assert (row["tableId"], row["options"]["name"], row["takenSeatCount"]) == (table_id, NAME, 2)
    assert (row["pot"], row["street"], row["playing"]) == (3, "STREET_PREFLOP", 2)


async def test_a_stream_tells_what_a_watcher_is_told(app: App, backend: Backend) -> None:
    """R-T14: no hole cards, no legal actions, nothing of a player's own."""
    table_id = await backend.open_table("anna", "bert")
    decision = await backend.dealt(table_id)
    async with streaming(app, table_id) as stream:
        assert await stream.status() == 200
        snapshot = (await stream.next()).snapshot
        expected = await backend.get_table(table_id)
        for one in (snapshot, expected):
            one.next_decision.ClearField("time_remaining")
        assert snapshot == expected
        assert not snapshot.HasField("own")
        assert not snapshot.next_decision.HasField("legal_actions")
        await backend.check_or_call(table_id, decision)
        assert (await stream.next()).events.events[0].HasField("called")


async def test_too_much_at_once_comes_as_the_table_stands(
    app: App, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_EVENTS", 0)
    table_id = await backend.open_table("anna", "bert")
    decision = await backend.dealt(table_id)
    async with streaming(app, table_id) as stream:
        await stream.status()
        before = (await stream.next()).snapshot
        await backend.check_or_call(table_id, decision)
        assert (await stream.next()).snapshot.sequence > before.sequence


async def test_streams_are_counted_and_given_back(
    app: App, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_STREAMS", 1)
    table_id = await backend.open_table("anna", "bert")

    async def status() -> int:
        async with streaming(app, table_id) as stream:
            return await stream.status()

    async with streaming(app, table_id) as one:
        assert await one.status() == 200
        assert await status() == 429
    async with asyncio.timeout(10):
        while await status() != 200:
            await asyncio.sleep(0.05)


async def test_a_settled_hand_is_told_as_get_hand_tells_it(app: App, backend: Backend) -> None:
    table_id = await backend.open_table("anna", "bert")
    await backend.act(table_id, await backend.dealt(table_id), hand_pb2.ACTION_KIND_FOLD)
    async with asyncio.timeout(10):  # a list tells of hands a moment later
        while not (page := await ask(app, f"/console/data/tables/{table_id}/hands")).json:
            await asyncio.sleep(0.05)
    listed = json_format.ParseDict(page.json, settlement_service_pb2.ListHandsResponse())
    assert [hand.hand_number for hand in listed.hands] == [1]
    one = await ask(app, f"/console/data/tables/{table_id}/hands/1")
    told = json_format.ParseDict(one.json, settlement_service_pb2.GetHandResponse()).hand
    assert told == await backend.get_hand(f"{table_id}/1")
    assert not any(seat.hole_cards for seat in told.seats)


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("tables/nothing/events", 404, "TABLE_UNKNOWN"),
        ("tables/nothing/hands/1", 404, "HAND_UNKNOWN"),
        ("tables/nothing/hands/x", 404, "HAND_UNKNOWN"),
        ("floor?token=x", 400, "FIELD_MALFORMED"),
        ("floor?" + "a=b&" * 9, 400, "MESSAGE_MALFORMED"),
    ],
)
async def test_refusals_are_told_by_their_reason(app: App, path: str, status: int, reason: str) -> None:
    told = await ask(app, f"/console/data/{path}")
    assert (told.status, told.json["reason"]) == (status, reason)


@pytest.mark.parametrize("host", ["evil.example", "10.0.0.1", "", "[", "localhost.evil.example"])
async def test_without_credentials_no_other_name_leads_there(app: App, host: str) -> None:
    """A foreign page whose name was made to mean 127.0.0.1 reads nothing."""
    for path in ("/console", "/console/data/floor"):
        assert (await ask(app, path, host=host)).status == 403
    assert (await ask(app, "/console", host="127.0.0.1:9464")).status == 200
    assert (await ask(app, "/console", host="[::1]:9464")).status == 200


# with credentials


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


@pytest.mark.parametrize("role", ["observer", "operator", "auditor", "backend"])
async def test_whoever_looks_after_the_service_is_let_in(guarded: App, secret: Secret, role: str) -> None:
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
    for kind in ("player", "forged", "expired"):
        assert (await ask(guarded, "/console/data/floor", token=wrong[kind])).status in (401, 403)
        assert (await ask(guarded, "/console", token=wrong[kind])).status == 303


async def test_a_token_in_an_address_counts_for_nothing(guarded: App, secret: Secret) -> None:
    token = secret.token("observer", "olga")
    for name in (f"floor?token={token}", f"floor?{COOKIE}={token}"):
        assert (await ask(guarded, f"/console/data/{name}")).status == 401
    assert (await ask(guarded, f"/console/login?token={token}", method="POST")).status == 403


async def test_another_site_cannot_post_the_form(guarded: App, secret: Secret) -> None:
    token = secret.token("observer", "olga")
    told = await ask(
        guarded, "/console/login", method="POST", body=f"token={token}", sec_fetch_site="cross-site"
    )
    assert (told.status, "set-cookie" in told.headers) == (403, False)


async def test_a_backend_of_some_houses_sees_those_alone(guarded: App, secret: Secret) -> None:
    elsewhere = secret.token("backend", "else", houses=["nowhere"])
    async with Backend(f"127.0.0.1:{guarded.port}", token=secret.token("backend", "shop")) as backend:
        table_id = await backend.open_table("anna", "bert")
    assert (await ask(guarded, "/console/data/floor", token=elsewhere)).json["tables"] == []
    for name in (f"tables/{table_id}/events", f"tables/{table_id}/hands"):
        assert (await ask(guarded, f"/console/data/{name}", token=elsewhere)).status == 404
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
    assert told.body.endswith(b'event: refused\ndata: {"reason":"CREDENTIALS_EXPIRED"}\n\n')
