"""Reading TOML from any bytes, in a time and a depth that the reader of the language does not bound by itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any, Final

MOST_DOTS: Final = 32
"""In one key: tables in tables take the square of their depth in time."""
_PART: Final = r"""(?:"[^"\n]*+"|'[^'\n]*+'|[\w-]++)[ \t]*+\.[ \t]*+"""
_DEEP_KEY: Final = re.compile(rf"(?<![\w-])(?:{_PART}){{{MOST_DOTS + 1}}}")


class NoToml(ValueError):
    """Raised for bytes that are no TOML, or none that is read here; the text says what it is instead."""


def loads(data: bytes, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The document. Raises NoToml."""
    try:
        text = data.decode()
        if _DEEP_KEY.search(text):
            raise NoToml(f"is nested too deeply: a key has more than {MOST_DOTS} dots")
        return tomllib.loads(text, parse_float=parse_float)
    except NoToml:
        raise
    except RecursionError:
        raise NoToml("is nested too deeply: lists or tables in one another") from None
    except ValueError as error:
        # Not TOMLDecodeError alone: a number of thousands of digits is a plain ValueError.
        raise NoToml(f"is not TOML: {error}") from None
