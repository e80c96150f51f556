"""Plays the given cases about a service: calls, time and streams, in simulated time and with the deck they name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final
from unittest.mock import patch

from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.fakes.unobserved import Unobserved
from tests.support.cases import Case, deck_of

from croupier.adapters.rpc.betting_servicer import BettingServicer
from croupier.adapters.rpc.watch_stream import WatchStream
from croupier.engine import events as ev
from croupier.engine.rake import NO_RAKE
from croupier.engine.rotation import plan_hand
from croupier.room.failures import Refusal
from croupier.room.principal import LOCAL
from croupier.room.views import DecisionView
from croupier.v1 import betting_service_pb2 as betting
from croupier.v1 import hand_pb2
from croupier.v1.table_service_pb2 import WatchTableRequest, WatchTableResponse

PAUSE_S: Final = 3
_KINDS: Final = {
    "fold": hand_pb2.ACTION_KIND_FOLD,
    "check": hand_pb2.ACTION_KIND_CHECK,
    "call": hand_pb2.ACTION_KIND_CALL,
    "bet": hand_pb2.ACTION_KIND_BET_TO,
    "raise_to": hand_pb2.ACTION_KIND_RAISE_TO,
    "all_in": hand_pb2.ACTION_KIND_ALL_IN,
}
OBSERVER: Final = -1
"""The seat of whoever watches without one; the cases' seats count from 0."""


def player(seat: int) -> str:
    """Who sits on a case's seat."""
    return f"player-{seat}" if seat != OBSERVER else ""


class CaseTable:
    """One case under way. `outcomes` are what the steps came to, `streams` what each seat was sent."""

    def __init__(self, told: Case, runtime: SimulatedRuntime) -> None:
        self.told = told
        self.runtime = runtime
        self.table: SimulatedTable
        self.outcomes: list[str] = []
        self.streams: dict[int, list[WatchTableResponse]] = {}
        self.paid_by_answer: list[int] = []
        self.started_at = 0
        self._servicer: BettingServicer
        self._connections: dict[int, asyncio.Task[None]] = {}
        self._answers: dict[str, tuple[DecisionView, betting.ActResponse]] = {}
        self._last: DecisionView
        self._requests = 0

    async def open(self) -> None:
        """The table with the case's players, and its first hand dealt."""
        told = self.told
        config = told.get("config", {})
        self.table = await SimulatedTable.open(
            self.runtime,
            hand_pause_ms=PAUSE_S * 1000,
            small_bet=told["bb"],
            big_bet=2 * told["bb"],
            small_blind=told["sb"],
            big_blind=told["bb"],
            min_buy_in=1,
            max_buy_in=config.get("max_buyin", 10_000),
            seat_count=len(told["stacks"]),
            action_time_ms=config.get("turn_ms", 20_000),
            wait_near_button=False,
            bring_in=False,
            rake=NO_RAKE,
        )
        self._servicer = BettingServicer(self.table.room, self.runtime)
        self.connect(OBSERVER)
        for seat, stack in enumerate(told["stacks"]):
            if stack:
                self.connect(seat)
                await self.table.sit(player(seat), seat + 1, stack)
        await self.table.sleep(PAUSE_S)
        self.started_at = self.runtime.now()
        self._last = self.table.decision
        assert self.table.heard(ev.HandStarted)[0].button_seat == told["button"] + 1

    def deal(self, _: bytes) -> bytes:
        """In place of the shuffle: the deck that the case names for the hand."""
        plan = plan_hand(self.table.actor.table)
        assert plan is not None
        second = bool(self.table.actor.table.carried.hand_number)
        hole = self.told.get("hole2" if second else "hole", {})
        return deck_of(self.told | {"hole": hole}, [seat - 1 for seat in plan.seats])

    def connect(self, seat: int) -> None:
        """Have a player watch the table."""
        sent = self.streams.setdefault(seat, [])

        async def write(raw: bytes) -> None:
            sent.append(WatchTableResponse.FromString(raw))

        stream = WatchStream(self.table.room, self.runtime, Unobserved())
        request = WatchTableRequest(table_id=self.table.table_id, player_id=player(seat))
        self._connections[seat] = asyncio.ensure_future(stream.watch(LOCAL, request, write))

    async def play(self) -> None:
        """All steps of the case."""
        await self.open()
        for name, *told in self.told["steps"]:
            step: Callable[..., Awaitable[None]] = getattr(self, f"_{name}")
            await step(*told)
            await self.runtime.idle()
        for connection in self._connections.values():
            connection.cancel()
        await asyncio.gather(*self._connections.values(), return_exceptions=True)

    # the steps

    async def _act(self, seat: int, verb: str, *rest: Any) -> None:
        amount = next((one for one in rest if isinstance(one, int)), 0)
        options: dict[str, str] = next((one for one in rest if isinstance(one, dict)), {})
        self._requests += 1
        request_id = options.get("req_id", f"act {self._requests}")
        first = self._answers.get(request_id)
        decision = first[0] if first else self.table.actor.decision() or self._last
        self._last = decision
        try:
            answer = await self._servicer.act(LOCAL, self._request(request_id, decision, seat, verb, amount))
        except Refusal:
            self.outcomes.append("rejected")
            return
        self.paid_by_answer.append(answer.result.paid)
        self.outcomes.append("same_result" if first and first[1] == answer else "ok")
        self._answers[request_id] = (decision, answer)

    def _request(
        self, request_id: str, decision: DecisionView, seat: int, verb: str, amount: int
    ) -> betting.ActRequest:
        return betting.ActRequest(
            request_id=request_id,
            table_id=self.table.table_id,
            player_id=player(seat),
            hand_id=f"{self.table.table_id}/{decision.hand_number}",
            action_sequence=decision.action_sequence,
            action=_KINDS[verb],
            amount=amount,
        )

    async def _timeout(self, seat: int) -> None:
        assert self.actor == seat
        await self.table.time_out()

    async def _disconnect(self, seat: int) -> None:
        self._connections[seat].cancel()

    async def _disconnect_and_timeout(self, seat: int) -> None:
        await self._disconnect(seat)
        await self.runtime.idle()
        await self._timeout(seat)

    async def _clock_advance_ms(self, span: int) -> None:
        await self.table.sleep(span / 1000)

    async def _expect_actor(self, seat: int) -> None:
        assert self.actor == seat

    async def _add_chips(self, seat: int, amount: int) -> None:
        answer = await self.table.rebuy(player(seat), amount)
        assert answer.seat is not None
        self.outcomes.append("queued" if answer.seat.queued_rebuy == amount else "ok")

    async def _sit(self, seat: int, amount: int) -> None:
        self.connect(seat)
        await self.table.sit(player(seat), seat + 1, amount)

    async def _leave(self, seat: int) -> None:
        await self.table.dismiss(player(seat))

    async def _checkdown_to(self, street: str) -> None:
        names = [plan.street.name.lower() for plan in self.table.actor.table.hand_rules.game.streets]
        while (hand := self.table.actor.table.hand) is not None and names[hand.street] != street:
            await self.table.check_or_call()

    async def _run_out(self) -> None:
        assert self.table.actor.table.hand is None, "somebody still has to act"

    async def _next_hand(self) -> None:
        await self.table.sleep(PAUSE_S)

    async def _snapshot(self, _: str) -> None:
        self.streams[OBSERVER].clear()
        self._connections[OBSERVER].cancel()
        self.connect(OBSERVER)

    # what came of it

    @property
    def actor(self) -> int:
        """The seat that must act."""
        return self.table.decision.seat - 1

    def stacks(self) -> list[int]:
        """Chips behind, seat by seat; whoever is gone has none."""
        table = self.table.actor.table
        return [
            table.chips_at(seat + 1) if seat + 1 in table.seats else 0
            for seat in range(len(self.told["stacks"]))
        ]

    def stacks_of_ended_hand(self) -> list[int]:
        """Chips that the last hand to end left each seat; of seats not in it, what they have."""
        ended = self.table.heard(ev.HandEnded)[-1]
        left = dict(zip(ended.seats, ended.stacks, strict=True))
        return [left.get(seat + 1, stack) for seat, stack in enumerate(self.stacks())]

    def action_of(self, seat: int) -> list[tuple[str, ev.Cause]]:
        """What was done at a seat by check or fold, and why."""
        done = [event for event in self.noted if isinstance(event, ev.Checked | ev.Folded)]
        words = {ev.Checked: "check", ev.Folded: "fold"}
        return [(words[type(event)], event.cause) for event in done if event.seat == seat + 1]

    @property
    def noted(self) -> list[ev.Event]:
        """All events so far."""
        return [one.event for one in self.table.noted]


def played(told: Case) -> CaseTable:
    """The case, played to its end."""
    made: list[CaseTable] = []

    async def scenario(runtime: SimulatedRuntime) -> None:
        case = CaseTable(told, runtime)
        made.append(case)
        with patch("croupier.room.actor.shuffled", case.deal):
            await case.play()

    simulated()(scenario)()
    return made[0]
