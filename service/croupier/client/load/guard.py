"""Turns what goes wrong in a run's work into wrong answers of the server's, or calls that it left unanswered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

from grpc.aio import AioRpcError

from croupier.client.errors import CroupierError, denied, error_of
from croupier.client.load.table import GivenUp
from croupier.client.load.tally import Tally
from croupier.client.retry import away

_STOP_SECONDS: Final = 1.0

T = TypeVar("T")


class Guard:
    """`away` says that some work has ended for want of a server."""

    def __init__(self, tally: Tally) -> None:
        self._tally: Final = tally
        self.away = False

    async def __call__(self, where: str, work: Coroutine[Any, Any, None]) -> bool:
        """Does the work; whether it went well."""
        try:
            await work
        except (CroupierError, AioRpcError) as failure:
            error = error_of(failure) if isinstance(failure, AioRpcError) else failure
            if away(error):
                self.away = True
                self._tally.give_up(error)
            elif denied(error):
                self._tally.deny(where, error)
            else:
                self._tally.complain(where, str(failure))
            return False
        except GivenUp as given_up:
            self._tally.complain(where, str(given_up))
            return False
        return True


async def unless(event: asyncio.Event, work: Coroutine[Any, Any, T], stop: Callable[[], None]) -> T | None:
    """Does the work; None where the event comes first: it is told to stop then, and cancelled a moment later."""
    doing, coming = asyncio.create_task(work), asyncio.create_task(event.wait())
    try:
        await asyncio.wait((doing, coming), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            stop()
            await asyncio.wait((doing,), timeout=_STOP_SECONDS)
        return doing.result() if doing.done() else None
    finally:
        doing.cancel()
        coming.cancel()
        await asyncio.gather(doing, coming, return_exceptions=True)


async def together(work: Iterable[Coroutine[Any, Any, Any]]) -> None:
    """All of it at once."""
    async with asyncio.TaskGroup() as group:
        for each in work:
            group.create_task(each)
