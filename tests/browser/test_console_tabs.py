"""The console in more pages than a browser makes connections: hidden ones hold none, and too many are told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.browser.chromium import Page, chromium, found
from tests.browser.looking import home, shows
from tests.support.live import Backend, running

from croupier.adapters.console import live
from croupier.app import App

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(autouse=True)
def _with_chromium() -> None:
    found()


def streams(app: App) -> int:
    """How many are open."""
    assert app._console is not None
    return app._console._live._streams.total()


async def streams_come_to(app: App, number: int) -> None:
    async with asyncio.timeout(20):
        while streams(app) != number:
            await asyncio.sleep(0.05)


async def test_tabs_that_are_hidden_give_their_streams_back(tmp_path: Path) -> None:
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        tables = [await backend.open_table("anna", "bert") for _ in range(8)]
        profile = await browser.profile()
        tabs: list[Page] = []
        for table_id in tables:
            tab = await browser.page(profile=profile, window=not tabs)
            tabs.append(tab)
            await tab.to_front()
            await tab.open(f"{home(app)}#/tables/{table_id}")
            await shows(tab, ".felt .seat.acts")
            await streams_come_to(app, 1)
        first = tabs[0]
        assert await first.evaluate("document.hidden")
        seen = await first.evaluate("document.querySelector('.felt').textContent")
        for _ in range(3):
            await backend.check_or_call(tables[0], await backend.decision(tables[0]))
        await asyncio.sleep(1)
        assert await first.evaluate("document.querySelector('.felt').textContent") == seen
        await first.to_front()
        await first.until("document.querySelectorAll('.board .card:not(.slot)').length === 3")
        await streams_come_to(app, 1)
        await backend.check_or_call(tables[0], await backend.decision(tables[0]))
        await shows(first, ".log li", "checks")
        assert [tab.wrong for tab in tabs] == [[] for _ in tabs]


async def test_more_windows_than_are_streams_for_a_visitor_are_told(tmp_path: Path) -> None:
    """Of one browser, all seen at once: what they lack is told, and comes when one is closed."""
    async with (
        running(tmp_path, console=True) as app,
        chromium() as browser,
        Backend(f"127.0.0.1:{app.port}") as backend,
    ):
        table_id = await backend.open_table("anna", "bert")
        profile = await browser.profile()
        windows = []
        for _ in range(live.MOST_OF_A_VISITOR):
            windows.append(await browser.page(profile=profile))
            await windows[-1].open(f"{home(app)}#/tables/{table_id}")
            await shows(windows[-1], ".felt .seat.acts")
        for _ in range(2):
            windows.append(await browser.page(profile=profile))
            await windows[-1].open(f"{home(app)}#/tables/{table_id}")
            await shows(windows[-1], ".wait", "too many tables are watched at once")
        await windows[0].evaluate("location.hash = '#/'")
        async with asyncio.timeout(30):
            while not any([await one.evaluate("!!document.querySelector('.felt')") for one in windows[-2:]]):
                await asyncio.sleep(0.1)
        assert [window.wrong for window in windows] == [[] for _ in windows]
