"""What one server asks another for itself, in bytes, and who answers: calls for one table go elsewhere.

Fields are only appended, so that servers of two versions can talk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec

from croupier.room.cluster_ports import AnswerFailed, Unreadable
from croupier.room.link import Link

MOST_TOLD: Final = 1_000
"""Tables of one call: a bus takes no longer ones than a megabyte."""
MOST_DESCRIBED: Final = 128
"""Tables of one call, so that the answer is no longer than what a bus takes."""


class HandedOver(msgspec.Struct, frozen=True, array_like=True, tag="given"):
    """Tables have been handed over to the one who is told. Answered by nothing, once they go on there.

    Its tag stays what it was called first, for servers of two versions.
    """

    table_ids: Annotated[list[str], msgspec.Meta(max_length=MOST_TOLD)]


class Describe(msgspec.Struct, frozen=True, array_like=True, tag="describe"):
    """How do these tables stand, as far as they are there? Answered by ListedTable for each.

    `player_id`: whom they may concern.
    """

    table_ids: Annotated[list[str], msgspec.Meta(max_length=MOST_DESCRIBED)]
    player_id: str = ""


class Where(msgspec.Struct, frozen=True, array_like=True, tag="where"):
    """At which tables of a house (empty: of all) is a player? Answered by their ids.

    `waiting`: those too for which the player waits, and which the player is about to leave not. `leaving`: all that
    concern the player.
    """

    player_id: str
    house_id: str = ""
    waiting: bool = False
    leaving: bool = False


class LogGrown(msgspec.Struct, frozen=True, array_like=True, tag="log_grown"):
    """The operator log has this entry. Answered by nothing, once what it says of players holds there."""

    number: int


NodeCall = HandedOver | Describe | Where | LogGrown

T = TypeVar("T")

_encode: Final = msgspec.msgpack.Encoder().encode
_call: Final = msgspec.msgpack.Decoder(NodeCall)


class NodeCalls:
    """Asks others, and answers them by what was named for each kind of call."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._answers: dict[type[Any], Callable[[Any], Awaitable[object]]] = {}

    @property
    def reachable(self) -> bool:
        """Whether others can be asked at all."""
        return self._link.bus.connected

    def answer_by(self, kind: type[T], answer: Callable[[T], Awaitable[object]]) -> None:
        """Have calls of a kind answered by what comes of this; None is an answer too."""
        self._answers[kind] = answer

    async def answer(self, request: bytes) -> bytes:
        """Raises what the answer raises; Unreadable for what this version does not know."""
        try:
            call = _call.decode(request)
            answer = self._answers[type(call)]
        except (ValueError, LookupError) as failure:
            raise Unreadable(f"it is no call of this version's ({type(failure).__name__})") from None
        return _encode(await answer(call))

    async def ask(self, node_id: str, call: NodeCall, answer_type: type[T], timeout_s: float) -> T:
        """The answer of one server. Raises as Bus.request does."""
        link = self._link
        subject = link.subjects.node(node_id)
        answer = await link.bus.request(subject, _encode(call), timeout_s)
        try:
            return msgspec.msgpack.decode(answer, type=answer_type)
        except ValueError as failure:
            link.bus.misread(
                subject, len(answer), f"it is no answer of this version's ({type(failure).__name__})"
            )
            raise AnswerFailed(f"{node_id} answers what this version does not know") from failure
