"""Calls for tables of other servers go there over the bus, and their answers come back; nothing is decided here.

Everything that is forwarded is a read, or has a request_id: sent twice, it is done once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from secrets import SystemRandom
from time import monotonic
from typing import Any, Final

from google.protobuf.message import Message

from croupier.adapters.rpc import envelopes
from croupier.adapters.rpc.answering import Here, Lapsed, moved_meanwhile
from croupier.adapters.rpc.checks import MAX_ID_LENGTH
from croupier.adapters.rpc.envelopes import VERSION, AnswerEnvelope, CallEnvelope
from croupier.adapters.rpc.gate import Gate
from croupier.adapters.rpc.routed import OwnersAnswer, OwnersRefusal, TableMethod
from croupier.room.cluster_ports import AnswerFailed, Bus, BusAway, NobodyThere, TooLong
from croupier.room.failures import Refusal, StoreAway, moving
from croupier.room.principal import Principal
from croupier.room.subjects import Subjects

LONGEST_S: Final = 30.0
"""What is waited for an answer where the caller names no deadline, or a later one."""
ATTEMPT_S: Final = 0.5
"""After so long without an answer the table is looked for again: its server may stand still."""
SEEK_S: Final = 5.0
"""A table that nobody has for so long is given up."""
BUS_AWAY_S: Final = 0.5
"""A bus that is away for so long is given up: who calls another server may fare better."""
FIRST_PAUSE_S: Final = 0.005
LONGEST_PAUSE_S: Final = 0.25
_chance: Final = SystemRandom()

Locate = Callable[[str], Awaitable[bool]]
"""Looks where a table is whose owner did not answer: whether the call is to be carried out here. Raises StoreAway."""


Measure = Callable[[str, str, float], None]
"""Told of a call that went to another server: its method, what came of it, and the seconds that took."""


def _unmeasured(_method: str, _outcome: str, _seconds: float) -> None: ...


class Forwarding:
    """A gate's Router."""

    def __init__(
        self,
        gate: Gate,
        bus: Bus,
        subjects: Subjects,
        here: Here,
        lapsed: Lapsed,
        locate: Locate,
        measure: Measure = _unmeasured,
    ) -> None:
        self._gate: Final = gate
        self._bus: Final = bus
        self._subjects: Final = subjects
        self._here: Final = here
        self._lapsed: Final = lapsed
        self._locate: Final = locate
        self._under_way: Final[dict[asyncio.Task[Any], None]] = {}
        self._interrupted: Final[set[asyncio.Task[Any]]] = set()
        self._measure: Final = measure

    async def carry_out(
        self, method: TableMethod, principal: Principal, request: Any, remaining: float | None
    ) -> Message | OwnersAnswer:
        """As the port says."""
        table_id: str = request.table_id
        until = monotonic() + min(LONGEST_S if remaining is None else remaining, LONGEST_S)
        seek_until: float | None = None
        while True:
            if self._here(table_id) and not self._lapsed():
                try:
                    return await self._carry_out(method, principal, request)
                except (Refusal, StoreAway) as failure:
                    if not self._lapsed() and (self._here(table_id) or not moved_meanwhile(failure)):
                        raise
            elif not 0 < len(table_id) <= MAX_ID_LENGTH or not table_id.isprintable():
                return await self._gate.carry_out(method, principal, request)
            if seek_until is None:
                seek_until = min(until, monotonic() + SEEK_S)
            answer = await self._measured(method, principal, request, until, seek_until)
            if answer is not None:
                if answer.reason:
                    raise OwnersRefusal(answer.reason, answer.facts, answer.owner)
                return OwnersAnswer(answer.answer, answer.owner)
            if not self._here(table_id):
                return await self._gate.carry_out(method, principal, request)

    def doubt(self) -> None:
        """Others may own the tables that are here: have what waits for the store here asked of them."""
        for task in self._under_way:
            self._interrupted.add(task)
            task.cancel()

    async def _carry_out(self, method: TableMethod, principal: Principal, request: Any) -> Message:
        """The answer, as long as the table is surely this server's. Raises as the method does, Refusal."""
        task = asyncio.current_task()
        assert task is not None
        self._under_way[task] = None
        try:
            answer = await self._gate.carry_out(method, principal, request)
        except asyncio.CancelledError:
            if task not in self._interrupted or task.uncancel():
                raise
            raise moving(request.table_id) from None
        finally:
            self._under_way.pop(task, None)
            self._interrupted.discard(task)
        if self._lapsed():
            raise moving(request.table_id)
        return answer

    async def _measured(
        self, method: TableMethod, principal: Principal, request: Any, until: float, seek_until: float
    ) -> AnswerEnvelope | None:
        """What `_ask` comes to, measured."""
        began = monotonic()
        outcome = "given_up"
        try:
            answer = await self._ask(method, principal, request, until, seek_until)
            outcome = "taken_over" if answer is None else "refused" if answer.reason else "answered"
        finally:
            self._measure(method.rpc, outcome, monotonic() - began)
        return answer

    async def _ask(
        self, method: TableMethod, principal: Principal, request: Any, until: float, seek_until: float
    ) -> AnswerEnvelope | None:
        """The owner's answer, whoever that is by then; None where the call is to be carried out here. Raises Refusal.

        Times are monotonic's: `until` is what an owner gets who is there, `seek_until` when nobody is.
        """
        table_id: str = request.table_id
        subject = self._subjects.calls(table_id)
        data, traceparent = request.SerializeToString(), self._gate.traceparent()
        pause, began = FIRST_PAUSE_S, monotonic()
        while True:
            left = until - monotonic()
            call = CallEnvelope(VERSION, method.name, principal, left, traceparent, data)
            given_up = seek_until
            try:
                told = await self._bus.request(subject, envelopes.encode(call), min(left, ATTEMPT_S))
                answer = self._read(subject, told)
                if answer is not None and not answer.elsewhere:
                    return answer
            except TimeoutError:
                given_up = until
            except NobodyThere:
                pass
            except BusAway:
                given_up = min(given_up, began + BUS_AWAY_S)
            except TooLong as failure:
                raise Refusal("MESSAGE_TOO_LONG", size=failure.size, max_size=failure.max_size) from None
            except AnswerFailed as failure:
                raise Refusal("INTERNAL_FAULT") from failure
            if self._lapsed():
                raise moving(table_id)
            try:
                async with asyncio.timeout(max(0.0, given_up - monotonic())):
                    if await self._locate(table_id):
                        return None
            except TimeoutError:
                raise moving(table_id) from None
            if monotonic() + pause >= given_up:
                raise moving(table_id)
            await asyncio.sleep(_chance.uniform(pause / 2, pause))
            pause = min(2 * pause, LONGEST_PAUSE_S)

    def _read(self, subject: str, told: bytes) -> AnswerEnvelope | None:
        """None for what no server of this version answers: as if nobody had."""
        try:
            return envelopes.answer_of(told)
        except ValueError as failure:
            self._bus.misread(
                subject, len(told), f"it is no answer of this version's ({type(failure).__name__})"
            )
            return None
