"""The operator log where several servers write it: read on by each, and what it says of players held by all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from croupier.numbers import NS_PER_MS
from croupier.room.blocks import Blocks
from croupier.room.cluster_ports import Fleet
from croupier.room.everyone import Everyone
from croupier.room.node_calls import LogGrown
from croupier.room.operations import Block
from croupier.room.services import Services

FRESH_NS: Final = 2_000 * NS_PER_MS
"""Whoever has not read the log for so long reads it before a player may come; less than a lease."""


class LogFollowing:
    """`look` is called regularly; `enforce` has a player leave this server's tables."""

    def __init__(
        self,
        services: Services,
        fleet: Fleet,
        everyone: Everyone,
        blocks: Blocks,
        enforce: Callable[[Block], None],
    ) -> None:
        self._services = services
        self._fleet = fleet
        self._everyone = everyone
        self._blocks = blocks
        self._enforce = enforce
        self._noted = 0
        self._read_time = -FRESH_NS

    async def catch_up(self) -> None:
        """Hold what the log says by now. Raises StoreAway."""
        began = self._services.runtime.now()
        for one in await self._blocks.read(self._services.store):
            if one.operation.after.block is not None:
                self._enforce(one.operation.after.block)
        self._read_time = max(self._read_time, began)

    async def look(self) -> None:
        """Read on, and let others find in the store how far. Raises StoreAway."""
        await self.catch_up()
        number = self._blocks.number
        if number > self._noted:
            await self._fleet.log_read(number)
            self._noted = number

    async def be_fresh(self) -> None:
        """Return once no block is unknown that was in the log a while ago. Raises StoreAway."""
        if self._services.runtime.now() - self._read_time > FRESH_NS:
            await self.catch_up()

    async def grown(self, call: LogGrown) -> None:
        """Another server has written an entry. Raises StoreAway."""
        if self._blocks.number < call.number:
            await self.catch_up()

    async def spread(self) -> None:
        """Return once no other server may act that does not hold what the log says by now.

        One that does not answer has said in the store how far it has read, or writes nothing more.
        Raises StoreAway, ServerSilent.
        """
        await self.catch_up()
        number = self._blocks.number
        await self._everyone.answers(lambda: self._fleet.behind(number), LogGrown(number), type(None))
