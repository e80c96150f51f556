"""What a terminal or a pipe cannot be written, in signs that it can: it never ends a command."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Final

INSTEAD: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "→": ">", "…": ".", "±": "~"}
"""Each as wide as what it stands for, so that columns stay; for any other sign stand as many ? as it is wide."""
_NAME: Final = "croupier.instead"


def write_what_can_be() -> None:
    """From now on standard output and standard error take any text."""
    codecs.register_error(_NAME, _instead)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_NAME)


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from rich.cells import cell_len

    text = error.object[error.start : error.end]
    return "".join(INSTEAD.get(sign) or "?" * cell_len(sign) for sign in text), error.end
