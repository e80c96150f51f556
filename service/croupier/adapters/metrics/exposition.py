"""The text of /metrics, made a slice at a time: between two of them the event loop goes on."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Awaitable, Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4.encode()
SLICE: Final = 200
"""Lines that are written before the event loop goes on: about a millisecond."""


class Exposition:
    """One text is made at a time. It is begun after whoever gets it has asked; all who ask meanwhile share the next."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.look: Callable[[], Awaitable[None]] | None = None
        """What looks slice by slice at that which the registry would else look at in one go."""
        self._registry: Final = registry
        self._making: Final = asyncio.Lock()
        self._asked = self._answered = 0
        self._text = b""

    async def text(self) -> bytes:
        """As Prometheus reads it."""
        self._asked += 1
        number = self._asked
        async with self._making:
            if self._answered < number:
                asked = self._asked
                self._text = await self._made()
                self._answered = asked
            return self._text

    async def _made(self) -> bytes:
        if self.look is not None:
            await self.look()
        texts, lines = [], 0
        for family in self._registry.collect():
            for part, heading in _parts(family):
                text = generate_latest(part)
                texts.append(text if heading else text.split(b"\n", 2)[2])
                lines += len(part.family.samples)
                if lines >= SLICE:
                    lines = 0
                    await asyncio.sleep(0)
        return b"".join(texts)


class _Part:
    """A collector of one family, or some of its samples."""

    def __init__(self, family: Metric) -> None:
        self.family: Final = family

    def collect(self) -> Iterator[Metric]:
        yield self.family


def _parts(family: Metric) -> Iterator[tuple[_Part, bool]]:
    """A family in parts of which each is a slice at most; only the first of them needs a heading of two lines."""
    samples = family.samples
    for start in range(0, len(samples) or 1, SLICE):
        part = copy.copy(family)
        part.samples = samples[start : start + SLICE]
        yield _Part(part), start == 0
