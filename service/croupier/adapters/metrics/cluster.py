"""What servers that share a store do together, counted, or looked at when a scrape asks. Left out with one server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.families import Family, Looked, count, gauge, gauges
from croupier.adapters.metrics.tally import Spreads, Tallies, Tally
from croupier.numbers import NS_PER_S
from croupier.room.subjects import ANSWER, KINDS


class ClusterLook(NamedTuple):
    """How a server stands among the others at a moment, and what its part in their store has come to."""

    serving: int
    not_serving: int
    ownerless: int
    fenced_units: int
    declared_dead: int
    lease_remaining_s: float
    late_renewals: int
    clock_skew_s: float
    bus_connected: bool
    unheard: int
    followers: int
    follower_gaps: int


class ClusterMetrics(Looked):
    """Counts on the event loop, and looks there when a scrape asks."""

    def __init__(self, registry: CollectorRegistry, look: Callable[[], ClusterLook]) -> None:
        self._look: Final = look
        self._takeovers = Spreads(registry, catalogue.TAKEOVER_SECONDS).child()
        self._failed = Tallies(registry, catalogue.FAILED_TAKEOVERS).child()
        self._handed_over = Tallies(registry, catalogue.HANDED_OVER).child()
        unreadable = Tallies(registry, catalogue.BUS_UNREADABLE)
        self._unreadable = {kind: unreadable.child(kind) for kind in (*KINDS, ANSWER)}
        self._forwarded = Tallies(registry, catalogue.FORWARDED_CALLS)
        self._forwarded_children: dict[tuple[str, str], Tally] = {}
        self._forwarded_seconds = Spreads(registry, catalogue.FORWARDED_SECONDS).child()
        registry.register(self)

    def taken_over(self, ns: int) -> None:
        """A table goes on here, so long after the lease of its last owner ran out."""
        self._takeovers.observe(ns / NS_PER_S)

    def not_taken_over(self) -> None:
        self._failed.value += 1

    def handed_over(self, tables: int) -> None:
        self._handed_over.value += tables

    def unreadable(self, kind: str) -> None:
        """A message of a kind of subject made no sense."""
        self._unreadable[kind].value += 1

    def forwarded(self, method: str, outcome: str, seconds: float) -> None:
        """A call for another server's table came to an end."""
        child = self._forwarded_children.get((method, outcome))
        if child is None:
            child = self._forwarded_children[method, outcome] = self._forwarded.child(method, outcome)
        child.value += 1
        self._forwarded_seconds.observe(seconds)

    def collect(self) -> Iterator[Family]:
        look = self._look()
        yield gauges(catalogue.SERVERS, {("serving",): look.serving, ("not_serving",): look.not_serving})
        yield gauge(catalogue.OWNERLESS, look.ownerless)
        yield count(catalogue.FENCED_UNITS, look.fenced_units)
        yield count(catalogue.DECLARED_DEAD, look.declared_dead)
        yield gauge(catalogue.LEASE_REMAINING, look.lease_remaining_s)
        yield count(catalogue.LATE_RENEWALS, look.late_renewals)
        yield gauge(catalogue.CLOCK_SKEW, look.clock_skew_s)
        yield gauge(catalogue.BUS_CONNECTED, look.bus_connected)
        yield gauge(catalogue.UNHEARD_SERVERS, look.unheard)
        yield gauge(catalogue.FOLLOWERS, look.followers)
        yield count(catalogue.FOLLOWER_GAPS, look.follower_gaps)
