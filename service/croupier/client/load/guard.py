"""Turns what goes wrong in a run's work into wrong answers of the server's."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, Final

from grpc.aio import AioRpcError

from croupier.client.errors import CroupierError
from croupier.client.load.table import GivenUp
from croupier.client.load.tally import Tally


class Guard:
    def __init__(self, tally: Tally) -> None:
        self._tally: Final = tally

    async def __call__(self, where: str, work: Coroutine[Any, Any, None]) -> bool:
        """Does the work; whether it went well."""
        try:
            await work
        except (GivenUp, CroupierError, AioRpcError) as failure:
            self._tally.complain(where, str(failure))
            return False
        return True


async def together(work: Iterable[Coroutine[Any, Any, Any]]) -> None:
    """All of it at once."""
    async with asyncio.TaskGroup() as group:
        for each in work:
            group.create_task(each)
