"""A server in the test's own process, a backend that plays on it, and watchers that keep what they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from grpc import StatusCode, aio
from tests.support.vouching import PASS

from croupier.app import App
from croupier.client import Croupier
from croupier.config import Settings
from croupier.v1 import hand_pb2, house_pb2
from croupier.v1.event_pb2 import TableEvent
from croupier.v1.hand_pb2 import Decision
from croupier.v1.table_service_pb2 import StreamEnd, WatchTableRequest, WatchTableResponse

HOUSE: Final = "puzzle_pirates"
CURRENCY: Final = "PoE"
WEALTH: Final = 100_000
PATIENCE: Final = 20.0
"""Seconds after which what was waited for is held not to come."""
GOING_DOWN: Final = (StatusCode.UNAVAILABLE, StatusCode.CANCELLED)
"""How a server on its way down, or gRPC for it, refuses what another one answers."""

UNBUFFERED: Final = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 0))
"""Channel options by which a reader that does not read stalls its server after one message."""

T = TypeVar("T")


@asynccontextmanager
async def running(directory: Path, *, drain_timeout: int = 0, **settings: Any) -> AsyncIterator[App]:
    """A server over the store in `directory`, which may hold what an earlier one left."""
    settings.setdefault("store", f"sqlite:{directory / 'croupier.db'}")
    app = App(Settings(port=0, http_port=0, drain_timeout=drain_timeout, **settings))
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


class Backend(Croupier):
    """A game's backend: opens tables, seats players, and plays for all of them."""

    async def open_table(
        self, *players: str, seat_count: int = 6, pause: float | None = 0, name: str = ""
    ) -> str:
        """A no limit table of 1 and 2 with the players on seats 1, 2, … and 100 chips each; its table_id."""
        table = await self.create_table(
            HOUSE,
            house_pb2.BET_STRUCTURE_NO_LIMIT,
            2,
            seat_count,
            name=name,
            hand_pause=None if pause is None else timedelta(seconds=pause),
        )
        for seat, player in enumerate(players, start=1):
            await self.sit(table.table_id, player, seat)
        return table.table_id

    async def sit(self, table_id: str, player_id: str, seat: int, amount: int = 100) -> None:
        """Fill the wallet, reserve, buy in."""
        await self.deposit(player_id, CURRENCY, WEALTH)
        await self.reserve_seat(table_id, player_id, seat, vouched=PASS)
        await self.buy_in(table_id, player_id, amount)

    async def decision(self, table_id: str) -> Decision:
        """The decision that stands, with its legal actions; an empty one where nobody has to act."""
        decision = (await self.get_table(table_id)).next_decision
        if not decision.player_id:
            return decision
        return (await self.get_legal_actions(table_id, decision.player_id)).decision

    async def dealt(self, table_id: str) -> Decision:
        """The decision that stands, once one does."""
        async with asyncio.timeout(PATIENCE):
            while not (decision := await self.decision(table_id)).player_id:
                await asyncio.sleep(0.01)
        return decision

    async def check_or_call(self, table_id: str, decision: Decision) -> Decision:
        """The decision that follows; a check is spelt so, not as a call of nothing."""
        call = decision.legal_actions.call_amount
        kind = hand_pb2.ACTION_KIND_CALL if call else hand_pb2.ACTION_KIND_CHECK
        return (await self.act(table_id, decision, kind)).next_decision

    async def play(self, table_id: str, random: Random, *, until_hand: int) -> Decision:
        """Choose among what is legal until hand `until_hand` has begun, or nobody has to act."""
        decision = await self.decision(table_id)
        while decision.hand_id and number_of(decision) < until_hand:
            kind, amount = choice(decision, random)
            decision = (await self.act(table_id, decision, kind, amount)).next_decision
        return decision

    def watching(self, table_id: str, player_id: str = "", **request: Any) -> Watching:
        """A stream that is read from now on."""
        return Watching(self.stream(table_id, player_id, **request))

    def stream(self, table_id: str, player_id: str = "", **request: Any) -> aio.UnaryStreamCall[Any, bytes]:
        """A stream of serialized messages that nobody reads yet."""
        method: aio.UnaryStreamMultiCallable[Any, bytes] = self.channel.unary_stream(
            "/croupier.v1.TableService/WatchTable", request_serializer=WatchTableRequest.SerializeToString
        )
        asked = WatchTableRequest(table_id=table_id, player_id=player_id, **request)
        return method(asked)


def number_of(decision: Decision) -> int:
    """The number of a decision's hand."""
    return int(decision.hand_id.rpartition("/")[2])


def choice(decision: Decision, random: Random) -> tuple[hand_pb2.ActionKind.ValueType, int]:
    """A legal action: mostly passive, now and then all in."""
    legal, luck = decision.legal_actions, random.random()
    if luck < 0.1 and not legal.can_check:
        return hand_pb2.ACTION_KIND_FOLD, 0
    if luck > 0.97 and legal.all_in_to:
        return hand_pb2.ACTION_KIND_ALL_IN, 0
    if luck > 0.8 and legal.max_raise_to:
        return hand_pb2.ACTION_KIND_RAISE_TO, legal.min_raise_to
    if luck > 0.8 and legal.max_bet_to:
        return hand_pb2.ACTION_KIND_BET_TO, legal.min_bet_to
    return (hand_pb2.ACTION_KIND_CHECK if legal.can_check else hand_pb2.ACTION_KIND_CALL), 0


class Watching:
    """Reads one stream as fast as it comes; each message must be what it would be serialized anew."""

    def __init__(self, call: aio.UnaryStreamCall[Any, bytes]) -> None:
        self.call = call
        self.raw: list[bytes] = []
        self.messages: list[WatchTableResponse] = []
        self.failure: aio.AioRpcError | None = None
        self._news = asyncio.Condition()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for raw in self.call:
                message = WatchTableResponse.FromString(raw)
                async with self._news:
                    self.raw.append(raw)
                    self.messages.append(message)
                    self._news.notify_all()
        except aio.AioRpcError as failure:
            self.failure = failure
        async with self._news:
            self._news.notify_all()

    async def until(self, condition: Callable[[Watching], bool]) -> None:
        """Return once the condition holds. Raises TimeoutError where it does not come to that."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: condition(self))

    async def reach(self, sequence: int) -> None:
        """Return once everything up to `sequence` has come."""
        await self.until(lambda watching: watching.sequence >= sequence)

    async def finished(self) -> StatusCode:
        """The status that the stream ended with."""
        async with asyncio.timeout(PATIENCE):
            await self._task
            return await self.call.code()

    async def cancel(self) -> None:
        """Read no more."""
        self._task.cancel()
        self.call.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def sequence(self) -> int:
        """The last sequence that has come."""
        events = self.events
        return events[-1].sequence if events else self.messages[0].snapshot.sequence if self.messages else 0

    @property
    def events(self) -> list[TableEvent]:
        """All events, in the order they came."""
        return [event for message in self.messages for event in message.events.events]

    @property
    def end(self) -> StreamEnd:
        """What the stream ended with; it must have."""
        assert self.messages[-1].WhichOneof("news") == "end", self.messages[-1]
        return self.messages[-1].end

    def of(self, kind: str) -> list[Any]:
        """The events of one kind, named as TableEvent's field is."""
        return [getattr(event, kind) for event in self.events if event.WhichOneof("event") == kind]


def must_be_gapless(events: Sequence[TableEvent], after: int) -> None:
    """Fails unless the events' sequences go on from `after` one by one, each possibly several times."""
    known = after
    for event in events:
        assert event.sequence in (known, known + 1), f"{event.sequence} came after {known}"
        known = event.sequence
