"""How hands come out, as croupier.v1 events: pots awarded, hands ended or voided."""

from __future__ import annotations

from typing import Any, Protocol

from croupier.engine import events as ev
from croupier.room.hand_id import hand_id_of
from croupier.v1 import hand_event_pb2


class AtTable(Protocol):
    """What is known of the table."""

    table_id: str


def awarded(_: AtTable, event: ev.PotAwarded) -> dict[str, Any]:
    awards = [
        hand_event_pb2.Award(seat_number=number, amount=amount, low=low)
        for low, winners, amounts in (
            (False, event.winners, event.awards),
            (True, event.low_winners, event.low_awards),
        )
        for number, amount in zip(winners, amounts, strict=True)
    ]
    return {
        "pot_awarded": hand_event_pb2.PotAwarded(
            pot_index=event.index,
            amount=event.amount,
            rake=event.rake,
            eligible_seats=sorted(event.eligible_seats),
            awards=awards,
        )
    }


def ended(telling: AtTable, event: ev.HandEnded) -> dict[str, Any]:
    results = [
        hand_event_pb2.SeatResult(seat_number=number, net=net, stack=stack)
        for number, net, stack in sorted(zip(event.seats, event.net, event.stacks, strict=True))
    ]
    return {
        "hand_ended": hand_event_pb2.HandEnded(
            hand_id=hand_id_of(telling.table_id, event.hand_number), rake=event.rake, results=results
        )
    }


def voided(telling: AtTable, event: ev.HandVoided) -> dict[str, Any]:
    returns = [
        hand_event_pb2.SeatReturn(seat_number=number, amount=amount)
        for number, amount in sorted(zip(event.seats, event.returned, strict=True))
    ]
    hand_id = hand_id_of(telling.table_id, event.hand_number)
    return {"hand_voided": hand_event_pb2.HandVoided(hand_id=hand_id, returns=returns)}
