"""What happens to those who wait for a seat, as fields of croupier.v1.TableEvent."""

from __future__ import annotations

from typing import Any

from croupier.adapters.rpc import messages
from croupier.engine import table_events as tev
from croupier.v1 import event_pb2


def joined(_: object, event: tev.WaitingListJoined) -> dict[str, Any]:
    return {"waiting_list_joined": event_pb2.WaitingListJoined(player_id=event.player_id)}


def left(_: object, event: tev.WaitingListLeft) -> dict[str, Any]:
    reason = event_pb2.WaitingListLeaveReason.Value(f"WAITING_LIST_LEAVE_REASON_{event.reason.name}")
    return {"waiting_list_left": event_pb2.WaitingListLeft(player_id=event.player_id, reason=reason)}


def offered(_: object, event: tev.SeatOffered) -> dict[str, Any]:
    return {
        "seat_offered": event_pb2.SeatOffered(
            player_id=event.player_id,
            seat_number=event.seat,
            offer_end_time=messages.timestamp(event.until),
        )
    }
