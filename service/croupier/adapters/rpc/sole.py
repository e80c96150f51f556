"""Calls to a server that has a store for itself by a lease: answered only while nobody else can have it."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.message import Message

from croupier.adapters.rpc.answering import Lapsed
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.routed import TableMethod
from croupier.room.failures import StoreAway
from croupier.room.principal import Principal


class SoleOwner:
    """A gate's Router, by which every table is here."""

    def __init__(self, gate: Gate, lapsed: Lapsed) -> None:
        self._gate: Final = gate
        self._lapsed: Final = lapsed

    async def carry_out(
        self, method: TableMethod, principal: Principal, request: Any, _remaining: float | None
    ) -> Message:
        """As the port says. Raises StoreAway where another server may have gone on from what is known here."""
        self._must_run()
        answer = await self._gate.carry_out(method, principal, request)
        self._must_run()
        return answer

    def _must_run(self) -> None:
        if self._lapsed():
            raise StoreAway("this server's lease has run out, and was not renewed yet")
