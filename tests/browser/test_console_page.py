"""The console in Chromium, on a server under load: it moves, is read by keyboard and ear, and shows no error.

What it looks like is kept in build/console/.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from google.protobuf import json_format
from tests.browser.chromium import Chromium, Page, chromium, found
from tests.browser.looking import PICTURES, WIDE, fits, home, shows
from tests.support.credentials import Secret
from tests.support.live import Backend, Watching, choice, running

from croupier.app import App
from croupier.client.load import Plan, run
from croupier.v1 import hand_pb2

pytestmark = pytest.mark.timeout(240)

NAME: Final = '<img src=x onerror=alert(1)> & "Co" \'s'
PLAYERS: Final = ("anna", "bert.b", "cleo:c", "dora_d", "emil-e", "A" * 64)


@pytest.fixture(autouse=True)
def _with_chromium() -> None:
    found()


@asynccontextmanager
async def playing(backend: Backend, table_id: str, pause: float = 0.15) -> AsyncIterator[None]:
    """Somebody acts at the table until the end of the block."""

    async def play() -> None:
        random = Random(7)
        while True:
            decision = await backend.decision(table_id)
            if decision.player_id:
                await backend.act(table_id, decision, *choice(decision, random))
            await asyncio.sleep(pause)

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def loaded(app: App, seconds: float) -> AsyncIterator[None]:
    """Bots play at some tables meanwhile."""
    plan = Plan(f"127.0.0.1:{app.port}", tables=5, players_per_table=6, seconds=seconds, probes=0)
    load = asyncio.create_task(run(plan))
    try:
        yield
    finally:
        load.cancel()
        with suppress(asyncio.CancelledError):
            await load


async def look_around(page: Page, app: App, table_id: str) -> None:
    """Floor, table and replay, in every size and both schemes."""
    await page.open(home(app))
    await shows(page, ".list tbody a", NAME)
    await shows(page, ".tile dd", "ms")
    await page.until("document.querySelector('.list tbody tr').offsetHeight > 20")
    await asyncio.sleep(6)  # two points make a line
    await page.picture(PICTURES / "floor.png")
    await page.wear("light")
    await page.picture(PICTURES / "floor-light.png")
    await page.resize(360, 780)
    assert await fits(page)
    await page.picture(PICTURES / "floor-narrow.png", whole=True)
    await page.evaluate(f"location.hash = '#/tables/{table_id}'")
    await shows(page, ".felt .seat.acts")
    assert await fits(page)
    await page.picture(PICTURES / "table-narrow.png", whole=True)
    await page.resize(2560, 1440)
    await page.wear("dark")
    await shows(page, ".hands a", "#")
    await page.picture(PICTURES / "table-wall.png")
    await page.resize(*WIDE)
    await page.picture(PICTURES / "table.png")


async def test_it_moves_under_load_and_shows_no_error(tmp_path: Path) -> None:
    """Names are text, whatever they are: a table's may be markup, a player's id may not."""
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
        loaded(app, 60),
    ):
        table_id = await backend.open_table(*PLAYERS, name=NAME)
        page = await browser.page(*WIDE)
        async with playing(backend, table_id):
            await look_around(page, app, table_id)
            before = await page.evaluate("document.querySelector('.log').textContent")
            await page.until(f"document.querySelector('.log').textContent !== {json.dumps(before)}")
            await shows(page, "h1", NAME)
        assert await page.evaluate("document.querySelectorAll('.title img, .list img').length") == 0
        assert page.wrong == []
        assert {url.split("/")[2] for url in page.requests if not url.startswith("about:")} == {
            f"127.0.0.1:{app.http_port}"
        }


async def test_a_finished_hand_is_replayed_by_keyboard(tmp_path: Path) -> None:
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table("anna", "bert")
        decision = await backend.dealt(table_id)
        while decision.hand_id.endswith("/1"):
            decision = await backend.check_or_call(table_id, decision)
            decision = await backend.dealt(table_id)
        record = await backend.get_hand(f"{table_id}/1")
        page = await browser.page(*WIDE)
        await page.open(f"{home(app)}#/tables/{table_id}/hands/1")
        await shows(page, ".now", "Before the first card")
        for key, now in (("ArrowRight", "Hand 1 begins"), ("ArrowLeft", "Before the first card")):
            await page.press(key)
            await shows(page, ".now", now)
        await page.press(" ")
        await shows(page, ".now", "posts small 1")
        await page.press(" ")
        await page.press("End")
        await shows(page, ".total", "paid out")
        stacks = await page.evaluate(
            "[...document.querySelectorAll('.seat .stack')].map(one => Number(one.textContent))"
        )
        assert stacks == [seat.starting_stack + seat.net for seat in record.seats]
        assert await page.evaluate("document.querySelectorAll('.board .card:not(.slot)').length") == 5
        assert {("button", "Step back"), ("slider", "Step")} <= await page.names()
        await page.picture(PICTURES / "replay.png")
        assert page.wrong == []


async def test_it_is_read_by_ear_and_walked_by_keyboard(tmp_path: Path) -> None:
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table("anna", "bert", name="Back room")
        decision = await backend.dealt(table_id)
        page = await browser.page(*WIDE)
        await page.open(home(app))
        await shows(page, ".list tbody a", "Back room")
        names = await page.names()
        assert {("heading", "Tables"), ("link", "Back room"), ("columnheader", "Stakes")} <= names
        for _ in range(30):
            await page.press("Tab")
            if await page.evaluate("document.activeElement.textContent") == "Back room":
                break
        await page.press("Enter")
        await shows(page, ".felt .seat.acts", decision.player_id)
        names = await page.names()
        assert ("listitem", "Seat 3, free") in names
        small = f"Seat {decision.seat_number}, {decision.player_id}, 99 behind, bet 1, to act"
        assert ("listitem", small) in names
        assert ("image", f"The button is at seat {decision.seat_number}") in names
        assert page.wrong == []


async def test_whoever_has_no_token_is_asked_for_it(tmp_path: Path) -> None:
    secret = Secret(tmp_path)
    async with (
        running(tmp_path, console=True, jwt_secret_file=str(secret.file)) as app,
        chromium() as browser,
    ):
        page = await browser.page(800, 600)
        await page.open(home(app))
        await shows(page, "label", "Token")
        await page.picture(PICTURES / "login.png")
        token = secret.token("observer", "olga")
        await page.write(token)
        await page.press("Enter")
        await shows(page, ".none", "No table is open")
        assert await page.evaluate("document.cookie") == ""
        assert not [url for url in page.requests if token in url]
        await page.evaluate("document.querySelector('form button').click()")
        await shows(page, "label", "Token")
        assert page.wrong == []


async def drawn(page: Page, batches: Sequence[Any]) -> Any:
    """What state.js makes of a table's messages: chips, bets, board and pots."""
    return await page.evaluate(
        f"""import('/console/static/state.js').then(({{ after, fromTable }}) => {{
          const [first, ...rest] = {json.dumps(batches)};
          let state = fromTable(first.snapshot);
          for (const one of rest) for (const event of one.events?.events ?? []) state = after(state, event);
          return {{
            sequence: state.sequence, board: state.board, pots: state.pots.map((pot) => pot.amount),
            seats: Object.entries(state.seats).map(([at, seat]) => [Number(at), seat.player, seat.stack, seat.bet]),
          }};
        }})"""
    )


@pytest.fixture
async def browser() -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


async def test_what_is_drawn_is_what_the_service_says(tmp_path: Path, browser: Chromium) -> None:
    """R-P1, R-P6: stacks, bets, board, pots and side pots after each of many actions, from events alone."""
    async with running(tmp_path, console=True) as app, Backend(f"127.0.0.1:{app.port}") as backend:
        page = await browser.page()
        random = Random(11)
        sides = 0
        for number in range(40):
            if sides > 4:
                break
            table_id = await backend.open_table()
            if not number:
                await page.open(home(app))
                await shows(page, ".list tbody a")
            await backend.pause_table(table_id)
            for seat in range(1, 6):
                await backend.sit(table_id, f"{number}.{seat}", seat, amount=20 + 36 * (seat - 1))
            await backend.resume_table(table_id)
            watching = backend.watching(table_id)
            for _ in range(24):
                decision = await backend.decision(table_id)
                if not decision.player_id:
                    break
                all_in = random.random() < 0.2 and decision.legal_actions.all_in_to
                does = (hand_pb2.ACTION_KIND_ALL_IN, 0) if all_in else choice(decision, random)
                await backend.act(table_id, decision, *does)
                sides += await compared(page, backend, watching, table_id)
            await watching.cancel()
        assert sides > 4, "hardly a side pot was ever made"


async def compared(page: Page, backend: Backend, watching: Watching, table_id: str) -> bool:
    """Fails unless the page draws the table as it stands; whether it has side pots."""
    table = await backend.get_table(table_id)
    await watching.reach(table.sequence)
    told = await drawn(page, [json_format.MessageToDict(one) for one in watching.messages])
    bets = {seat.seat_number: seat.street_bet for seat in table.hand.seats}
    assert told["sequence"] == table.sequence
    assert told["board"] == list(table.hand.board) or not table.hand.hand_id
    assert told["pots"] == [pot.amount for pot in table.hand.pots]
    assert told["seats"] == [
        [seat.seat_number, seat.player_id, seat.stack, bets.get(seat.seat_number, 0)] for seat in table.seats
    ]
    return len(table.hand.pots) > 1
