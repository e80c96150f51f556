"""Where answers come to what one server asked, each under a name of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Final

from nats.aio.msg import Msg
from nats.nuid import NUID

from croupier.room.cluster_ports import BusAway


class Inbox:
    """The same on one connection after another."""

    def __init__(self) -> None:
        self._prefix: Final = f"_INBOX.{NUID().next().decode()}"
        self.subject: Final = f"{self._prefix}.*"
        self._numbers = count(1)
        self._waiting: dict[str, asyncio.Future[Msg]] = {}

    async def answer(self, ask: Callable[[str], bool], timeout_s: float) -> Msg:
        """To what `ask` asks, which is told where to have it answered. Raises BusAway, TimeoutError."""
        name = f"{self._prefix}.{next(self._numbers)}"
        waiter = self._waiting[name] = asyncio.get_running_loop().create_future()
        try:
            if not ask(name):
                raise BusAway
            async with asyncio.timeout(timeout_s):
                message: Msg = await waiter
        finally:
            del self._waiting[name]
        return message

    def take(self, message: Msg) -> None:
        waiter = self._waiting.get(message.subject)
        if waiter is not None and not waiter.done():
            waiter.set_result(message)

    def lose(self) -> None:
        """No answer that is waited for will come."""
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_exception(BusAway())
