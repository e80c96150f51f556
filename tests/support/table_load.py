"""Clients in a process of their own: play tables, watch them as every player, log all that they are told.

table_load.py TARGET LOG TABLE_ID… — until SIGTERM, whatever happens to the server meanwhile. A request that
gets no answer is repeated, with its request_id, until there is one. At each table one action is in flight at
a time, and beside it one request about seats or money.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import uuid
from pathlib import Path
from typing import Any, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import uvloop
from tests.support.client_log import Answered, Heard, LogWriter, Refused, Sent
from tests.support.vouching import PASS

from croupier.client import errors
from croupier.client.croupier import Croupier
from croupier.client.load.dice import Dice
from croupier.client.load.policy import choose
from croupier.client.retry import Retry, repeatedly
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2, table_pb2
from croupier.v1 import seat_service_pb2 as seats
from croupier.v1 import settlement_service_pb2 as settlement
from croupier.v1.annotation_pb2 import Annotation
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.seat_service_pb2_grpc import SeatServiceStub
from croupier.v1.settlement_service_pb2_grpc import SettlementServiceStub
from croupier.v1.table_service_pb2 import EventBatch

PLAYERS: Final = 3
CURRENCY: Final = "PoE"
_PATIENCE: Final = Retry(attempts=10_000, timeout=30, first_pause=0.02, longest_pause=0.1)


def players_of(table_id: str) -> list[str]:
    """Who plays at a table: the first sits on seat 1, and so on."""
    return [f"{table_id}-{number}" for number in range(1, PLAYERS + 1)]


class Clients:
    """One connection, one log."""

    def __init__(self, target: str, log: LogWriter) -> None:
        self.croupier = Croupier(target, retry=_PATIENCE)
        self.stopping = False
        self._log = log
        channel = self.croupier.channel
        self._stubs = [stub(channel) for stub in (BettingServiceStub, SeatServiceStub, SettlementServiceStub)]

    async def call(self, request: Any, request_id: str = "") -> Any:
        """The answer, or the reason of the refusal; both are in the log before anything is sent after them."""
        method = type(request).__name__.removesuffix("Request")
        request.request_id = request_id or uuid.uuid4().hex
        stub = next(stub for stub in self._stubs if hasattr(stub, method))
        self._log.write(Sent(request.request_id, method, request.SerializeToString()))
        try:
            response = await repeatedly(_PATIENCE, getattr(stub, method), request)
        except errors.Refused as refused:
            self._log.write(Refused(request.request_id, refused.reason))
            return refused.reason
        self._log.write(Answered(request.request_id, response.SerializeToString()))
        return response

    def hear(self, table_id: str, player_id: str, event: TableEvent) -> None:
        self._log.write(Heard(table_id, player_id, event.SerializeToString(deterministic=True)))


class TableClients:
    """The players of one table."""

    def __init__(self, clients: Clients, table_id: str, seed: int) -> None:
        self._clients = clients
        self._table_id = table_id
        self._players = players_of(table_id)
        self._dice = Dice(seed)
        self._last: betting.ActRequest | None = None

    async def watch(self, player_id: str) -> None:
        """Hear everything that the player may know, from the first event on."""
        async for news in self._clients.croupier.watch(self._table_id, player_id, resume_after=0):
            if isinstance(news, Annotation):
                continue
            assert isinstance(news, EventBatch)
            for event in news.events:
                self._clients.hear(self._table_id, player_id, event)

    async def play(self) -> None:
        """Act whenever somebody has to."""
        decision = hand_pb2.Decision()
        while not self._clients.stopping:
            if not decision.hand_id:
                decision = await self._standing()
            if not decision.hand_id:
                await asyncio.sleep(0.01)
                continue
            await self._try_what_is_refused(decision)
            answer = await self._act(decision)
            decision = answer.next_decision

    async def _standing(self) -> hand_pb2.Decision:
        """The decision that stands, with what may be done."""
        croupier = self._clients.croupier
        decision = (await croupier.get_table(self._table_id)).next_decision
        if not decision.hand_id:
            return decision
        return (await croupier.get_legal_actions(self._table_id, decision.player_id)).decision

    async def _act(self, decision: hand_pb2.Decision) -> betting.ActResponse:
        action, amount = choose(decision.legal_actions, self._dice)
        self._last = self._request(decision, action, amount)
        answer = await self._clients.call(self._last)
        if not isinstance(answer, betting.ActResponse):
            return betting.ActResponse()
        return answer

    async def _try_what_is_refused(self, decision: hand_pb2.Decision) -> None:
        """Now and then repeat what was answered, or ask for what may not be done."""
        draw = self._dice.below(40)
        if draw == 0 and self._last is not None:
            again = betting.ActRequest()
            again.CopyFrom(self._last)
            await self._clients.call(again, self._last.request_id)
        elif draw == 1:
            await self._clients.call(self._request(decision, hand_pb2.ACTION_KIND_RAISE_TO, 10**9))

    def _request(
        self, decision: hand_pb2.Decision, action: hand_pb2.ActionKind.ValueType, amount: int
    ) -> betting.ActRequest:
        return betting.ActRequest(
            table_id=self._table_id,
            player_id=decision.player_id,
            hand_id=decision.hand_id,
            action_sequence=decision.action_sequence,
            action=action,
            amount=amount,
        )

    async def move_money(self) -> None:
        """Keep the seats filled, and chips on their way."""
        while not self._clients.stopping:
            table = await self._clients.croupier.get_table(self._table_id)
            taken = {seat.seat_number: seat for seat in table.seats}
            for number, player_id in enumerate(self._players, start=1):
                await self._move(player_id, number, taken.get(number), table.options.stakes.max_buy_in)
            await asyncio.sleep(0.02)

    async def _move(self, player_id: str, number: int, seat: table_pb2.Seat | None, most: int) -> None:
        who: dict[str, Any] = {"table_id": self._table_id, "player_id": player_id}
        call, draw = self._clients.call, self._dice.below(12)
        if seat is None:
            await call(settlement.DepositRequest(player_id=player_id, currency=CURRENCY, amount=most))
            await call(seats.ReserveSeatRequest(**who, seat_number=number, vouched=PASS))
            await call(seats.BuyInRequest(**who, amount=most))
        elif seat.state == table_pb2.SEAT_STATE_RESERVED:
            await call(seats.BuyInRequest(**who, amount=most))
        elif draw == 0:
            await call(seats.CashOutRequest(**who))
        elif draw < 3 and seat.stack < most // 2:
            await call(settlement.DepositRequest(player_id=player_id, currency=CURRENCY, amount=most))
            await call(seats.RebuyRequest(**who, amount=most // 4))


async def main(target: str, path: Path, table_ids: list[str]) -> None:
    clients = Clients(target, LogWriter(path))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, setattr, clients, "stopping", True)
    async with asyncio.TaskGroup() as watching:
        watches = []
        async with asyncio.TaskGroup() as playing:
            for seed, table_id in enumerate(table_ids):
                table = TableClients(clients, table_id, seed)
                watches += [watching.create_task(table.watch(player)) for player in players_of(table_id)]
                playing.create_task(table.play())
                playing.create_task(table.move_money())
        for watch in watches:
            watch.cancel()
    await clients.croupier.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
