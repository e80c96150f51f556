"""Requests carried out by a room, as the servicers do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.simulation.calls import Request
from tests.simulation.life import Life

from croupier.engine import commands as cmd
from croupier.engine.table_events import RequestKey
from croupier.room.requests import request_key
from croupier.room.room import Room

Method = Callable[[RequestKey, Request], Awaitable[Any]]
_SEAT_COMMANDS: Final[dict[str, Callable[[str, int], cmd.Command]]] = {
    "ReleaseSeat": cmd.ReleaseSeat,
    "CashOut": cmd.CashOut,
    "Dismiss": cmd.Dismiss,
    "SitOut": cmd.SitOut,
}
_STATES: Final[dict[str, Callable[[], cmd.Command]]] = {
    "PauseTable": cmd.PauseTable,
    "ResumeTable": cmd.ResumeTable,
    "CloseTable": cmd.CloseTable,
}


class Methods:
    """Those of one life."""

    def __init__(self, room: Room, life: Life) -> None:
        self.room = room
        self._life = life

    def answer(self, request: Request) -> Awaitable[Any]:
        content = [one if isinstance(one, int | str | bool) else repr(one) for one in request.content]
        key = request_key(
            request.principal,
            request.method,
            request.request_id,
            (request.table_id, request.player_id, *content),
        )
        method = request.method
        if method in _SEAT_COMMANDS:
            command = _SEAT_COMMANDS[method](request.player_id, self._life.now())
            return self.room.seats.change(key, request.table_id, request.player_id, command)
        if method in _STATES:
            return self.room.change_state(key, request.table_id, _STATES[method]())
        answer: Method = getattr(self, f"_{method.lower()}")
        return answer(key, request)

    async def _act(self, _: RequestKey, request: Request) -> Any:
        hand, action_sequence, action = request.content
        return await self.room.act(
            request.principal,
            request.request_id,
            request.table_id,
            request.player_id,
            hand,
            action_sequence,
            action,
        )

    async def _createtable(self, key: RequestKey, request: Request) -> Any:
        name, rules, digest = request.content
        return await self.room.create_table(key, name, rules, digest)

    async def _deposit(self, key: RequestKey, request: Request) -> Any:
        return await self.room.bank.deposit(key, request.player_id, *request.content)

    async def _withdraw(self, key: RequestKey, request: Request) -> Any:
        return await self.room.bank.withdraw(key, request.player_id, *request.content)

    async def _reserveseat(self, key: RequestKey, request: Request) -> Any:
        return await self.room.seats.reserve(key, request.table_id, request.player_id, *request.content)

    async def _buyin(self, key: RequestKey, request: Request) -> Any:
        (amount,) = request.content
        return await self.room.seats.buy_in(key, request.table_id, request.player_id, amount)

    async def _rebuy(self, key: RequestKey, request: Request) -> Any:
        return await self.room.seats.rebuy(key, request.table_id, request.player_id, *request.content)

    async def _sitin(self, key: RequestKey, request: Request) -> Any:
        command = cmd.SitIn(request.player_id, *request.content)
        return await self.room.seats.change(key, request.table_id, request.player_id, command)

    async def _joinwaitinglist(self, key: RequestKey, request: Request) -> Any:
        seats = self.room.seats
        return await seats.join_waiting_list(key, request.table_id, request.player_id, *request.content)

    async def _leavewaitinglist(self, key: RequestKey, request: Request) -> Any:
        return await self.room.seats.leave_waiting_list(key, request.table_id, request.player_id)

    async def _setadvanceaction(self, key: RequestKey, request: Request) -> Any:
        hand, action = request.content
        command = cmd.SetAdvanceAction(request.player_id, hand, action, self._life.now())
        return await self.room.wishes.note(key, request.table_id, command)

    async def _setpreferences(self, key: RequestKey, request: Request) -> Any:
        command = cmd.SetPreferences(request.player_id, *request.content)
        return await self.room.wishes.note(key, request.table_id, command)

    async def _showcards(self, key: RequestKey, request: Request) -> Any:
        hand, cards = request.content
        command = cmd.ShowCards(request.player_id, hand, cards, self._life.now())
        return await self.room.wishes.show_cards(key, request.table_id, command)

    async def _commitentropy(self, key: RequestKey, request: Request) -> Any:
        command = cmd.CommitEntropy(request.player_id, *request.content)
        return await self.room.sharing.take(key, request.table_id, command)

    async def _revealentropy(self, key: RequestKey, request: Request) -> Any:
        command = cmd.RevealEntropy(request.player_id, *request.content)
        return await self.room.sharing.take(key, request.table_id, command)

    async def _gethand(self, _: RequestKey, request: Request) -> Any:
        (hand,) = request.content
        return await self.room.records.get(request.table_id, hand, request.player_id)
