"""Texts as the database can hold them: it takes any character but NUL, and our texts come from callers.

A backslash is written twice and NUL as a backslash and 0, so that no two texts become one.
"""

from __future__ import annotations

import re
from typing import Final

_ESCAPED: Final = re.compile(r"\\(.)")


def stored(text: str) -> str:
    """The text as it is kept; a prefix of a text becomes a prefix of what that one becomes."""
    if "\\" not in text and "\0" not in text:
        return text
    return text.replace("\\", "\\\\").replace("\0", "\\0")


def told(text: str) -> str:
    """The text that is kept so."""
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda found: "\0" if found[1] == "0" else found[1], text)
