"""A table that stands still resolved by an operator: what would come of it, and doing it by a token of that."""

from __future__ import annotations

import copy
import hashlib
import hmac
from collections.abc import Callable

import msgspec

from croupier.engine import commands as cmd
from croupier.engine import table_events as tev
from croupier.engine.events import Event
from croupier.engine.rejection import Rejected
from croupier.engine.table import Table
from croupier.engine.table_events import RequestKey
from croupier.engine.table_play import execute
from croupier.room.actor import TableActor
from croupier.room.answers import ResolvedAnswer
from croupier.room.bank import submitted
from croupier.room.failures import Refusal, StoreAway
from croupier.room.operations import Operation, Standing, TableStanding
from croupier.room.ports import DURABLE, RequestRecord, Unit
from croupier.room.requests import Requests, lasting
from croupier.room.seats import FindTable
from croupier.room.services import Services
from croupier.room.standings import of_table

_SECRET_BYTES = 32


class Resolution(msgspec.Struct, frozen=True):
    """What an operator wants of a table: its hand voided, or that it goes on."""

    table_id: str
    void: bool
    reason: str


class Resolving:
    """Tokens are of this run of the service: their secret is kept nowhere."""

    def __init__(
        self,
        services: Services,
        requests: Requests,
        goes_on: Callable[[TableActor], None],
        table: FindTable,
    ) -> None:
        """`goes_on` is told of each table that stands still no longer."""
        self._services = services
        self._requests = requests
        self._goes_on = goes_on
        self._table = table
        self._secret = services.runtime.entropy(_SECRET_BYTES)

    async def try_out(self, wanted: Resolution) -> ResolvedAnswer:
        """What would come of it, by the engine on a copy of the table; nothing is changed."""
        actor = await self._stopped(wanted)
        before = of_table(actor.table, halted=bool(actor.halted))
        return ResolvedAnswer(actor.sequence, before, self._after(actor, wanted), self._token(actor, wanted))

    async def resolve(self, key: RequestKey, wanted: Resolution, token: str) -> ResolvedAnswer:
        """Do it, where the table is as it was when the token was given. Raises Refusal RESOLUTION_STALE."""

        async def run() -> ResolvedAnswer:
            actor = await self._stopped(wanted)
            if not hmac.compare_digest(token.encode(), self._token(actor, wanted).encode()):
                raise Refusal("RESOLUTION_STALE", table_id=wanted.table_id, sequence=actor.sequence)
            if actor.halted and not wanted.void:
                return await self._lift(actor, key, wanted)
            return await self._carry_out(actor, key, wanted)

        return await self._requests.once(key, ResolvedAnswer, run)

    async def _stopped(self, wanted: Resolution) -> TableActor:
        """The table, which stands still and can be resolved so. A damaged journal is read anew."""
        actor = await self._table(wanted.table_id)
        await actor.recovery.look_again()
        await actor.barrier()
        table = actor.table
        state = table.carried.state
        if state is tev.TableState.CLOSED:
            raise Refusal("TABLE_CLOSED", table_id=wanted.table_id)
        if not actor.halted and state is not tev.TableState.PAUSED:
            raise Refusal("TABLE_NOT_STOPPED", table_id=wanted.table_id, state=state.name)
        if wanted.void and table.hand is None:
            raise Refusal("HAND_NOT_IN_PROGRESS", table_id=wanted.table_id)
        if actor.recovery.wrong and not wanted.void:
            raise Refusal("TABLE_NOT_FOLDED", table_id=wanted.table_id)
        return actor

    def _token(self, actor: TableActor, wanted: Resolution) -> str:
        message = b"\0".join((actor.table_id.encode(), b"%d" % wanted.void, actor.state_mark()))
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()

    def _after(self, actor: TableActor, wanted: Resolution) -> TableStanding:
        if actor.halted and not wanted.void:
            return of_table(actor.table)
        tried: Table = copy.deepcopy(actor.table)
        decided = execute(tried, self._command(wanted))
        if isinstance(decided, Rejected):
            raise Refusal(decided.reason, **decided.facts)
        return of_table(tried)

    def _command(self, wanted: Resolution) -> cmd.ResolveTable:
        return cmd.ResolveTable(wanted.void, self._services.runtime.now())

    async def _carry_out(self, actor: TableActor, key: RequestKey, wanted: Resolution) -> ResolvedAnswer:
        """By a record of the table, with the operator log's entry; a halted table goes on once that is durable."""
        before = of_table(actor.table, halted=bool(actor.halted))
        answers: list[ResolvedAnswer] = []

        def answer(_: list[Event], sequence: int) -> RequestRecord:
            answers.append(ResolvedAnswer(sequence, before, of_table(actor.table)))
            return lasting(key, answers[0])

        def operation(_: list[Event]) -> Operation:
            return self._operation(key, wanted, before, answers[0].after)

        commit = actor.run(self._command(wanted), key.principal, key.request_id, answer, operation)
        if commit is not None:
            await commit.durable()
        if actor.halted:
            actor.recovery.wrong = ""
            actor.go_on()
            self._goes_on(actor)
        return answers[0]

    async def _lift(self, actor: TableActor, key: RequestKey, wanted: Resolution) -> ResolvedAnswer:
        """A halted table goes on where its journal stands, which says nothing of halting: the log alone does."""
        before, after = of_table(actor.table, halted=True), of_table(actor.table)
        answer = ResolvedAnswer(actor.sequence, before, after)
        unit = Unit(request=lasting(key, answer), operation=self._operation(key, wanted, before, after))
        outcome = await submitted(self._services.runtime, self._services.store, unit)
        if outcome is not DURABLE:
            raise StoreAway(repr(outcome))
        if actor.halted:
            actor.go_on()
            self._goes_on(actor)
        return answer

    def _operation(
        self, key: RequestKey, wanted: Resolution, before: TableStanding, after: TableStanding
    ) -> Operation:
        return Operation(
            key.method,
            key.principal,
            key.request_id,
            self._services.runtime.now(),
            wanted.reason,
            table_id=wanted.table_id,
            before=Standing(table=before),
            after=Standing(table=after),
        )
