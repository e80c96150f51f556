"""The room's views and answers as croupier.v1 messages; it decides nothing and reads no state."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from croupier.adapters.rpc import private_messages, proof_messages
from croupier.adapters.rpc.house_messages import options
from croupier.adapters.version import Build
from croupier.cards import cards_text
from croupier.engine import events as ev
from croupier.engine.actions import LegalActions
from croupier.engine.game import Street
from croupier.numbers import NS_PER_S
from croupier.room.acts import Acted
from croupier.room.hand_id import hand_id_of
from croupier.room.views import DecisionView, HandView, SeatView, TableView, WaitingView
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2, table_pb2, table_service_pb2

STREETS: Final = [hand_pb2.Street.Value(f"STREET_{street.name}") for street in Street]


def timestamp(when: int) -> Timestamp:
    """Nanoseconds since the epoch as a Timestamp."""
    return Timestamp(seconds=when // NS_PER_S, nanos=when % NS_PER_S)


def server_info(build: Build, started: int) -> table_service_pb2.GetServerInfoResponse:
    """What a server is made of, and since when it runs."""
    return table_service_pb2.GetServerInfoResponse(
        version=build.version,
        build=build.build,
        contract="croupier.v1",
        evaluator=build.evaluator,
        store=build.store,
        started_time=timestamp(started),
    )


Fields = dict[str, Any]
"""A message's fields by name. On the path of an action messages are made from nested fields in one call, which
takes less than half the time of making each message and copying it into the next."""


def decision_fields(table_id: str, view: DecisionView, now: int, *, with_legal: bool) -> Fields:
    """The decision that stands; the legal actions only for callers who may act for the player."""
    left = max(0, view.deadline - now)
    fields: Fields = {
        "hand_id": hand_id_of(table_id, view.hand_number),
        "seat_number": view.seat,
        "player_id": view.player_id,
        "action_sequence": view.action_sequence,
        "deadline_time": {"seconds": view.deadline // NS_PER_S, "nanos": view.deadline % NS_PER_S},
        "time_remaining": {"seconds": left // NS_PER_S, "nanos": left % NS_PER_S},
    }
    if with_legal:
        fields["legal_actions"] = _legal_fields(view.legal, view.stack)
    return fields


def _legal_fields(legal: LegalActions, stack: int) -> Fields:
    """What the actor may do, zeros left out; `stack` tells whether a call takes all of it."""
    fields: Fields = {}
    if legal.can_fold:
        fields["can_fold"] = True
    if legal.can_check:
        fields["can_check"] = True
    call = legal.call_amount
    if call:
        fields["call_amount"] = call
        if call == stack:
            fields["call_all_in"] = True
    if legal.max_bet_to:
        fields["min_bet_to"] = legal.min_bet_to
        fields["max_bet_to"] = legal.max_bet_to
    if legal.max_raise_to:
        fields["min_raise_to"] = legal.min_raise_to
        fields["max_raise_to"] = legal.max_raise_to
    if legal.all_in_to:
        fields["all_in_to"] = legal.all_in_to
    if legal.can_draw:
        fields["can_draw"] = True
        fields["max_discards"] = legal.max_discards
    return fields


def decision(table_id: str, view: DecisionView, now: int, *, with_legal: bool) -> hand_pb2.Decision:
    """The decision as a message."""
    return hand_pb2.Decision(**decision_fields(table_id, view, now, with_legal=with_legal))


_KINDS: Final[dict[Any, hand_pb2.ActionKind.ValueType]] = {
    ev.Folded: hand_pb2.ACTION_KIND_FOLD,
    ev.Checked: hand_pb2.ACTION_KIND_CHECK,
    ev.Called: hand_pb2.ACTION_KIND_CALL,
    ev.BetMade: hand_pb2.ACTION_KIND_BET_TO,
    ev.Raised: hand_pb2.ACTION_KIND_RAISE_TO,
    ev.CardsDrawn: hand_pb2.ACTION_KIND_DRAW,
}
_WITHOUT_CHIPS: Final = (ev.Folded, ev.Checked, ev.CardsDrawn)


def act_response(acted: Acted, table_id: str, now: int, *, with_legal: bool) -> betting.ActResponse:
    """What an action came to, and the decision that stands after it."""
    event = acted.event
    kind = type(event)
    result: Fields = {"action": _KINDS[kind]}
    if kind not in _WITHOUT_CHIPS:
        result["paid"] = event.amount
        result["street_bet"] = event.to
        result["all_in"] = event.all_in
    fields: Fields = {"sequence": acted.sequence, "result": result}
    if acted.decision is not None:
        fields["next_decision"] = decision_fields(table_id, acted.decision, now, with_legal=with_legal)
    return betting.ActResponse(**fields)


def seat(view: SeatView) -> table_pb2.Seat:
    """A taken seat."""
    return table_pb2.Seat(
        seat_number=view.seat,
        player_id=view.player_id,
        state=table_pb2.SeatState.Value(f"SEAT_STATE_{view.state}"),
        stack=view.stack,
        queued_rebuy=view.queued_rebuy,
        release_time=timestamp(view.release_time) if view.release_time else None,
        owes_bring_in=view.owes_bring_in,
        missed_big_blind=view.missed_big_blind,
        missed_small_blind=view.missed_small_blind,
    )


def hand(table_id: str, view: HandView) -> hand_pb2.Hand:
    """The hand in progress for one viewer."""
    return hand_pb2.Hand(
        hand_id=hand_id_of(table_id, view.hand_number),
        street=STREETS[view.street],
        board=cards_text(view.board),
        pots=[hand_pb2.Pot(amount=amount, eligible_seats=eligible) for amount, eligible in view.pots],
        seats=[
            hand_pb2.HandSeat(
                seat_number=one.seat,
                player_id=one.player_id,
                street_bet=one.street_bet,
                contribution=one.contribution,
                folded=one.folded,
                all_in=one.all_in,
                hole_cards=cards_text(one.hole_cards),
                drawn_count=one.drawn_count,
            )
            for one in view.seats
        ],
        button_seat=view.button_seat,
        small_blind_seat=view.small_blind_seat,
        big_blind_seat=view.big_blind_seat,
    )


def waiting(view: WaitingView) -> table_pb2.WaitingPlayer:
    """A player on the waiting list."""
    return table_pb2.WaitingPlayer(
        player_id=view.player_id,
        offered_seat=view.seat,
        offer_end_time=timestamp(view.until) if view.seat else None,
    )


def table(view: TableView, now: int, *, with_legal: bool) -> table_pb2.Table:
    """A whole table for one viewer."""
    return table_pb2.Table(
        table_id=view.table_id,
        sequence=view.sequence,
        options=options(view.name, view.rules),
        state=table_pb2.TableState.Value(f"TABLE_STATE_{view.state}"),
        seats=[seat(one) for one in view.seats],
        hand=hand(view.table_id, view.hand) if view.hand is not None else None,
        next_decision=decision(view.table_id, view.decision, now, with_legal=with_legal)
        if view.decision is not None
        else None,
        button_seat=view.button_seat,
        created_time=timestamp(view.created_time),
        waiting_list=[waiting(one) for one in view.waiting],
        own=private_messages.own_state(view.own) if view.own is not None else None,
        coming_deal=proof_messages.coming_deal(view.table_id, *view.coming)
        if view.coming is not None
        else None,
    )
