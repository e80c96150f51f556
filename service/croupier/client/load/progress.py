"""How far a run is, for whoever watches it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Literal, NamedTuple

from croupier.client.load.absence import Absence
from croupier.client.load.timing import Phase

_LOOK_SECONDS: Final = 0.5
_NOTED_SECONDS: Final = 1.0


class Now(NamedTuple):
    """`seconds` of a phase that lasts `of`, 0 where nobody knows how long. `p99_ms` is of the actions measured so far,
    and in the ramp of its last second; for `away` seconds no server has answered.
    """

    phase: Phase | Literal["opening", "closing", "checking"]
    seconds: float = 0.0
    of: float = 0.0
    rate: float = 0.0
    p99_ms: float = 0.0
    waiting: int = 0
    hands: int = 0
    wrong: int = 0
    away: float = 0.0


Progress = Callable[[Now], None]
"""Called as each phase begins, and a few times a second while bots play or a server is waited for."""


@asynccontextmanager
async def showing(progress: Progress | None, absence: Absence) -> AsyncIterator[Progress]:
    """What is shown, with the absence of a server in every phase."""
    if progress is None:
        yield lambda _now: None
        return
    last = Now("opening")

    def show(now: Now) -> None:
        nonlocal last
        last = now
        seconds = absence.seconds
        progress(now._replace(away=seconds if seconds > _NOTED_SECONDS else 0.0))

    async def look() -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            show(last)

    looking = asyncio.create_task(look())
    try:
        yield show
    finally:
        looking.cancel()
