"""The console tells what a watcher is told, and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
import pytest_asyncio
from google.protobuf import json_format
from tests.support.console_asking import ask, streaming
from tests.support.live import Backend, running

from croupier.adapters.console import floor, live
from croupier.app import App
from croupier.v1 import hand_pb2, settlement_service_pb2

NAME: Final = "<script>alert(1)</script> & co"


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
    monkeypatch.setattr(live, "MOST_OF_A_VISITOR", 1)
    table_id = await backend.open_table("anna", "bert")
    address = f"/console/data/tables/{table_id}/events"
    async with streaming(app, table_id) as one:
        await one.status()
        await one.next()
        assert b'"TOO_MANY_STREAMS"' in (await ask(app, address)).body
    async with asyncio.timeout(10):
        while True:
            async with streaming(app, table_id) as again:
                await again.status()
                with suppress(AssertionError):
                    assert (await again.next()).HasField("snapshot")
                    break
            await asyncio.sleep(0.05)


async def test_a_search_looks_at_all_tables_and_not_at_a_page(
    app: App, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Name, id, house, game, structure and state count, in any order; upper case and hyphens do not."""
    monkeypatch.setattr(floor, "PAGE", 1)
    first, second = [await backend.open_table(name=f"Back-Room {which}") for which in ("North", "South")]
    await backend.pause_table(second)

    async def found(wanted: str) -> tuple[int, list[str]]:
        told = (await ask(app, f"/console/data/floor?find={quote(wanted)}")).json
        return told["found"], [row["tableId"] for row in told["tables"]]

    (row,) = (await ask(app, "/console/data/floor")).json["tables"]
    assert row["tableId"] == first
    assert await found("back room") == (2, [first])
    for wanted in (second, "ROOM south", "paused hold'em", "hold\u2019em back-room south", "no limit paused"):
        assert await found(wanted) == (1, [second])
    assert await found("back room east") == (0, [])


async def test_a_refused_stream_says_why_where_the_page_can_read_it(app: App) -> None:
    """An EventSource tells its page nothing of a status, and everything else of an event."""
    told = await ask(app, "/console/data/tables/nothing/events")
    assert (told.status, told.headers["content-type"]) == (200, "text/event-stream")
    async with streaming(app, "nothing") as stream:
        await stream.status()
        refusal = await stream.refusal()
    assert (refusal["reason"], refusal["status"]) == ("TABLE_UNKNOWN", 404)


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
        ("tables/nothing/hands/1", 404, "HAND_UNKNOWN"),
        ("tables/nothing/hands/x", 404, "HAND_UNKNOWN"),
        ("floor?token=x", 400, "FIELD_MALFORMED"),
        ("floor?find=" + "a" * 65, 400, "FIELD_TOO_LONG"),
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
