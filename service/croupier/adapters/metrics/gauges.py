"""Gauges read when a scrape asks for them, so that they cost nothing until then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry
from prometheus_client.core import InfoMetricFamily

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.families import Family, Looked, gauge, gauges
from croupier.adapters.metrics.floor import Floor
from croupier.adapters.metrics.ledger_check import LedgerCheck
from croupier.room.room import Room

SLICE: Final = 200
"""Tables that are counted before the event loop goes on: about a millisecond."""


class Sources(NamedTuple):
    """Where gauges are read. `ready` and `failing` as /readyz has them; `now` in nanoseconds since the epoch."""

    room: Room
    ledger: LedgerCheck
    now: Callable[[], int]
    clock_offset: Callable[[], float]
    wal_bytes: Callable[[], int]
    failing: Callable[[], bool]
    ready: Callable[[], bool]
    play_streams: Callable[[], int]
    build: dict[str, str]


class Gauges(Looked):
    """Registers itself. A scrape is answered on the event loop, where the room may be looked at."""

    def __init__(self, registry: CollectorRegistry, sources: Sources) -> None:
        self._sources = sources
        self._floor: Floor | None = None
        registry.register(self)

    async def look(self) -> None:
        """Count the floor for the next `collect`, which else does so at once; a slice of the tables at a time, so that
        what moves from one table to another meanwhile is counted twice, or not at all.
        """
        floor = Floor(self._sources.now())
        for number, _ in enumerate(self._counted(floor), start=1):
            if number % SLICE == 0:
                await asyncio.sleep(0)
        self._floor = floor

    def collect(self) -> Iterator[Family]:
        yield from self._of_the_floor()
        yield from self._of_the_ledger()
        yield from self._of_the_process()

    def _of_the_floor(self) -> Iterator[Family]:
        floor, self._floor = self._floor or self._floor_at_once(), None
        yield gauges(catalogue.TABLES, {(state,): count for state, count in floor.tables.items()})
        yield gauges(catalogue.SEATS, {(state,): count for state, count in floor.seats.items()})
        yield gauges(catalogue.IN_PLAY, {(currency,): chips for currency, chips in floor.chips.items()})
        yield gauge(catalogue.WAITING_PLAYERS, floor.waiting_players)
        yield gauge(catalogue.HANDS_IN_PLAY, floor.hands)
        yield gauge(catalogue.OVERDUE, floor.overdue_seconds)
        yield gauge(catalogue.TRANSFERS, floor.transfers)
        yield gauge(catalogue.WAITING_RECORDS, floor.records)
        yield gauge(catalogue.WATCHERS, floor.watchers)
        yield gauge(catalogue.BACKLOG, floor.backlog)
        yield gauge(catalogue.LONGEST_BACKLOG, floor.longest_backlog)
        yield gauge(catalogue.UNINDEXED_HANDS, self._sources.room.hands.waiting)

    def _floor_at_once(self) -> Floor:
        floor = Floor(self._sources.now())
        for _ in self._counted(floor):
            pass
        return floor

    def _counted(self, floor: Floor) -> Iterator[None]:
        """Tables as they are counted; one that has closed or gone since the first is left out."""
        room = self._sources.room
        for actor in room.tables():
            if room.has(actor.table_id):
                floor.count(actor)
            yield
        for watchers in room.followers.watchers() if room.followers is not None else ():
            floor.count_watchers(watchers)
            yield

    def _of_the_ledger(self) -> Iterator[Family]:
        ledger = self._sources.ledger
        yield gauges(catalogue.IMBALANCE, {(currency,): sum_ for currency, sum_ in ledger.imbalance.items()})
        yield gauges(
            catalogue.LEDGER_RAKE,
            {(house, currency): chips for (house, currency), chips in ledger.rake.items()},
        )
        yield gauge(catalogue.LAST_GOOD_CHECK, ledger.last_good_time)

    def _of_the_process(self) -> Iterator[Family]:
        sources = self._sources
        yield gauge(catalogue.PLAY_STREAMS, sources.play_streams())
        yield gauge(catalogue.JOURNAL_FAILING, sources.failing())
        yield gauge(catalogue.WAL_BYTES, sources.wal_bytes())
        yield gauge(catalogue.READY, sources.ready())
        yield gauge(catalogue.CLOCK_OFFSET, sources.clock_offset())
        yield InfoMetricFamily(catalogue.BUILD.name, catalogue.BUILD.meaning, value=sources.build)
