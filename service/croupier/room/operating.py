"""What operators do to players: removing, blocking, lifting a block; and the operator log. Wallets are the bank's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.table_events import RequestKey
from croupier.numbers import NS_PER_MS
from croupier.room.actor import TableActor
from croupier.room.answers import BlockAnswer, LiftedAnswer, RemovedAnswer
from croupier.room.bank import submitted
from croupier.room.blocks import Blocks, seconds
from croupier.room.clock import pause
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.listing import Listing, Tables, has
from croupier.room.log_following import LogFollowing
from croupier.room.node_calls import Where
from croupier.room.one_at_a_time import OneAtATime
from croupier.room.operations import Block, LoggedOperation, Operation, OperationQuery, Standing
from croupier.room.ports import DURABLE, RequestRecord, Unit
from croupier.room.requests import Requests, lasting
from croupier.room.seats import FindTable
from croupier.room.services import Services
from croupier.room.standings import with_table

RETRY_NS: Final = 200 * NS_PER_MS


class Operating:
    """Each method answers once what it did is durable, the log's entry with it."""

    def __init__(
        self,
        services: Services,
        requests: Requests,
        blocks: Blocks,
        table: FindTable,
        tables: Callable[[], Iterable[TableActor]],
    ) -> None:
        self._services = services
        self._runtime = services.runtime
        self._requests = requests
        self._blocks = blocks
        self._table = table
        self._tables = tables
        self._one_at_a_time = OneAtATime(services.runtime)
        self.listing: Tables = Listing(tables)
        self.others: LogFollowing | None = None
        """Where other servers write the operator log too: then everyone's blocks are what was read of it."""

    async def operations(self, query: OperationQuery) -> list[LoggedOperation]:
        """The operator log, latest first."""
        return await self._services.store.operations(query)

    async def remove(self, key: RequestKey, table_id: str, player_id: str, reason: str) -> RemovedAnswer:
        """Take a player from a table, at once or after the hand."""
        actor = await self._table(table_id)

        async def run() -> RemovedAnswer:
            before = with_table(actor.table)
            answers: list[RemovedAnswer] = []

            def answer(events: list[Event], sequence: int) -> RequestRecord:
                left = [event for event in events if isinstance(event, tev.PlayerLeft)]
                returned = sum(event.amount for event in left if event.player_id == player_id)
                answers.append(RemovedAnswer(sequence, returned, bool(actor.table.seat_of(player_id))))
                return lasting(key, answers[0])

            def operation(_: list[Event]) -> Operation:
                return self._operation(key, reason, player_id, before, with_table(actor.table), table_id)

            command = cmd.RemovePlayer(player_id, self._runtime.now())
            try:
                commit = actor.run(command, key.principal, key.request_id, answer, operation)
            except Refusal:
                await actor.barrier()
                raise
            if commit is not None:
                await commit.durable()
            return answers[0]

        return await self._requests.once(key, RemovedAnswer, run)

    async def block(self, key: RequestKey, block: Block, reason: str) -> BlockAnswer:
        """Keep a player from playing; the player leaves all tables concerned."""

        async def run() -> BlockAnswer:
            if self.others is not None:
                await self.others.catch_up()
            known = self._blocks.find(block.player_id, block.kind, block.house_id)
            if known is not None and block.kind == "SELF_EXCLUSION" and block.shorter(known):
                raise Refusal("BLOCK_STANDS", until=seconds(known.until))
            at = await self.listing.where(Where(block.player_id, block.house_id, waiting=True))
            answer = BlockAnswer(block, tuple(at))
            before = Standing(block=known, table_ids=answer.table_ids)
            await self._log(key, reason, before, Standing(block=block), block.player_id, lasting(key, answer))
            if self.others is None:
                self._blocks.take(known, block)
                self.enforce(block)
            return answer

        answer = await self._requests.once(
            key, BlockAnswer, lambda: self._one_at_a_time.run(block.player_id, run)
        )
        if self.others is not None:
            await self.others.spread()
        return answer

    async def unblock(self, key: RequestKey, player_id: str, house_id: str, reason: str) -> LiftedAnswer:
        """Lift the operator's block; a self-exclusion ends by itself, and not before."""

        async def run() -> LiftedAnswer:
            if self.others is not None:
                await self.others.catch_up()
            known = self._blocks.find(player_id, "OPERATOR", house_id)
            if known is None:
                excluded = self._blocks.find(player_id, "SELF_EXCLUSION", house_id)
                if excluded is not None:
                    raise Refusal("BLOCK_STANDS", until=seconds(excluded.until))
                raise Refusal("PLAYER_NOT_BLOCKED")
            answer = LiftedAnswer()
            await self._log(key, reason, Standing(block=known), Standing(), player_id, lasting(key, answer))
            if self.others is None:
                self._blocks.take(known, None)
            return answer

        answer = await self._requests.once(key, LiftedAnswer, lambda: self._one_at_a_time.run(player_id, run))
        if self.others is not None:
            await self.others.spread()
        return answer

    def enforce(self, block: Block) -> None:
        """Have the player leave wherever the block says."""
        for actor in self._tables():
            if _concerns(block, actor) and has(actor, block.player_id):
                self._runtime.spawn(self._see_off(actor, block.player_id))

    def enforce_at(self, actor: TableActor) -> None:
        """Have everybody leave a table who is blocked there: after a restart, and once it stands still no longer."""
        table = actor.table
        players = [seat.player_id for seat in table.seats.values()]
        players += [one.player_id for one in table.carried.waiting]
        for player_id in players:
            if self._blocks.standing(player_id, table.rules.house_id) is not None:
                self._runtime.spawn(self._see_off(actor, player_id))

    async def _see_off(self, actor: TableActor, player_id: str) -> None:
        """Remove a blocked player, however often the store is away; a halted table sees to it when it goes on."""
        while True:
            try:
                await actor.barrier()
                blocked = self._blocks.standing(player_id, actor.table.rules.house_id)
                if blocked is None or not has(actor, player_id):
                    return
                commit = actor.run(cmd.RemovePlayer(player_id, self._runtime.now()))
                if commit is not None:
                    await commit.durable()
                return
            except (Refusal, TableHalted):
                return
            except StoreAway:
                await pause(self._runtime, RETRY_NS)

    async def _log(
        self,
        key: RequestKey,
        reason: str,
        before: Standing,
        after: Standing,
        player_id: str,
        request: RequestRecord,
    ) -> None:
        """Write an entry with its request's lasting answer. Raises StoreAway."""
        unit = Unit(request=request, operation=self._operation(key, reason, player_id, before, after))
        outcome = await submitted(self._runtime, self._services.store, unit)
        if outcome is not DURABLE:
            raise StoreAway(repr(outcome))

    def _operation(
        self,
        key: RequestKey,
        reason: str,
        player_id: str,
        before: Standing,
        after: Standing,
        table_id: str = "",
    ) -> Operation:
        now = self._runtime.now()
        return Operation(
            key.method, key.principal, key.request_id, now, reason, table_id, player_id, before, after
        )


def _concerns(block: Block, actor: TableActor) -> bool:
    return block.house_id in ("", actor.table.rules.house_id)
