"""The page that `croupier load --html` writes, in Chromium: it draws, fetches nothing, and shows no error.

What it looks like is kept in build/load/.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from tests.browser.chromium import chromium, found
from tests.support.load_reports import HOSTILE, made_report

from croupier.cli.load_html import page
from croupier.cli.load_objectives import judged, objective_of

PICTURES: Final = Path(__file__).parents[2] / "build" / "load"


@pytest.fixture(autouse=True)
def _with_chromium() -> None:
    found()


@pytest.mark.parametrize(
    ("name", "changes", "charts"),
    [("open", {}, 4), ("closed", {"rate": 0.0}, 4), ("nothing", {"calls": 0}, 0)],
)
async def test_it_draws_and_shows_no_error(
    tmp_path: Path, name: str, changes: dict[str, Any], charts: int
) -> None:
    """What the server and the operator named is text, in both schemes and on a narrow screen."""
    report = made_report(**changes)
    file = tmp_path / "report.html"
    slo = judged([objective_of("p99=50ms"), objective_of("max=1us")], report.of_acts)
    file.write_text(page(report, slo))
    async with chromium() as browser:
        tab = await browser.page(1280, 1000)
        await tab.open(file.as_uri())
        await tab.until("document.readyState === 'complete'")
        assert await tab.evaluate("document.querySelectorAll('.chart canvas').length") == charts
        await tab.picture(PICTURES / f"{name}.png", whole=True)
        await tab.wear("light")
        await tab.picture(PICTURES / f"{name}-light.png", whole=True)
        await tab.resize(390, 800)
        assert await tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        await tab.picture(PICTURES / f"{name}-narrow.png", whole=True)
        assert await tab.evaluate("document.querySelectorAll('img').length") == 0
        assert HOSTILE in await tab.evaluate("document.body.textContent")
        assert tab.wrong == []
        assert [url for url in tab.requests if not url.startswith(("file:", "about:", "data:"))] == []
