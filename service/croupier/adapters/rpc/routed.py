"""What the gate knows of calls that another server carries out: methods of tables, and answers that come from afar."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, Protocol

import grpc
from google.protobuf.message import Message

from croupier.adapters.rpc.access import Roles
from croupier.room.failures import Refusal
from croupier.room.principal import Principal

OWNER_KEY: Final = "croupier-owner"
"""Trailing metadata of an answer or a refusal that another server gave: its address, where it is called directly."""


class TableMethod(NamedTuple):
    """A unary method that the owner of its request's table carries out. `name` is the full one."""

    name: str
    roles: Roles
    call: Callable[[Principal, Any], Awaitable[Message]]
    request_type: type[Message]

    @property
    def rpc(self) -> str:
        """The name without that of the service."""
        return self.name.rpartition("/")[2]


class OwnersAnswer:
    """An answer as its server serialized it."""

    __slots__ = ("_data", "owner")

    def __init__(self, data: bytes, owner: str) -> None:
        self._data: Final = data
        self.owner: Final = owner

    def SerializeToString(self) -> bytes:
        """As a message's."""
        return self._data


class OwnersRefusal(Refusal):
    """Raised when another server refused."""

    def __init__(self, reason: str, facts: dict[str, str], owner: str) -> None:
        super().__init__(reason, **facts)
        self.owner: Final = owner


class Router(Protocol):
    """Has calls carried out where their tables are."""

    async def carry_out(
        self, method: TableMethod, principal: Principal, request: Any, remaining: float | None
    ) -> Message | OwnersAnswer:
        """The answer, here or from the table's owner; `remaining` is in seconds. Raises as the method does, Refusal."""
        ...


async def routed(
    router: Router,
    method: TableMethod,
    principal: Principal,
    request: Any,
    context: grpc.aio.ServicerContext[Any, Any],
) -> Message | OwnersAnswer:
    """The answer to a call, whose trailing metadata says who gave it."""
    remaining = context.time_remaining()
    answer = await router.carry_out(method, principal, request, remaining)
    if isinstance(answer, OwnersAnswer):
        context.set_trailing_metadata(((OWNER_KEY, answer.owner),))
    return answer


def with_owner(status: Any, refusal: Refusal) -> Any:
    """A refusal's status, with who refused where that was another server."""
    if not isinstance(refusal, OwnersRefusal):
        return status
    return status._replace(trailing_metadata=(*status.trailing_metadata, (OWNER_KEY, refusal.owner)))
