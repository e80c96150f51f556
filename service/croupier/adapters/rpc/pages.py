"""Lists in pages: how many entries a page has, and tokens that say where the next one begins.

A token is opaque, and good for the filter that it was issued for alone.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Final

from croupier.adapters.rpc import checks
from croupier.room.failures import Refusal

_DEFAULT: Final = 100
_LARGEST: Final = 1000


def size(page_size: int) -> int:
    """How many entries are asked for; 0 is the default."""
    return checks.number("page_size", page_size or _DEFAULT, 1, _LARGEST)


def token(place: Sequence[int | str], filters: Sequence[str]) -> str:
    """The token of the page that begins after `place`."""
    parts = (str(len(place)), *(str(part) for part in place), *filters)
    return base64.urlsafe_b64encode("\0".join(parts).encode()).decode()


def place(page_token: str, filters: Sequence[str], length: int) -> list[str] | None:
    """The `length` parts after which the page begins, None for the first page.

    Raises Refusal FIELD_MALFORMED for a token that was not issued here, or for another filter.
    """
    if not page_token:
        return None
    try:
        count, *parts = base64.urlsafe_b64decode(page_token.encode()).decode().split("\0")
    except (binascii.Error, ValueError):
        raise Refusal("FIELD_MALFORMED", field="page_token") from None
    if count != str(length) or parts[length:] != list(filters):
        raise Refusal("FIELD_MALFORMED", field="page_token")
    return parts[:length]


def number(part: str) -> int:
    """A part of a place that is a number. Raises Refusal FIELD_MALFORMED where it is none."""
    if not (part.isascii() and part.isdigit()) or len(part) > 19 or int(part) > checks.INT64_MAX:
        raise Refusal("FIELD_MALFORMED", field="page_token")
    return int(part)
