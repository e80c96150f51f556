"""What takes connections where NATS should be, and is none: whoever named the wrong port is told so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlparse

_GREETING: Final = b"INFO"
"""What NATS says first, unasked."""
GREETING_S: Final = 0.5


async def stranger(urls: Sequence[str]) -> str:
    """Says that something at one of the URLs is no NATS; empty where nothing is known against them."""
    for url in urls:
        parsed = urlparse(url)
        try:
            async with asyncio.timeout(GREETING_S):
                reader, writer = await asyncio.open_connection(parsed.hostname, parsed.port)
        except (OSError, TimeoutError):
            continue
        said = b""
        try:
            async with asyncio.timeout(GREETING_S):
                said = await reader.readexactly(len(_GREETING))
        except TimeoutError:
            if not said:
                return f"{url} takes connections and does not greet as NATS does: does NATS listen there, and run?"
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
        if said != _GREETING:
            return f"{url} is no NATS: name its port for clients"
    return ""
