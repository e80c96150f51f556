"""The floor as it is now: how many tables, seats, hands, watchers there are, and what waits; counted table by table."""

from __future__ import annotations

from collections import Counter
from typing import Final

from croupier.engine.carried import Seat
from croupier.numbers import NS_PER_S
from croupier.room.actor import TableActor
from croupier.room.watchers import Watchers

TABLE_STATES: Final = ("open", "paused", "closing", "halted")
SEAT_STATES: Final = ("free", "reserved", "playing", "sitting_out")


class Floor:
    """What has been counted since `now`, nanoseconds since the epoch."""

    def __init__(self, now: int) -> None:
        self._now: Final = now
        self.tables = Counter(dict.fromkeys(TABLE_STATES, 0))
        self.seats = Counter(dict.fromkeys(SEAT_STATES, 0))
        self.chips: Counter[str] = Counter()
        self.waiting_players = self.hands = self.transfers = self.records = 0
        self.watchers = self.backlog = self.longest_backlog = 0
        self._first_deadline = now

    @property
    def overdue_seconds(self) -> float:
        """How long ago the first decision should have been made."""
        return (self._now - self._first_deadline) / NS_PER_S

    def count(self, actor: TableActor) -> None:
        """Add a table that is open here."""
        table, carried = actor.table, actor.table.carried
        self.tables["halted" if actor.halted else carried.state.name.lower()] += 1
        self.seats["free"] += table.rules.seat_count - len(carried.seats)
        for seat in carried.seats.values():
            self.seats[_state(seat)] += 1
        self.chips[table.rules.currency] += table.chips_in_play()
        self.waiting_players += len(carried.waiting)
        self.transfers += len(carried.transfers)
        self.records += actor.waiting_records
        if table.hand is not None:
            self.hands += 1
            deadline = actor.clock.deadline
            if deadline and not actor.halted:
                self._first_deadline = min(self._first_deadline, deadline)
        self.count_watchers(actor.watchers)

    def count_watchers(self, watchers: Watchers) -> None:
        """Add those who watch a table, which may be another server's."""
        if backlogs := watchers.backlogs():
            self.watchers += len(backlogs)
            self.backlog += sum(backlogs)
            self.longest_backlog = max(self.longest_backlog, *backlogs)


def _state(seat: Seat) -> str:
    """What a seat that is taken counts as."""
    if not seat.bought_in:
        return "reserved"
    return "sitting_out" if seat.sitting_out else "playing"
