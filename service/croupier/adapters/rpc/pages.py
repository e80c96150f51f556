"""Lists in pages: how many entries a page has, and tokens that say where the next one begins.

A token is sealed: opaque, good for the RPC and the filters that it was issued for alone, on every server of the same
store, after a restart too.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from croupier.adapters.rpc import checks
from croupier.numbers import INT64_MAX
from croupier.room.failures import Refusal

_DEFAULT: Final = 100
_LARGEST: Final = 1000
_TAG_BYTES: Final = 16


def size(page_size: int) -> int:
    """How many entries are asked for; 0 is the default."""
    return checks.number("page_size", page_size or _DEFAULT, 1, _LARGEST)


class PageTokens:
    """Those of one store, by its master key. `filters` begin with the RPC's name."""

    def __init__(self, master_key: bytes) -> None:
        self._seal: Final = AESSIV(hmac.digest(master_key, b"page tokens", "sha256"))

    def after(self, place: Sequence[int | str], filters: Sequence[str]) -> str:
        """The token of the page that begins after `place`; the same for the same page."""
        return _spelt(self._seal.encrypt(_joined(place), [_joined(filters)]))

    def place(self, page_token: str, filters: Sequence[str], length: int) -> list[str] | None:
        """The `length` parts after which the page begins, None for the first page.

        Raises Refusal FIELD_MALFORMED for a token that was not issued here, or for other filters.
        """
        if not page_token:
            return None
        try:
            sealed = base64.urlsafe_b64decode(page_token.encode())
            if len(sealed) <= _TAG_BYTES or _spelt(sealed) != page_token:
                raise malformed()
            parts = self._seal.decrypt(sealed, [_joined(filters)]).decode().split("\0")
        except (binascii.Error, InvalidTag):
            raise malformed() from None
        if len(parts) != length:
            raise malformed()
        return parts


def number(part: str) -> int:
    """A part of a place that is a number. Raises Refusal FIELD_MALFORMED where it is none."""
    if not (part.isascii() and part.isdigit()) or len(part) > 19 or int(part) > INT64_MAX:
        raise malformed()
    return int(part)


def malformed() -> Refusal:
    """What a token is refused with that was not issued here."""
    return Refusal("FIELD_MALFORMED", field="page_token")


def _joined(parts: Sequence[int | str]) -> bytes:
    """Texts are checked by then: none has the character between them."""
    return "\0".join(str(part) for part in parts).encode()


def _spelt(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode()
