"""The console's files: read once, and served under the names they have."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from croupier.adapters.console.answers import HTML, Answer
from croupier.adapters.console.visitors import header
from croupier.adapters.http import Scope

_FOLDER: Final = Path(__file__).with_name("static")
_TYPES: Final = {
    ".css": b"text/css; charset=utf-8",
    ".html": HTML,
    ".js": b"text/javascript; charset=utf-8",
    ".mjs": b"text/javascript; charset=utf-8",
    ".svg": b"image/svg+xml",
}
NOT_FOUND: Final = Answer(404, body=b"there is no such page\n")
_MESSAGE: Final = b"<!-- message -->"


class Assets:
    """Whatever lies in static/ and has a type."""

    def __init__(self) -> None:
        self._files = {
            str(path.relative_to(_FOLDER)): (
                path.read_bytes(),
                f'"{sha256(path.read_bytes()).hexdigest()[:24]}"'.encode(),
            )
            for path in sorted(_FOLDER.rglob("*"))
            if path.suffix in _TYPES
        }

    def file(self, name: str, scope: Scope) -> Answer:
        """The file of that name, unless the browser has it."""
        if name not in self._files:
            return NOT_FOUND
        content, tag = self._files[name]
        headers = ((b"etag", tag), (b"cache-control", b"no-cache"))
        if header(scope, b"if-none-match").encode() == tag:
            return Answer(304, _TYPES[Path(name).suffix], headers=headers)
        return Answer(200, _TYPES[Path(name).suffix], content, headers)

    def page(self, name: str, message: str = "", status: int = 200) -> Answer:
        """A page; `message` is put where it has a place for one, and is markup of ours."""
        content = self._files[name][0].replace(_MESSAGE, message.encode())
        return Answer(status, HTML, content)
