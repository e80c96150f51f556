"""What tests of the console ask of its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tests.browser.chromium import Page

from croupier.app import App

PICTURES: Final = Path(__file__).parents[2] / "build" / "console"
WIDE: Final = (1440, 900)


def home(app: App) -> str:
    return f"http://127.0.0.1:{app.http_port}/console"


async def shows(page: Page, selector: str, text: str = "") -> None:
    """Return once something of that kind is there, with the text in it."""
    await page.until(
        f"[...document.querySelectorAll({json.dumps(selector)})]"
        f".some(one => one.textContent.includes({json.dumps(text)}))"
    )


async def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled to sideways."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


async def inside(page: Page, selector: str) -> bool:
    """Whether all that is so is seen whole, with a strip of the page on either side."""
    return bool(
        await page.evaluate(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.getBoundingClientRect())"
            ".every((box) => box.left >= 4 && box.right <= innerWidth - 4)"
        )
    )
