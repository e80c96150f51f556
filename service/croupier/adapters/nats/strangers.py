"""What takes connections where NATS should be, and is none: whoever named the wrong port is told so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlparse

GREETING_S: Final = 0.5
_GREETING: Final = b"INFO"
"""What NATS says first, unasked."""


class Stranger(Exception):
    """Raised for what is not known to be NATS; `surely` where it is known to be none."""

    def __init__(self, why: str, *, surely: bool = False) -> None:
        super().__init__(why)
        self.surely: Final = surely


async def must_be_nats(urls: Sequence[str]) -> None:
    """Raises Stranger for the first of the URLs that can be connected to, and does not greet as NATS does."""
    for url in urls:
        parsed = urlparse(url)
        said = b""
        try:
            async with asyncio.timeout(GREETING_S):
                reader, writer = await asyncio.open_connection(parsed.hostname, parsed.port)
        except OSError:
            continue
        try:
            async with asyncio.timeout(GREETING_S):
                said = await reader.read(len(_GREETING))
        except TimeoutError:
            raise Stranger(
                f"{url} takes connections and says nothing: does NATS listen there, and run?"
            ) from None
        except OSError:
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        if not said:
            raise Stranger(f"{url} takes connections and ends them: does NATS run there?")
        if not _GREETING.startswith(said):
            raise Stranger(f"{url} is no NATS: name its port for clients", surely=True)
