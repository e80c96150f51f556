"""Bots that play tables over Play for as long as is asked, close them after a while and open others.

Players come back: those of a closed table sit at the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import Final

from grpc.aio import AioRpcError

from croupier.client import Croupier
from croupier.client.errors import error_of
from croupier.client.load.dice import Dice
from croupier.client.load.histogram import Histogram
from croupier.client.load.history.recorder import Act
from croupier.client.load.mix import TableKind, spread
from croupier.client.load.policy import FOLD, Choice, choose
from croupier.client.load.seating import house_of, open_table
from croupier.client.load.table import LoadTable, Setting
from croupier.client.load.tally import Tally
from croupier.client.play import Play
from croupier.v1.betting_service_pb2 import ActRequest, ActResponse
from croupier.v1.betting_service_pb2_grpc import BettingServiceStub
from croupier.v1.hand_pb2 import Decision, LegalActions

PLAYERS: Final = 3
Choose = Callable[[LegalActions, Dice], Choice]
PROBES: Final = 20
"""Of 1,000 actions so many are accompanied by one that must be refused, or a repetition."""


class ByPlay:
    """Act by streams, timed."""

    def __init__(self, streams: Sequence[Play]) -> None:
        self._streams: Final = streams
        self._next = 0
        self._latencies = Histogram()

    def taken(self) -> Histogram:
        """Latencies since the last call."""
        taken, self._latencies = self._latencies, Histogram()
        return taken

    async def __call__(self, request: ActRequest, *, timeout: float) -> ActResponse:
        decision = Decision(
            hand_id=request.hand_id, player_id=request.player_id, action_sequence=request.action_sequence
        )
        self._next = (self._next + 1) % len(self._streams)
        sent = monotonic_ns()
        async with asyncio.timeout(timeout):
            response = await self._streams[self._next].act(
                request.table_id,
                decision,
                request.action,
                request.amount,
                discards=request.discards,
                request_id=request.request_id,
            )
        self._latencies.add(monotonic_ns() - sent)
        return response


class ByAct:
    """Act by calls of its own."""

    def __init__(self, client: Croupier) -> None:
        self._act: Final = BettingServiceStub(client.channel).Act

    async def __call__(self, request: ActRequest, *, timeout: float) -> ActResponse:
        try:
            answer: ActResponse = await self._act(request, timeout=timeout)
        except AioRpcError as failure:
            raise error_of(failure) from None
        return answer


class Bots:
    """Each place has a table at a time, which is played for `most` hands."""

    def __init__(
        self,
        client: Croupier,
        act: Act,
        mix: Sequence[TableKind],
        places: int,
        most: int,
        players: int = PLAYERS,
        choose: Choose = choose,
    ) -> None:
        self.opened = 0
        self.watched: list[tuple[Croupier, int]] = [(client, 1)]
        """By how many each table is watched, over each connection."""
        self._client: Final = client
        self._act: Final = act
        self._kinds: Final = spread(mix, places)
        self._most: Final = most
        self._players: Final = players
        self._choose: Final = choose
        self._tallies: Final = [Tally() for _ in self._kinds]

    @property
    def hands(self) -> int:
        return sum(tally.hands for tally in self._tallies)

    @property
    def acts(self) -> int:
        return sum(tally.acts for tally in self._tallies)

    @property
    def wrong(self) -> list[str]:
        """What was answered that should not have been."""
        return [what for tally in self._tallies for what in tally.wrong]

    async def play(self, hands: int, seed: int) -> None:
        """So many hands or some more. Raises GivenUp, CroupierError, TooManyWrong."""
        async with asyncio.TaskGroup() as group:
            for number in range(len(self._kinds)):
                group.create_task(self._place(number, hands, Dice(seed * 1_000_003 + number)))

    async def _place(self, number: int, hands: int, dice: Dice) -> None:
        """One table after the other; the first closes early, so that they do not all close at once."""
        kind, tally = self._kinds[number], self._tallies[number]
        house = await house_of(self._client, kind.house_id)
        setting = Setting(self._client, self._act, tally, PROBES, self._choose)
        most = dice.between(1, self._most)
        while self.hands < hands:
            seating = await open_table(self._client, house, kind, self._players, "soak", number)
            watching = [
                asyncio.create_task(_watch(client, seating.table_id))
                for client, count in self.watched
                for _ in range(count)
            ]
            try:
                await seating.seat_all()
                self.opened += 1
                table = LoadTable(setting, seating, f"{number}-{self.opened}", dice)
                end = tally.hands + most
                while tally.hands < end and self.hands < hands:
                    await table.step()
                await table.leave()
                await asyncio.gather(*watching)
            finally:
                for task in watching:
                    task.cancel()
                await asyncio.gather(*watching, return_exceptions=True)
            most = self._most


def folding(percent: int) -> Choose:
    """Of those who may, so many fold before they think: hands are short, so that many are played."""

    def choice(legal: LegalActions, dice: Dice) -> Choice:
        if legal.can_fold and dice.below(100) < percent:
            return FOLD, 0
        return choose(legal, dice)

    return choice


async def _watch(client: Croupier, table_id: str) -> None:
    """Until the table has closed."""
    async for _ in client.watch(table_id):
        pass
