"""Servers that carry out one method of stub tables, and forward it to one another over a bus."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from croupier.adapters.rpc.access import roles_of
from croupier.adapters.rpc.answering import Answering
from croupier.adapters.rpc.forwarding import Forwarding
from croupier.adapters.rpc.gate import Gate, Scope
from croupier.adapters.rpc.routed import OwnersAnswer, TableMethod
from croupier.room.cluster_ports import Bus, Ending
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL, Principal
from croupier.room.subjects import Subjects
from croupier.v1 import table_service_pb2 as pb

METHOD: Final = "croupier.v1.TableService/PauseTable"
SUBJECTS: Final = Subjects("test")

Carry = Callable[[Principal, Any], Awaitable[pb.PauseTableResponse]]


class Observer:
    def rpc(self, method: str, code: str, seconds: float) -> None: ...


class Forwarder:
    """One server; `tables` are those it has, `locate` says where others are, `calls` are the methods it carried out."""

    def __init__(self, bus: Bus, name: str, scope: Scope | None = None) -> None:
        self.bus: Final = bus
        self.name: Final = name
        self.gate: Final = Gate(Observer(), scope=scope)
        self.gate.unary("PauseTable", self.roles, self._call, pb.PauseTableRequest, METHOD)
        self.tables: Final[dict[str, Ending]] = {}
        self.calls: Final[list[tuple[Principal, pb.PauseTableRequest]]] = []
        self.carry: Carry = self.pause
        self.located: Final[list[str]] = []
        self.locate: Callable[[str], Awaitable[bool]] = self._nowhere
        self.lapsed = False
        self.answering: Final = Answering(self.gate, self.tables.__contains__, self.has_lapsed, f"{name}:1")
        self.forwarding: Final = Forwarding(
            self.gate, bus, SUBJECTS, self.tables.__contains__, self.has_lapsed, self._locate
        )

    roles: Final = roles_of("TableService", "PauseTable")

    async def own(self, *table_ids: str) -> None:
        for table_id in table_ids:
            self.tables[table_id] = await self.bus.serve(SUBJECTS.calls(table_id), self.answering.answer)

    def has_lapsed(self) -> bool:
        return self.lapsed

    async def disown(self, table_id: str) -> None:
        await self.tables.pop(table_id).end()

    async def pause(self, _: Principal, request: pb.PauseTableRequest) -> pb.PauseTableResponse:
        """What it does with a table of its own; another is unknown to it."""
        if request.table_id not in self.tables:
            raise Refusal("TABLE_UNKNOWN", table_id=request.table_id)
        return pb.PauseTableResponse(sequence=len(request.request_id))

    @property
    def method(self) -> TableMethod:
        return self.gate.table_methods[METHOD]

    async def ask(
        self,
        table_id: str,
        request_id: str = "one",
        principal: Principal = LOCAL,
        remaining: float | None = None,
    ) -> tuple[pb.PauseTableResponse, str]:
        """The answer to a call made here, and who gave it: empty for this server itself."""
        request = pb.PauseTableRequest(request_id=request_id, table_id=table_id)
        answer = await self.forwarding.carry_out(self.method, principal, request, remaining)
        owner = answer.owner if isinstance(answer, OwnersAnswer) else ""
        return pb.PauseTableResponse.FromString(answer.SerializeToString()), owner

    async def _call(self, principal: Principal, request: pb.PauseTableRequest) -> pb.PauseTableResponse:
        self.calls.append((principal, request))
        return await self.carry(principal, request)

    async def _locate(self, table_id: str) -> bool:
        self.located.append(table_id)
        return await self.locate(table_id)

    async def _nowhere(self, _: str) -> bool:
        await asyncio.sleep(0)
        return False
