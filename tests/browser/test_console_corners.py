"""The console in Chromium where little room is, or nothing to see: it says what is the matter, and shows no error."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.browser.chromium import chromium, found
from tests.browser.looking import PICTURES, WIDE, fits, home, inside, shows
from tests.support.live import Backend, running

from croupier.adapters.console import floor, live
from croupier.adapters.rpc.hand_servicer import HandServicer
from croupier.room.failures import Refusal
from croupier.v1 import house_pb2
from croupier.v1 import settlement_service_pb2 as settlement

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(autouse=True)
def _with_chromium() -> None:
    found()


async def test_a_full_table_fits_a_narrow_screen(tmp_path: Path) -> None:
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        players = [f"{letter * 12}" for letter in "abcdefghi"]
        table_id = await backend.open_table(*players, seat_count=9)
        decision = await backend.dealt(table_id)
        page = await browser.page(360, 780)
        await page.open(f"{home(app)}#/tables/{table_id}")
        await shows(page, ".felt .seat.acts")
        assert await fits(page)
        assert await inside(page, ".seat .plate")
        while decision.hand_id.endswith("/1"):
            decision = await backend.check_or_call(table_id, decision)
            decision = await backend.dealt(table_id)
        await page.evaluate(f"location.hash = '#/tables/{table_id}/hands/1'")
        await shows(page, ".now", "Before the first card")
        await page.press("End")
        await shows(page, ".total", "paid out")
        assert await fits(page)
        assert await inside(page, ".seat .plate, .seat .badge, .seat .made")
        await page.picture(PICTURES / "replay-narrow.png", whole=True)
        assert page.wrong == []


async def test_a_table_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    """Whatever stands in the address: once, without an error, and not again and again."""
    async with running(tmp_path, console=True) as app, chromium() as browser:
        page = await browser.page(*WIDE)
        await page.open(home(app))
        for name in ("foo", "%E0%A4%A", "%00", "a" * 100):
            await page.evaluate(f"location.hash = '#/tables/{name}'")
            await shows(page, ".wait", "There is no such table.")
            await page.evaluate("location.hash = '#/'")
            await shows(page, ".none", "No table is open")
        await page.evaluate("location.hash = '#/tables/foo'")
        await shows(page, ".wait", "There is no such table.")
        asked = len([url for url in page.requests if url.endswith("/events")])
        await asyncio.sleep(6)
        assert len([url for url in page.requests if url.endswith("/events")]) == asked
        assert page.wrong == []


async def test_hands_are_said_to_be_none_only_once_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the answer takes, and where the first is a refusal."""
    asked = 0
    list_hands = HandServicer.list_hands

    async def at_length(self: HandServicer, *given: Any) -> settlement.ListHandsResponse:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.5)
        if asked == 1:
            raise Refusal("RATE_EXCEEDED")
        return await list_hands(self, *given)

    monkeypatch.setattr(HandServicer, "list_hands", at_length)
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        played, fresh = [await backend.open_table("anna", "bert") for _ in range(2)]
        decision = await backend.dealt(played)
        while decision.hand_id.endswith("/1"):
            decision = await backend.check_or_call(played, decision)
            decision = await backend.dealt(played)
        page = await browser.page(*WIDE)
        await page.open(home(app))
        await shows(page, ".list tbody a")
        await page.evaluate(
            "new MutationObserver(() => window.told = (window.told ?? '')"
            " + (document.querySelector('.hands')?.textContent ?? ''))"
            ".observe(document.body, { childList: true, characterData: true, subtree: true })"
        )
        await page.evaluate(f"location.hash = '#/tables/{played}'")
        await shows(page, ".hands", "Looking in…")
        await shows(page, ".hands a", "#1")
        assert "None yet." not in await page.evaluate("window.told")
        await page.evaluate(f"location.hash = '#/tables/{fresh}'")
        await shows(page, ".hands", "None yet.")


async def test_whoever_is_refused_a_stream_reads_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_OF_A_VISITOR", 0)
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table("anna", "bert")
        page = await browser.page(*WIDE)
        await page.open(f"{home(app)}#/tables/{table_id}")
        await shows(page, ".wait", "too many tables are watched at once")
        monkeypatch.undo()
        await shows(page, ".felt")
        assert page.wrong == []


async def test_the_floor_finds_tables_of_other_pages_and_tells_what_is_bet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-B4, R-B10: a bet's span where nobody posts a blind."""
    monkeypatch.setattr(floor, "PAGE", 2)
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        for number in range(2):
            await backend.open_table(name=f"Room {number}")
        spread, limitless = house_pb2.BET_STRUCTURE_SPREAD_LIMIT, house_pb2.BET_STRUCTURE_NO_LIMIT
        await backend.create_table("five_aces", spread, 1, 6, name="Aces")
        holdem = house_pb2.GAME_HOLDEM
        await backend.create_table("poker_ocean", limitless, 2, 6, name="Ocean", game=holdem)
        page = await browser.page(*WIDE)
        await page.open(home(app))
        await shows(page, ".list tbody", "Room 1")
        await page.evaluate("document.querySelector('.find input').focus()")
        await page.write("a")
        await shows(page, ".tables", "The oldest 2 of ")
        await page.write("ces")
        await shows(page, ".list tbody", "bets 1\u201350 gp")
        await page.evaluate("document.querySelector('.find input').select()")
        await page.write("ocean")
        await shows(page, ".list tbody", "1 / 2 USD, smallest unit")
        await page.evaluate("document.querySelector('.find input').select()")
        await page.write("nowhere")
        await shows(page, ".none", "No table is called that.")
        assert page.wrong == []
