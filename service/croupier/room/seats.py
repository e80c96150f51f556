"""Players coming to tables and leaving them: seat commands, the wallet asked first, the waiting list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.seating import buy_in_bounds
from croupier.engine.table_events import RequestKey
from croupier.engine.table_rules import TableRules
from croupier.engine.waiting import place_of
from croupier.room.actor import TableActor
from croupier.room.answers import SeatAnswer, WaitAnswer
from croupier.room.blocks import Blocks
from croupier.room.cashier import Cashier
from croupier.room.failures import Refusal
from croupier.room.ports import RequestRecord, Runtime
from croupier.room.requests import Requests, effect_of, lasting
from croupier.room.views import seat_view

FindTable = Callable[[str], Awaitable[TableActor]]


class Seats:
    """The seats of all tables. Every method answers only once what it did is durable."""

    def __init__(
        self, runtime: Runtime, requests: Requests, cashier: Cashier, blocks: Blocks, table: FindTable
    ) -> None:
        self._runtime = runtime
        self._requests = requests
        self._cashier = cashier
        self._blocks = blocks
        self._table = table

    async def change(
        self, key: RequestKey, table_id: str, player_id: str, command: cmd.Command
    ) -> SeatAnswer:
        """A seat command that brings no money in: release, cash out, dismiss, sit out, sit in."""
        actor = await self._table(table_id)

        async def run() -> SeatAnswer:
            return await self._seat_command(actor, key, player_id, command)

        return await self._requests.once(key, SeatAnswer, run)

    async def _seat_command(
        self, actor: TableActor, key: RequestKey, player_id: str, command: cmd.Command
    ) -> SeatAnswer:
        answers: list[SeatAnswer] = []

        def answer(events: list[Event], sequence: int) -> RequestRecord:
            number = actor.table.seat_of(player_id)
            left = [event for event in events if isinstance(event, tev.PlayerLeft)]
            returned = sum(event.amount for event in left if event.player_id == player_id)
            view = seat_view(actor.table, number) if number else None
            answers.append(SeatAnswer(sequence, view, returned))
            return lasting(key, answers[0])

        await carry_out(actor, command, key, answer)
        return answers[0]

    async def reserve(
        self, key: RequestKey, table_id: str, player_id: str, seat: int, vouched: tev.Vouched
    ) -> SeatAnswer:
        """Hold a seat, where the wallet covers the least buy-in (R-T8) and the player may join (R-T5 to R-T7)."""
        actor = await self._table(table_id)

        async def run() -> SeatAnswer:
            now = await self._time_of_cover(actor, player_id)
            await self._must_not_be_blocked(actor, player_id)
            command = cmd.ReserveSeat(seat, player_id, now, vouched, self._free_day(actor.table.rules))
            return await self._seat_command(actor, key, player_id, command)

        return await self._requests.once(key, SeatAnswer, run)

    async def join_waiting_list(
        self, key: RequestKey, table_id: str, player_id: str, vouched: tev.Vouched
    ) -> WaitAnswer:
        """Wait for a seat at a full table, on the terms on which it could be reserved."""
        actor = await self._table(table_id)

        async def run() -> WaitAnswer:
            now = await self._time_of_cover(actor, player_id)
            await self._must_not_be_blocked(actor, player_id)
            command = cmd.JoinWaitingList(player_id, now, vouched, self._free_day(actor.table.rules))
            return await self._wait_command(actor, key, player_id, command)

        return await self._requests.once(key, WaitAnswer, run)

    async def leave_waiting_list(self, key: RequestKey, table_id: str, player_id: str) -> WaitAnswer:
        """Wait no longer."""
        actor = await self._table(table_id)

        async def run() -> WaitAnswer:
            command = cmd.LeaveWaitingList(player_id, self._runtime.now())
            return await self._wait_command(actor, key, player_id, command)

        return await self._requests.once(key, WaitAnswer, run)

    async def _wait_command(
        self, actor: TableActor, key: RequestKey, player_id: str, command: cmd.Command
    ) -> WaitAnswer:
        answers: list[WaitAnswer] = []

        def answer(_: list[Event], sequence: int) -> RequestRecord:
            answers.append(WaitAnswer(sequence, place_of(actor.table, player_id)))
            return lasting(key, answers[0])

        await carry_out(actor, command, key, answer)
        return answers[0]

    async def _time_of_cover(self, actor: TableActor, player_id: str) -> int:
        """Now, once the wallet is known to cover what the player must at least buy in with."""
        await self._must_not_be_blocked(actor, player_id)
        least, _ = buy_in_bounds(actor.table, player_id, self._runtime.now())
        await self._cashier.must_cover(player_id, actor.table.rules.currency, least)
        return self._runtime.now()

    async def _must_not_be_blocked(self, actor: TableActor, player_id: str) -> None:
        """Raises Refusal PLAYER_BLOCKED, StoreAway."""
        await self._blocks.must_not_stand(player_id, actor.table.rules.house_id)

    def _free_day(self, rules: TableRules) -> bool:
        """Whether anyone may join today (R-T7)."""
        return not rules.free_days or self._runtime.weekday(rules.time_zone) in rules.free_days

    async def buy_in(
        self, key: RequestKey, table_id: str, player_id: str, amount: int, *, wait_for_big_blind: bool = False
    ) -> SeatAnswer:
        """Bring chips to a reserved seat; answered once they are there."""
        actor = await self._table(table_id)

        async def run() -> SeatAnswer:
            now = self._runtime.now()
            command = cmd.RequestBuyIn(player_id, amount, "", key, wait_for_big_blind, now)
            return await self._bring_in(actor, key, command)

        return await self._requests.once(key, SeatAnswer, run)

    async def rebuy(self, key: RequestKey, table_id: str, player_id: str, amount: int) -> SeatAnswer:
        """Bring more chips, where the wallet covers the minimum buy-in (R-T12)."""
        actor = await self._table(table_id)
        rules = actor.table.rules

        async def run() -> SeatAnswer:
            if self._cashier.under_way(key) is None:
                await self._must_not_be_blocked(actor, player_id)
                await self._cashier.must_cover(player_id, rules.currency, rules.min_buy_in)
            return await self._bring_in(actor, key, cmd.RequestRebuy(player_id, amount, "", key))

        return await self._requests.once(key, SeatAnswer, run)

    async def _bring_in(
        self, actor: TableActor, key: RequestKey, command: cmd.RequestBuyIn | cmd.RequestRebuy
    ) -> SeatAnswer:
        """Begin a transfer, unless the request has led to one before a restart, and see it to its end."""
        end = self._cashier.under_way(key)
        if end is None:
            await self._must_not_be_blocked(actor, command.player_id)
            transfer_id = f"{effect_of(key)}-{actor.next_record}"
            named = msgspec.structs.replace(command, transfer_id=transfer_id)
            await carry_out(actor, named, key, None)
            end = self._cashier.drive(actor, actor.table.carried.transfers[transfer_id])
        return await self._cashier.outcome(end)

    def see_through(self, actor: TableActor, transfer: tev.PendingTransfer) -> None:
        """Drive a transfer that the journal holds; its request, where it is made again, waits for its end."""
        end = self._cashier.drive(actor, transfer)
        if transfer.answers is not None:
            self._requests.begin(transfer.answers, SeatAnswer, partial(self._cashier.outcome, end))


async def carry_out(
    actor: TableActor,
    command: cmd.Command,
    key: RequestKey,
    answer: Callable[[list[Event], int], RequestRecord | None] | None,
) -> None:
    """Run a command; its refusal, like its answer, waits for what it depends on."""
    try:
        commit = actor.run(command, key.principal, key.request_id, answer)
    except Refusal:
        await actor.barrier()
        raise
    if commit is not None:
        await commit.durable()
