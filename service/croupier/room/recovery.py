"""What becomes of a table whose record was lost, or whose rules contradict themselves: back to its journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import ref

from croupier.engine.rejection import InvariantViolation
from croupier.engine.table_events import TableState
from croupier.numbers import NS_PER_MS
from croupier.room.clock import pause
from croupier.room.commit import Commit
from croupier.room.failures import JournalDamaged, StoreAway, TableHalted, moving
from croupier.room.folding import Folded, fold_as_far
from croupier.room.ports import Failed, Outcome, TableJournal
from croupier.room.services import Services

if TYPE_CHECKING:
    from croupier.room.actor import TableActor

RETRY_NS: Final = 500 * NS_PER_MS
"""When to ask again for a table that has gone to another server."""
LONG_AGO_NS: Final = 2 * RETRY_NS
"""A table that has lost no record for so long does at once what is due; else it would be lost again without rest."""


class Recovery:
    """Halts and rebuilds one actor, which has it and is not kept by it.

    `rebuilding` until the table stands where its journal does.
    """

    def __init__(self, services: Services, actor: TableActor) -> None:
        self._services = services
        self._runtime = services.runtime
        self._of = ref(actor)
        self.rebuilding = False
        self._retired = False
        self._lost_at = 0
        self.wrong = ""
        """Why the hand in play cannot be folded from the journal, empty where it can."""
        self.damage: JournalDamaged | None = None
        """Why the table cannot go on: what its journal lacks nobody can tell, until it is put back."""

    @property
    def _actor(self) -> TableActor:
        actor = self._of()
        if actor is None:
            raise ReferenceError("a recovery outlived its actor")
        return actor

    def lost(self, commit: Commit, outcome: Outcome) -> None:
        """A record did not become durable: whoever waits for it hears so, and the table goes back."""
        why = outcome.why if isinstance(outcome, Failed) else repr(outcome)
        commit.settle(StoreAway(why))
        if not isinstance(outcome, Failed):
            self.halt(InvariantViolation(f"the ledger refused what the table settled: {why}"))
        elif not self.rebuilding:
            self._services.observer.commit_failed(self._actor.table_id, why)
            self._go_back()

    def halt(self, violation: Exception) -> TableHalted:
        """Stop the table until an operator resolves it; its state goes back to where the journal stands."""
        self.stand_still(violation)
        self._go_back()
        return TableHalted(self._actor.table_id, "INVARIANT_VIOLATED")

    def judge(self, folded: Folded) -> None:
        """Stop the table where it, or its hand in play, could not be folded."""
        self.wrong, self.damage = folded.wrong, folded.damage
        if folded.damage is not None:
            self.stand_still(folded.damage)
        elif folded.wrong:
            self.stand_still(InvariantViolation(folded.wrong))

    def stand_still(self, violation: Exception) -> None:
        """Stop the table as it is."""
        actor = self._actor
        if not actor.halted:
            self._services.observer.table_halted(actor.table_id, violation)
            self.remain_still(repr(violation))

    def remain_still(self, why: str) -> None:
        """Stop the table as it is, for what has been told already."""
        actor = self._actor
        actor.halted = why
        actor.schedule.stop()
        actor.watchers.end("TABLE_HALTED")
        actor.tell_standing()

    async def look_again(self) -> None:
        """Stand where the journal stands by now, where it was damaged: somebody may have put that right.

        The table stands still all the same. Raises JournalDamaged where it is damaged still, StoreAway.
        """
        known = self.damage
        if known is None:
            return
        actor = self._actor
        journal = await self._services.store.recover(actor.table_id)
        if self._retired:
            raise self.away()
        if self.damage is known and journal is not None:
            if self._services.node_id and journal.owner != self._services.node_id:
                self._services.on_moved(actor)
                raise moving(actor.table_id)
            self._stand(journal)
        if self.damage is not None:
            raise self.damage
        if actor.table.carried.state is TableState.CLOSED:
            actor.halted = ""
            actor.watchers.begin_again()
            actor.watchers.end("TABLE_CLOSED")
            self._services.on_closed(actor)

    def _stand(self, journal: TableJournal) -> None:
        folded = fold_as_far(journal, self._actor.table.hand_rules.game, self._services.seal)
        self._actor.stand(folded)
        self.judge(folded)

    def retire(self) -> None:
        """The table is another server's: nothing here goes on with it, and nothing goes back."""
        self.rebuilding = self._retired = True

    def away(self) -> Exception:
        """Why nothing can be asked of the table while it is rebuilt."""
        if self._retired:
            return moving(self._actor.table_id)
        return StoreAway("the table is being rebuilt from its journal")

    def _go_back(self) -> None:
        if not self.rebuilding:
            self.rebuilding = True
            self._runtime.spawn(self._rebuild(self._actor))

    async def _rebuild(self, actor: TableActor) -> None:
        """Stand where the journal stands, however often the store has to be asked."""
        lost_before, self._lost_at = self._lost_at, self._runtime.now()
        while True:
            try:
                journal = await self._services.store.recover(actor.table_id)
                break
            except Exception as failure:
                self._services.observer.store_failed(failure)
                await pause(self._runtime, RETRY_NS)
            if self._retired:
                return
        if journal is None or self._retired:
            return  # its creation was lost: there is no such table, and nobody has heard of it
        if self._services.node_id and journal.owner != self._services.node_id:
            self._services.on_moved(actor)
            return
        self._stand(journal)
        self.rebuilding = False
        actor.resume(rest=self._lost_at - lost_before < LONG_AGO_NS)
