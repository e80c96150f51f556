"""A table's actor that tells a tracer of every command; without a tracer there are none of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from croupier.engine import commands as cmd
from croupier.engine import events as ev
from croupier.engine import table_events as tev
from croupier.room.actor import TableActor
from croupier.room.commit import Commit, MakeAnswer, MakeOperation
from croupier.room.failures import Refusal, StoreAway, TableHalted
from croupier.room.folding import Folded
from croupier.room.hand_id import hand_id_of
from croupier.room.ports import Outcome, Record, Unit
from croupier.room.services import Services
from croupier.room.traces import ACCEPTED, Trace, Tracer, current


class TracedActor(TableActor):
    """Notes when each stage of a command begins, and does nothing otherwise than a TableActor."""

    def __init__(self, services: Services, folded: Folded, tracer: Tracer) -> None:
        self._tracer = tracer
        self._deciding: Trace | None = None
        self._submitted: deque[Trace] = deque()
        super().__init__(services, folded)

    def create(
        self, created: tev.TableCreated, unit: Unit, key: tev.RequestKey, answer: MakeAnswer
    ) -> Commit:
        self._begin("CreateTable")
        return super().create(created, unit, key, answer)

    def start_hand(self, now: int) -> None:
        self._carry_out("StartHand", lambda: super(TracedActor, self).start_hand(now))

    def commit_deck(self) -> None:
        self._carry_out("CommitDeck", super().commit_deck)

    def _carry_out(self, name: str, work: Callable[[], None]) -> None:
        """What the table does of itself; there is nothing to tell where it had nothing to do."""
        trace = self._begin(name)
        work()
        if self._deciding is trace:
            self._deciding = None
            if self.halted:
                self._end(trace, "INVARIANT_VIOLATED")

    def _run(
        self,
        command: cmd.Command,
        principal: str,
        request_id: str,
        answer: MakeAnswer | None,
        operation: MakeOperation | None = None,
    ) -> Commit | None:
        trace = self._begin(type(command).__name__)
        try:
            commit = super()._run(command, principal, request_id, answer, operation)
            if commit is None and trace.method:
                self._end(trace, ACCEPTED)
            return commit
        except (Refusal, TableHalted) as refused:
            self._end(trace, refused.reason)
            raise
        except StoreAway:
            self._end(trace, "STORE_UNAVAILABLE")
            raise
        finally:
            self._deciding = None

    def _commit(self, command: cmd.Command, *told: Any, **named: Any) -> Commit:
        if self._deciding is None:
            self._begin(type(command).__name__)
        return super()._commit(command, *told, **named)

    def _submit(self, unit: Unit, record: Record, events: list[ev.Event], cards: dict[str, bytes]) -> Commit:
        trace, self._deciding = self._deciding, None
        if trace is None:
            raise RuntimeError("a record was made that nothing led to")
        if record.checkpoint:
            trace.hand_id = hand_id_of(self.table_id, self.table.carried.hand_number)
        elif self.table.hand is not None:
            trace.hand_id = hand_id_of(self.table_id, self.table.hand.number)
        trace.journal = self._runtime.now()
        self._submitted.append(trace)
        return super()._submit(unit, record, events, cards)

    def _done(self, commit: Commit, outcome: Outcome) -> None:
        trace = self._submitted.popleft()
        durable = self._runtime.now()
        super()._done(commit, outcome)
        if commit.failure is None:
            trace.publish = durable
            self._end(trace, trace.outcome)
        else:
            self._end(trace, "STORE_UNAVAILABLE")

    def _begin(self, name: str) -> Trace:
        """The trace of a command that is carried out now."""
        now = self._runtime.now()
        call = current.get()
        trace = Trace(name, now) if call is None or call.over else call.trace(name, now)
        trace.table_id = self.table_id
        trace.decide = now
        if self.table.hand is not None:
            trace.hand_id = hand_id_of(self.table_id, self.table.hand.number)
        self._deciding = trace
        return trace

    def _end(self, trace: Trace, outcome: str) -> None:
        trace.outcome = outcome
        trace.ended = self._runtime.now()
        self._tracer.command(trace)


def actor_of(services: Services, folded: Folded) -> TableActor:
    """A table's actor, traced where the service is."""
    tracer = services.tracer
    return TableActor(services, folded) if tracer is None else TracedActor(services, folded, tracer)
