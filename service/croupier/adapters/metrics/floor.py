"""The floor at one moment: how many tables, seats, hands, watchers there are, and what waits; counted in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from croupier.engine.carried import Seat
from croupier.room.actor import TableActor

TABLE_STATES: Final = ("open", "paused", "closing", "halted")
SEAT_STATES: Final = ("free", "reserved", "playing", "sitting_out")
_NS: Final = 1_000_000_000


class Floor:
    """What `tables` look like at `now`, nanoseconds since the epoch.

    `elsewhere` are the events that wait for each of those who watch tables of other servers here.
    """

    def __init__(self, tables: Iterable[TableActor], now: int, elsewhere: Sequence[int] = ()) -> None:
        self.tables = Counter(dict.fromkeys(TABLE_STATES, 0))
        self.seats = Counter(dict.fromkeys(SEAT_STATES, 0))
        self.chips: Counter[str] = Counter()
        self.waiting_players = self.hands = self.transfers = self.records = 0
        self.watchers = self.backlog = self.longest_backlog = 0
        self._first_deadline = now
        self._count_watchers(elsewhere)
        for actor in tables:
            self._count(actor)
        self.overdue_seconds: Final = (now - self._first_deadline) / _NS

    def _count(self, actor: TableActor) -> None:
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
        self._count_watchers(actor.watchers.backlogs())

    def _count_watchers(self, backlogs: Sequence[int]) -> None:
        if backlogs:
            self.watchers += len(backlogs)
            self.backlog += sum(backlogs)
            self.longest_backlog = max(self.longest_backlog, *backlogs)


def _state(seat: Seat) -> str:
    """What a seat that is taken counts as."""
    if not seat.bought_in:
        return "reserved"
    return "sitting_out" if seat.sitting_out else "playing"
