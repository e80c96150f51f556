"""Debian's Chromium without a window, driven over its DevTools protocol through pipes: nothing else is installed."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from tests.support.require import require

PATIENCE: Final = 30.0
_ARGUMENTS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_BEGIN: Final = """
import os, sys
read, write = os.dup(int(sys.argv[1])), os.dup(int(sys.argv[2]))
os.dup2(read, 3)
os.dup2(write, 4)
for one in (3, 4):
    os.set_inheritable(one, True)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads from descriptor 3 and writes to 4."""
_FAILURES: Final = ("error", "assert")


def found() -> str:
    """Where Chromium is; without one the test is given up."""
    program = shutil.which("chromium")
    return program or require("chromium", "there is no chromium; apt-get install chromium")


class Chromium:
    """A running browser."""

    def __init__(self, reader: asyncio.StreamReader, writing: int) -> None:
        self._reader = reader
        self._writing = writing
        self._number = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._pages: dict[str, Page] = {}
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                told = json.loads((await self._reader.readuntil(b"\0"))[:-1])
                if "id" in told:
                    answer = self._answers.pop(told["id"])
                    if not answer.done():
                        answer.set_result(told)
                elif (page := self._pages.get(told.get("sessionId", ""))) is not None:
                    page.hear(told["method"], told["params"])

    async def ask(self, method: str, page: str = "", **parameters: Any) -> Any:
        """Call a method of the protocol."""
        self._number += 1
        number = self._number
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": parameters}
        if page:
            message["sessionId"] = page
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        async with asyncio.timeout(PATIENCE):
            told = await answer
        assert "error" not in told, (method, told["error"])
        return told["result"]

    async def profile(self) -> str:
        """A new profile: pages in one share its connections."""
        made: str = (await self.ask("Target.createBrowserContext"))["browserContextId"]
        return made

    async def page(
        self,
        width: int = 1280,
        height: int = 800,
        *,
        dark: bool = True,
        profile: str = "",
        window: bool = True,
    ) -> Page:
        """A new page of that size, in a profile of its own or in one that is given; without `window` a tab of one."""
        profile = profile or await self.profile()
        target = await self.ask(
            "Target.createTarget", url="about:blank", browserContextId=profile, newWindow=window
        )
        attached = await self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        name: str = attached["sessionId"]
        page = self._pages[name] = Page(self, name, target["targetId"])
        for domain in ("Page", "Runtime", "Log", "Accessibility", "Network"):
            await page.ask(f"{domain}.enable")
        await page.resize(width, height)
        await page.wear("dark" if dark else "light")
        return page

    async def close(self) -> None:
        with suppress(TimeoutError):
            await self.ask("Browser.close")
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


class Page:
    """A tab. `wrong` is what its console showed as an error, and what was thrown or refused in it."""

    def __init__(self, browser: Chromium, name: str, target: str) -> None:
        self._browser = browser
        self._name = name
        self._target = target
        self.wrong: list[str] = []
        self.requests: list[str] = []

    def hear(self, method: str, told: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.wrong.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and told["type"] in _FAILURES:
            self.wrong.append(str([one.get("value", one.get("description")) for one in told["args"]]))
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.wrong.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    async def ask(self, method: str, **parameters: Any) -> Any:
        return await self._browser.ask(method, self._name, **parameters)

    async def open(self, url: str) -> None:
        await self.ask("Page.navigate", url=url)

    async def to_front(self) -> None:
        """Show this tab, and hide the others of its window."""
        await self._browser.ask("Target.activateTarget", targetId=self._target)

    async def resize(self, width: int, height: int) -> None:
        await self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 700,
        )

    async def wear(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        await self.ask("Emulation.setEmulatedMedia", features=features)

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression, which may be a promise."""
        told = await self.ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def until(self, expression: str) -> Any:
        """The value of an expression once it is true. Raises TimeoutError where it does not come to that."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(AssertionError):
                    if (value := await self.evaluate(expression)) not in (None, False, 0, ""):
                        return value
                await asyncio.sleep(0.05)

    async def press(self, key: str, *, shift: bool = False) -> None:
        codes = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}
        told = {"key": key, "code": {" ": "Space"}.get(key, key), "windowsVirtualKeyCode": codes[key]}
        if key == "Enter":
            told["text"] = "\r"
        for kind in ("keyDown", "keyUp"):
            await self.ask("Input.dispatchKeyEvent", type=kind, modifiers=8 if shift else 0, **told)

    async def write(self, text: str) -> None:
        await self.ask("Input.insertText", text=text)

    async def names(self) -> set[tuple[str, str]]:
        """Role and name of everything that a screen reader finds."""
        tree = await self.ask("Accessibility.getFullAXTree")
        return {
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in tree["nodes"]
            if not node["ignored"]
        }

    async def picture(self, path: Path, *, whole: bool = False) -> None:
        """Keep what it looks like; `whole` with what has to be scrolled to."""
        told = await self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(told["data"]))


@asynccontextmanager
async def chromium() -> AsyncIterator[Chromium]:
    """A browser for as long as it is needed."""
    program = found()
    (to_read, to_write), (from_read, from_write) = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _BEGIN, str(to_read), str(from_write)),
            *(program, *_ARGUMENTS, f"--user-data-dir={profile}"),
            pass_fds=(to_read, from_write),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        reader = asyncio.StreamReader(limit=2**27)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(from_read, "rb")
        )
        browser = Chromium(reader, to_write)
        try:
            yield browser
        finally:
            await browser.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()
            transport.close()
            os.close(to_write)
