"""Which of a batch's units may be written, one outcome a unit. What is stored is for the parts to know."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from croupier.adapters.units.ledger import StagedLedger
from croupier.adapters.units.operations import StagedOperations
from croupier.adapters.units.unfit import Answered, Elsewhere, Moved, Overdrawn, Unfit
from croupier.room.ports import DURABLE, Failed, Outcome, Refused, RequestRecord, Unit

Head = TypeVar("Head")


class StagedHeads(Protocol[Head]):
    """The journal as a writer sees it: each table's head, which the next record must follow."""

    def check(self, table_id: str, unit: Unit) -> Head:
        """The head of the unit's table; raises Unfit where the unit's records do not follow it."""
        ...

    def stage(self, head: Head, unit: Unit) -> None:
        """Takes in a unit that `check` has let pass, with the head it gave."""
        ...


class StagedRequests(Protocol):
    """The request index as a writer sees it: a key is written once."""

    def check(self, request: RequestRecord) -> None:
        """Raises Unfit where the request has its answer already."""
        ...

    def stage(self, request: RequestRecord) -> None: ...


class Staging(Generic[Head]):
    """A table one of whose units failed is halted: its units fail until `resume`."""

    def __init__(
        self,
        heads: StagedHeads[Head],
        ledger: StagedLedger,
        requests: StagedRequests,
        operations: StagedOperations,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._heads = heads
        self._ledger = ledger
        self._requests = requests
        self._operations = operations
        self._clock = clock
        self._halted: set[str] = set()
        self._halted_before: set[str] = set()

    def begin(self) -> None:
        """A batch begins, which `undo` takes back."""
        self._halted_before = set(self._halted)

    def undo(self) -> None:
        """Tables halted by the batch that failed are not halted; the parts forget on their own."""
        self._halted = self._halted_before

    def resume(self, table_id: str) -> None:
        """Takes units of a halted table again."""
        self._halted.discard(table_id)

    def stage(self, unit: Unit) -> Outcome:
        """The unit's outcome, should what is staged be written."""
        table_id = table_of(unit)
        if table_id in self._halted and unit.created is None:
            return Failed(f"table {table_id} waits to be recovered")
        try:
            head = self._heads.check(table_id, unit) if table_id else None
            if unit.request is not None:
                self._requests.check(unit.request)
            if unit.expected is not None:
                self._ledger.must_hold(unit.expected)
            moves = self._ledger.check(unit.entry_sets) if unit.entry_sets else []
            if unit.request is not None and not unit.records and len(moves) < len(unit.entry_sets):
                raise Moved(unit.request)
        except Overdrawn as refusal:
            return Refused(refusal.account, refusal.available)
        except Elsewhere as failure:
            return Failed(self.fail(unit, str(failure)).why, fenced=True)
        except (Answered, Moved) as failure:
            return Failed(self.fail(unit, str(failure)).why, repeated=True)
        except Unfit as failure:
            return self.fail(unit, str(failure))
        if head is not None:
            self._heads.stage(head, unit)
        if unit.created is not None:
            self._halted.discard(table_id)
        if unit.request is not None:
            self._requests.stage(unit.request)
        if unit.operation is not None:
            self._operations.stage(unit.operation)
        if moves:
            self._ledger.stage(moves, unit.records[0].recorded_time if unit.records else self._clock())
        return DURABLE

    def fail(self, unit: Unit, why: str) -> Failed:
        """The outcome of a unit that is not written; its table is halted."""
        if unit.created is None and (table_id := table_of(unit)):
            self._halted.add(table_id)
        return Failed(why)


def table_of(unit: Unit) -> str:
    """The table that a unit concerns, or nothing."""
    return unit.records[0].table_id if unit.records else unit.closed


def key_of(request: RequestRecord) -> tuple[str, str, str]:
    """What a request is found by."""
    return request.principal, request.method, request.request_id
