"""SeatService: seats and the chips that come to them and leave."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.adapters.rpc import checks, messages
from croupier.adapters.rpc.authority import must_act_for
from croupier.engine import commands as cmd
from croupier.engine.table_events import Preferences, RequestKey, Vouched
from croupier.numbers import INT64_MAX
from croupier.room.answers import SeatAnswer
from croupier.room.failures import Refusal
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.v1 import seat_service_pb2 as pb
from croupier.v1 import table_pb2


class SeatServicer:
    """Each method checks its request and puts one command to the room."""

    def __init__(self, room: Room, runtime: Runtime) -> None:
        self._seats = room.seats
        self._wishes = room.wishes
        self._now = runtime.now

    async def reserve_seat(
        self, principal: Principal, request: pb.ReserveSeatRequest
    ) -> pb.ReserveSeatResponse:
        number = checks.number("seat_number", request.seat_number, 1, 10)
        vouched = _vouched(principal, request)
        key, table_id, player_id = _key(principal, "ReserveSeat", request, number, *_content(request))
        answer = await self._seats.reserve(key, table_id, player_id, number, vouched)
        return pb.ReserveSeatResponse(sequence=answer.sequence, seat=_seat(answer))

    async def release_seat(
        self, principal: Principal, request: pb.ReleaseSeatRequest
    ) -> pb.ReleaseSeatResponse:
        key, table_id, player_id = _key(principal, "ReleaseSeat", request)
        command = cmd.ReleaseSeat(player_id, self._now())
        answer = await self._seats.change(key, table_id, player_id, command)
        return pb.ReleaseSeatResponse(sequence=answer.sequence)

    async def buy_in(self, principal: Principal, request: pb.BuyInRequest) -> pb.BuyInResponse:
        amount = checks.number("amount", request.amount, 1, INT64_MAX)
        waits = request.wait_for_big_blind
        content = (amount, waits) if waits else (amount,)
        key, table_id, player_id = _key(principal, "BuyIn", request, *content)
        answer = await self._seats.buy_in(key, table_id, player_id, amount, wait_for_big_blind=waits)
        return pb.BuyInResponse(sequence=answer.sequence, seat=_seat(answer))

    async def rebuy(self, principal: Principal, request: pb.RebuyRequest) -> pb.RebuyResponse:
        amount = checks.number("amount", request.amount, 1, INT64_MAX)
        key, table_id, player_id = _key(principal, "Rebuy", request, amount)
        answer = await self._seats.rebuy(key, table_id, player_id, amount)
        return pb.RebuyResponse(sequence=answer.sequence, seat=_seat(answer))

    async def cash_out(self, principal: Principal, request: pb.CashOutRequest) -> pb.CashOutResponse:
        key, table_id, player_id = _key(principal, "CashOut", request)
        command = cmd.CashOut(player_id, self._now())
        answer = await self._seats.change(key, table_id, player_id, command)
        return pb.CashOutResponse(sequence=answer.sequence, returned=answer.returned, seat=_seat(answer))

    async def dismiss(self, principal: Principal, request: pb.DismissRequest) -> pb.DismissResponse:
        key, table_id, player_id = _key(principal, "Dismiss", request)
        command = cmd.Dismiss(player_id, self._now())
        answer = await self._seats.change(key, table_id, player_id, command)
        return pb.DismissResponse(sequence=answer.sequence, returned=answer.returned, seat=_seat(answer))

    async def sit_out(self, principal: Principal, request: pb.SitOutRequest) -> pb.SitOutResponse:
        key, table_id, player_id = _key(principal, "SitOut", request)
        command = cmd.SitOut(player_id, self._now())
        answer = await self._seats.change(key, table_id, player_id, command)
        return pb.SitOutResponse(sequence=answer.sequence, seat=_seat(answer))

    async def sit_in(self, principal: Principal, request: pb.SitInRequest) -> pb.SitInResponse:
        waits = request.wait_for_big_blind
        key, table_id, player_id = _key(principal, "SitIn", request, waits)
        answer = await self._seats.change(key, table_id, player_id, cmd.SitIn(player_id, waits, self._now()))
        return pb.SitInResponse(sequence=answer.sequence, seat=_seat(answer))

    async def set_preferences(
        self, principal: Principal, request: pb.SetPreferencesRequest
    ) -> pb.SetPreferencesResponse:
        wished = request.preferences
        preferences = Preferences(wished.show_losing_hands, wished.sit_out_next_blind)
        content = msgspec.structs.astuple(preferences)
        key, table_id, player_id = _key(principal, "SetPreferences", request, *content)
        answer = await self._wishes.note(key, table_id, cmd.SetPreferences(player_id, preferences))
        return pb.SetPreferencesResponse(private_sequence=answer.private_sequence)

    async def join_waiting_list(
        self, principal: Principal, request: pb.JoinWaitingListRequest
    ) -> pb.JoinWaitingListResponse:
        vouched = _vouched(principal, request)
        key, table_id, player_id = _key(principal, "JoinWaitingList", request, *_content(request))
        answer = await self._seats.join_waiting_list(key, table_id, player_id, vouched)
        return pb.JoinWaitingListResponse(sequence=answer.sequence, place=answer.place)

    async def leave_waiting_list(
        self, principal: Principal, request: pb.LeaveWaitingListRequest
    ) -> pb.LeaveWaitingListResponse:
        key, table_id, player_id = _key(principal, "LeaveWaitingList", request)
        answer = await self._seats.leave_waiting_list(key, table_id, player_id)
        return pb.LeaveWaitingListResponse(sequence=answer.sequence)


def _vouched(principal: Principal, request: pb.ReserveSeatRequest | pb.JoinWaitingListRequest) -> Vouched:
    """What the caller vouches for; a player's own word counts for nothing, the credential tells where the player is."""
    told = request.vouched
    checks.optional_text("vouched.experience", told.experience)
    checks.optional_text("vouched.scene", told.scene)
    vouched = _told(request)
    if principal.may_vouch():
        return vouched
    if vouched not in (Vouched(), Vouched(scene=principal.scene)):
        raise Refusal("FIELD_NOT_ALLOWED", field="vouched")
    return Vouched(scene=principal.scene)


def _told(request: pb.ReserveSeatRequest | pb.JoinWaitingListRequest) -> Vouched:
    told = request.vouched
    return Vouched(told.experience, told.scene, told.has_pass)


def _content(request: pb.ReserveSeatRequest | pb.JoinWaitingListRequest) -> tuple[str | bool, ...]:
    """What the request says of the player, as part of what it asks for; nothing where it says nothing.

    Not the credential: a repetition may come with another.
    """
    vouched = _told(request)
    return msgspec.structs.astuple(vouched) if vouched != Vouched() else ()


def _key(
    principal: Principal, method: str, request: Any, *content: int | str | bool
) -> tuple[RequestKey, str, str]:
    """The request's key, with its table and its player, checked."""
    request_id = checks.text("request_id", request.request_id)
    table_id = checks.text("table_id", request.table_id)
    player_id = checks.player_id("player_id", request.player_id)
    must_act_for(principal, player_id)
    key = request_key(principal.id, method, request_id, (table_id, player_id, *content))
    return key, table_id, player_id


def _seat(answer: SeatAnswer) -> table_pb2.Seat | None:
    return messages.seat(answer.seat) if answer.seat is not None else None
