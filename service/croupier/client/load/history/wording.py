"""Requests and answers of the contract as operations: what of them matters to the history. Sends nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import Message

from croupier.client.load.history.operation import Operation, SeatSeen, Standing
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.hand_pb2 import Decision

_TEXTS: Final = ("table_id", "player_id", "request_id", "hand_id")
_NUMBERS: Final = ("amount", "seat_number")


def asked(request: Message, sent: int) -> Operation:
    """A request that is about to be sent."""
    if isinstance(request, ActRequest):
        return Operation(
            "Act",
            sent,
            request.table_id,
            request.player_id,
            request.request_id,
            request.hand_id,
            request.action_sequence,
            request.action,
            request.amount,
            0,
            tuple(request.discards),
        )
    operation = Operation(type(request).__name__.removesuffix("Request"), sent)
    known = request.DESCRIPTOR.fields_by_name
    for name in (*_TEXTS, *_NUMBERS):
        if name in known:
            setattr(operation, name, getattr(request, name))
    if "cards" in known:
        operation.cards = tuple(request.cards)  # type: ignore[attr-defined]
    return operation


def told(operation: Operation, response: Message) -> None:
    """Puts into an operation what it was answered."""
    if isinstance(response, ActResponse):
        result = response.result
        operation.sequence = response.sequence
        operation.done, operation.paid = result.action, result.paid
        operation.street_bet, operation.all_in = result.street_bet, result.all_in
        if response.HasField("next_decision"):
            operation.standing = _standing(response.next_decision)
        return
    tell = _TELL.get(operation.method)
    if tell is not None:
        tell(operation, response)
    elif "sequence" in response.DESCRIPTOR.fields_by_name:
        operation.sequence = response.sequence  # type: ignore[attr-defined]


def _standing(decision: Decision) -> Standing:
    return Standing(decision.hand_id, decision.action_sequence, decision.player_id)


def _of_table(operation: Operation, response: Any) -> None:
    table = response.table
    operation.table_id, operation.sequence, operation.state = table.table_id, table.sequence, table.state
    if table.HasField("next_decision"):
        operation.standing = _standing(table.next_decision)
    operation.seats = tuple(SeatSeen(seat.seat_number, seat.player_id, seat.stack) for seat in table.seats)


def _of_decision(operation: Operation, response: Any) -> None:
    operation.sequence = response.sequence
    if response.HasField("decision"):
        operation.standing = _standing(response.decision)


_TELL: Final[dict[str, Callable[[Operation, Any], None]]] = {
    "CreateTable": _of_table,
    "GetTable": _of_table,
    "GetLegalActions": _of_decision,
}
