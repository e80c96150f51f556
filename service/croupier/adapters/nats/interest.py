"""What is served or heard on the bus, on one connection after another."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from croupier.adapters.nats.connection import Connection

if TYPE_CHECKING:
    from croupier.adapters.nats.bus import NatsBus


class Interest:
    """What is served or heard, on one connection after another."""

    def __init__(self, bus: NatsBus, subject: str, heard: Callable[[Msg], None], missed: Callable[[], None]):
        self.subject: Final = subject
        self.subscription: Subscription | None = None
        self.missed: Final = missed
        """Something may not have been heard."""
        self._bus: Final = bus
        self._heard: Final = heard

    async def begin(self, connection: Connection) -> None:
        """Raises nats.errors.Error."""

        async def heard(message: Msg) -> None:
            self._heard(message)

        self.subscription = await connection.subscribe(self.subject, heard)

    async def leave(self) -> None:
        """Have the connection carry it no more."""
        if self.subscription is not None:
            with suppress(nats.errors.Error):
                await self.subscription.unsubscribe()

    async def end(self) -> None:
        """Hear no more; answers under way go on."""
        await self._bus.forget(self)
