"""Messages of Act and WatchTable as large as asked, with the fields that real ones have."""

from __future__ import annotations

from croupier.v1.betting_service_pb2 import ActRequest, ActResponse, ActResult
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_event_pb2 import Called
from croupier.v1.hand_pb2 import ActionKind, Decision, LegalActions
from croupier.v1.table_service_pb2 import EventBatch, WatchTableResponse


def request_of(size: int, table_id: str) -> ActRequest:
    """An Act of about `size` bytes."""
    request = ActRequest(
        request_id="act",
        table_id=table_id,
        player_id="player",
        action_sequence=3,
        action=ActionKind.ACTION_KIND_CALL,
    )
    request.hand_id = "h" * max(1, size - request.ByteSize() - 2)
    return request


def response_of(size: int) -> ActResponse:
    """An Act's answer of about `size` bytes, with the next decision and its legal actions."""
    response = ActResponse(
        sequence=1000,
        result=ActResult(action=ActionKind.ACTION_KIND_CALL, paid=2, street_bet=4),
        next_decision=Decision(
            seat_number=2,
            player_id="player",
            action_sequence=4,
            legal_actions=LegalActions(
                can_fold=True, can_check=True, min_bet_to=2, max_bet_to=150, all_in_to=150
            ),
        ),
    )
    response.next_decision.hand_id = "h" * max(1, size - response.ByteSize() - 3)
    return response


def watch_message_of(size: int) -> WatchTableResponse:
    """A watcher's message of about `size` bytes, with one event and the next decision."""
    batch = EventBatch(
        events=[TableEvent(sequence=1000, called=Called(seat_number=1, paid=2, street_bet=4))],
        next_decision=Decision(seat_number=2, player_id="player", action_sequence=4),
    )
    message = WatchTableResponse(events=batch)
    message.events.next_decision.hand_id = "h" * max(1, size - message.ByteSize() - 4)
    return message
