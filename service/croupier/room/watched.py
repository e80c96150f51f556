"""A table as those who watch it see it, whether it is played here or followed from afar. It changes nothing."""

from __future__ import annotations

from croupier.engine.events import Event
from croupier.engine.table import Table
from croupier.room.clock import DecisionClock
from croupier.room.journal import Chain
from croupier.room.ports import Record
from croupier.room.services import Services
from croupier.room.subscriptions import Beginning, Publication, Subscription, private_part, public
from croupier.room.views import DecisionView, TableView, decision_view, table_view
from croupier.room.watchers import Watchers


class Watched:
    """What actor and follower of a table have in common: state, deadline, and those who are told of it."""

    def __init__(self, services: Services, table: Table, chain: Chain, created_time: int) -> None:
        self.table = table
        self.table_id = table.table_id
        self.created_time = created_time
        self.halted = ""
        """Why the table stopped for good, empty while it has not."""
        self.clock = DecisionClock()
        self.watchers = Watchers(services, self.table_id, table.hand_rules.game, self.clock)
        self._chain = chain
        self._hand = table.hand
        """The last one in play."""

    @property
    def sequence(self) -> int:
        """The public sequence that the table stands at, durable or not."""
        return self._chain.sequence

    @property
    def epoch(self) -> int:
        """The epoch of the table's last owner."""
        return self._chain.epoch

    @property
    def next_record(self) -> int:
        """The journal_sequence of the record to come: no other record of the table has it."""
        return self._chain.journal_sequence + 1

    def view(self, viewer: str) -> TableView:
        """The table for one viewer as it stands; not to leave before `barrier` has returned."""
        return table_view(
            self.table,
            viewer,
            sequence=self._chain.sequence,
            deadline=self.clock.deadline,
            created_time=self.created_time,
            halted=bool(self.halted),
        )

    def decision(self) -> DecisionView | None:
        """The decision that stands."""
        return decision_view(self.table, self.clock.deadline)

    def subscribe(self, viewer: str) -> Subscription:
        """A queue for what happens from now on."""
        number = self.table.seat_of(viewer) if viewer else 0
        private = self.table.seats[number].private_sequence if number else None
        return self.watchers.subscribe(
            viewer, Beginning(self._chain.journal_sequence, self._chain.sequence, private)
        )

    async def barrier(self) -> None:
        """Return once everything that the table's present state depends on is durable."""

    def _publication(
        self, record: Record, events: list[Event], cards: dict[str, bytes]
    ) -> Publication | None:
        """What watchers hear of a record, to which the table stands; None where that is nothing."""
        told = public(events)
        decision = self.decision() if told else None
        number, time = record.journal_sequence, record.recorded_time
        publication = Publication(number, record.sequence, time, told, cards, decision)
        if self._hand is not None:
            publication.board = self._hand.board
        if len(told) < len(events):
            publication.private = private_part(events)
        return publication if told or publication.private is not None else None
