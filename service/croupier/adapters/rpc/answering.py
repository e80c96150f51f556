"""A table's owner answers the calls that other servers were made, with the same handlers and checks as its own."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Final

from google.protobuf.message import DecodeError

from croupier.adapters.rpc import envelopes
from croupier.adapters.rpc.envelopes import VERSION, AnswerEnvelope, CallEnvelope
from croupier.adapters.rpc.gate import Gate, told
from croupier.adapters.rpc.routed import TableMethod
from croupier.room.cluster_ports import Unreadable
from croupier.room.failures import Refusal, StoreAway, moving
from croupier.room.principal import LOCAL

Here = Callable[[str], bool]
"""Whether a table is this server's."""
Lapsed = Callable[[], bool]
"""Whether it may be another's by now: what this server knows of its tables may be out of date."""


class Answering:
    """`address` is what callers reach this server by."""

    def __init__(self, gate: Gate, here: Here, lapsed: Lapsed, address: str) -> None:
        self._gate: Final = gate
        self._here: Final = here
        self._lapsed: Final = lapsed
        self._address: Final = address

    async def answer(self, data: bytes) -> bytes:
        """The answer to one call. Raises Unreadable."""
        method, call, request = self._read(data)
        table_id: str = request.table_id  # type: ignore[attr-defined]
        if self._lapsed() or not self._here(table_id):
            return self._elsewhere()
        try:
            answer = await self._carry_out(method, call, request)
        except Exception as failure:
            if self._lapsed() or (moved_meanwhile(failure) and not self._here(table_id)):
                return self._elsewhere()
            refusal = told(method.rpc, failure)
            facts = {key: str(value) for key, value in refusal.facts.items()}
            return envelopes.encode(
                AnswerEnvelope(VERSION, self._address, reason=refusal.reason, facts=facts)
            )
        if self._lapsed():
            return self._elsewhere()
        return envelopes.encode(AnswerEnvelope(VERSION, self._address, answer))

    def _read(self, data: bytes) -> tuple[TableMethod, CallEnvelope, object]:
        try:
            call = envelopes.call_of(data)
            method = self._gate.table_methods[call.method]
            request = method.request_type.FromString(call.request)
        except (ValueError, LookupError, DecodeError) as failure:
            raise Unreadable(f"it is no call of this version's ({type(failure).__name__})") from None
        if not math.isfinite(call.remaining):
            raise Unreadable("its caller waits for no time that ends")
        return method, call, request

    async def _carry_out(self, method: TableMethod, call: CallEnvelope, request: object) -> bytes:
        """Within the time that the caller waits, as gRPC would: whatever awaits is cancelled then."""
        principal = LOCAL if call.principal == LOCAL else call.principal
        try:
            async with asyncio.timeout(call.remaining) as limit:
                answer = await self._gate.answer(method, principal, request, call.traceparent)
        except TimeoutError:
            if not limit.expired():
                raise
            raise moving(getattr(request, "table_id", "")) from None
        return answer.SerializeToString()

    def _elsewhere(self) -> bytes:
        return envelopes.encode(AnswerEnvelope(VERSION, self._address, elsewhere=True))


def moved_meanwhile(failure: Exception) -> bool:
    """Whether a call may have failed for no other reason than that its table went to another server."""
    if isinstance(failure, Refusal):
        return failure.reason in ("TABLE_MOVING", "TABLE_UNKNOWN", "STORE_UNAVAILABLE")
    return isinstance(failure, StoreAway)
