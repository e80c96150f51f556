"""Gauges read when a scrape asks for them, so that they cost nothing until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

from croupier.adapters.metrics.ledger_check import LedgerCheck
from croupier.room.room import Room


class Gauges:
    """Registers itself. A scrape is answered on the event loop, where the room may be looked at."""

    def __init__(
        self,
        registry: CollectorRegistry,
        *,
        room: Room,
        ledger: LedgerCheck,
        wal_bytes: Callable[[], int],
        clock_offset: Callable[[], float],
        build: dict[str, str],
    ) -> None:
        self._room = room
        self._ledger = ledger
        self._wal_bytes = wal_bytes
        self._clock_offset = clock_offset
        self._build = build
        registry.register(self)

    def collect(self) -> Iterator[GaugeMetricFamily | InfoMetricFamily]:
        yield from self._of_the_room()
        yield from self._of_the_ledger()
        yield _gauge("croupier_wal_bytes", "Size of the store's write-ahead log.", self._wal_bytes())
        yield _gauge(
            "croupier_clock_offset_seconds",
            "System clock ahead of the service's, which keeps its pace when the former is set.",
            self._clock_offset(),
        )
        yield InfoMetricFamily("croupier_build", "What this server is made of.", value=self._build)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing is collected before the first scrape."""
        yield from ()

    def _of_the_room(self) -> Iterator[GaugeMetricFamily]:
        tables = self._room.tables()
        seats = sum(len(actor.table.seats) for actor in tables)
        watchers = sum(len(actor.watchers) for actor in tables)
        halted = sum(1 for actor in tables if actor.halted)
        yield _gauge(
            "croupier_open_tables", "Tables that are not closed, halted ones among them.", len(tables)
        )
        yield _gauge("croupier_taken_seats", "Seats reserved or bought in.", seats)
        yield _gauge("croupier_watchers", "Streams that follow a table.", watchers)
        yield _gauge("croupier_halted_tables", "Tables that stand still because an invariant broke.", halted)

    def _of_the_ledger(self) -> Iterator[GaugeMetricFamily]:
        imbalance = GaugeMetricFamily(
            "croupier_ledger_imbalance_chips",
            "Sum of all accounts; anything but 0 is a defect.",
            labels=["currency"],
        )
        for currency, chips in self._ledger.imbalance.items():
            imbalance.add_metric([currency], chips)
        yield imbalance
        yield _gauge(
            "croupier_ledger_last_good_check_timestamp_seconds",
            "When all accounts last added up to nothing; 0 before the first time.",
            self._ledger.last_good_time,
        )


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=value)
