"""What stands between callers and the room in one life of the service, as the servicers do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from tests.simulation.calls import AWAY, Receive, Reply, Request
from tests.simulation.checks import Checks
from tests.simulation.disk import Disk
from tests.simulation.life import Life
from tests.simulation.shadow import MASTER_KEY
from tests.simulation.stream import Stream
from tests.simulation.world import World

from croupier.adapters.games import GAMES
from croupier.engine import commands as cmd
from croupier.engine.table_events import RequestKey
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.observer import Unobserved
from croupier.room.requests import request_key
from croupier.room.room import Room
from croupier.room.seal import Seal
from croupier.room.services import Services
from croupier.room.wallet_ports import Wallet, WalletAway

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


class Alarms(Unobserved):
    """Tells the checks of what may never happen."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table_halted(self, table_id: str, violation: Exception) -> None:
        self._world.violated(f"table {table_id} halted: {violation!r}")


class Server:
    """Answers nothing until every table is back."""

    def __init__(self, world: World, life: Life, disk: Disk, wallet: Wallet, checks: Checks) -> None:
        self.life = life
        self.ready = False
        self.world = world
        self.checks = checks
        self.room = Room(Services(life, disk, Seal(MASTER_KEY), Alarms(world)), wallet, GAMES)
        life.spawn(self._start())

    async def _start(self) -> None:
        await self.room.recover()
        self.ready = True

    def take(self, request: Request, receive: Receive) -> None:
        """A request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(self._serve(request, receive))
        else:
            receive(AWAY)

    async def _serve(self, request: Request, receive: Receive) -> None:
        arrived = self.checks.moment()
        try:
            reply = Reply("done", await self._answer(request))
        except Refusal as refusal:
            reply = Reply("refused", reason=refusal.reason)
        except (StoreAway, WalletAway):
            reply = AWAY
        except TableHalted as halted:
            reply = Reply("refused", reason=halted.reason)
        self.checks.replied(request, reply, arrived)
        receive(reply)

    def _answer(self, request: Request) -> Awaitable[Any]:
        content = [one if isinstance(one, int | str | bool) else repr(one) for one in request.content]
        key = request_key(
            request.principal,
            request.method,
            request.request_id,
            (request.table_id, request.player_id, *content),
        )
        method = request.method
        if method in _SEAT_COMMANDS:
            command = _SEAT_COMMANDS[method](request.player_id, self.life.now())
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
        command = cmd.SetAdvanceAction(request.player_id, hand, action, self.life.now())
        return await self.room.wishes.note(key, request.table_id, command)

    async def _setpreferences(self, key: RequestKey, request: Request) -> Any:
        command = cmd.SetPreferences(request.player_id, *request.content)
        return await self.room.wishes.note(key, request.table_id, command)

    async def _showcards(self, key: RequestKey, request: Request) -> Any:
        hand, cards = request.content
        command = cmd.ShowCards(request.player_id, hand, cards, self.life.now())
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

    def watch(self, stream: Stream) -> None:
        """A watcher's request has arrived."""
        if self.life.alive and self.ready:
            self.life.spawn(stream.serve(self.room, self.life))
        else:
            stream.broken()
