"""SeatService: seats and the chips that come to them and leave."""

from __future__ import annotations

from typing import Any

from croupier.adapters.rpc import checks, messages
from croupier.adapters.rpc.authority import must_act_for
from croupier.engine import commands as cmd
from croupier.engine.table_events import RequestKey
from croupier.room.answers import SeatAnswer
from croupier.room.ports import Runtime
from croupier.room.principal import Principal
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.v1 import seat_service_pb2 as pb
from croupier.v1 import table_pb2


class SeatServicer:
    """Each method checks its request and puts one command to the room."""

    def __init__(self, room: Room, runtime: Runtime) -> None:
        self._room = room
        self._now = runtime.now

    async def reserve_seat(
        self, principal: Principal, request: pb.ReserveSeatRequest
    ) -> pb.ReserveSeatResponse:
        number = checks.number("seat_number", request.seat_number, 1, 10)
        key, table_id, player_id = _key(principal, "ReserveSeat", request, number)
        answer = await self._room.reserve_seat(key, table_id, player_id, number)
        return pb.ReserveSeatResponse(sequence=answer.sequence, seat=_seat(answer))

    async def release_seat(
        self, principal: Principal, request: pb.ReleaseSeatRequest
    ) -> pb.ReleaseSeatResponse:
        key, table_id, player_id = _key(principal, "ReleaseSeat", request)
        answer = await self._room.change_seat(key, table_id, player_id, cmd.ReleaseSeat(player_id))
        return pb.ReleaseSeatResponse(sequence=answer.sequence)

    async def buy_in(self, principal: Principal, request: pb.BuyInRequest) -> pb.BuyInResponse:
        amount = checks.amount("amount", request.amount)
        key, table_id, player_id = _key(principal, "BuyIn", request, amount)
        answer = await self._room.buy_in(key, table_id, player_id, amount)
        return pb.BuyInResponse(sequence=answer.sequence, seat=_seat(answer))

    async def rebuy(self, principal: Principal, request: pb.RebuyRequest) -> pb.RebuyResponse:
        amount = checks.amount("amount", request.amount)
        key, table_id, player_id = _key(principal, "Rebuy", request, amount)
        answer = await self._room.rebuy(key, table_id, player_id, amount)
        return pb.RebuyResponse(sequence=answer.sequence, seat=_seat(answer))

    async def cash_out(self, principal: Principal, request: pb.CashOutRequest) -> pb.CashOutResponse:
        key, table_id, player_id = _key(principal, "CashOut", request)
        command = cmd.CashOut(player_id, self._now())
        answer = await self._room.change_seat(key, table_id, player_id, command)
        return pb.CashOutResponse(sequence=answer.sequence, returned=answer.returned, seat=_seat(answer))

    async def dismiss(self, principal: Principal, request: pb.DismissRequest) -> pb.DismissResponse:
        key, table_id, player_id = _key(principal, "Dismiss", request)
        command = cmd.Dismiss(player_id, self._now())
        answer = await self._room.change_seat(key, table_id, player_id, command)
        return pb.DismissResponse(sequence=answer.sequence, returned=answer.returned, seat=_seat(answer))

    async def sit_out(self, principal: Principal, request: pb.SitOutRequest) -> pb.SitOutResponse:
        key, table_id, player_id = _key(principal, "SitOut", request)
        command = cmd.SitOut(player_id, self._now())
        answer = await self._room.change_seat(key, table_id, player_id, command)
        return pb.SitOutResponse(sequence=answer.sequence, seat=_seat(answer))

    async def sit_in(self, principal: Principal, request: pb.SitInRequest) -> pb.SitInResponse:
        waits = request.wait_for_big_blind
        key, table_id, player_id = _key(principal, "SitIn", request, waits)
        answer = await self._room.change_seat(key, table_id, player_id, cmd.SitIn(player_id, waits))
        return pb.SitInResponse(sequence=answer.sequence, seat=_seat(answer))


def _key(
    principal: Principal, method: str, request: Any, *content: int | bool
) -> tuple[RequestKey, str, str]:
    """The request's key, with its table and its player, checked."""
    request_id = checks.text("request_id", request.request_id)
    table_id = checks.text("table_id", request.table_id)
    player_id = checks.text("player_id", request.player_id)
    must_act_for(principal, player_id)
    key = request_key(principal.id, method, request_id, (table_id, player_id, *content))
    return key, table_id, player_id


def _seat(answer: SeatAnswer) -> table_pb2.Seat | None:
    return messages.seat(answer.seat) if answer.seat is not None else None
