"""Counters and histograms of what happens. Children are kept: looking one up costs more than counting."""

from __future__ import annotations

from time import monotonic
from typing import Final, NamedTuple

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector

from croupier.adapters.metrics import catalogue
from croupier.adapters.metrics.labels import ACTION_EVENTS, action_name, stake_tier
from croupier.adapters.metrics.tally import Spread, Spreads, Tallies, Tally
from croupier.engine.events import Cause
from croupier.engine.table_rules import TableRules
from croupier.room.failures import StoreAway
from croupier.room.observer import HandFigures

FAILING_SECONDS: Final = 10.0
"""A failure of the store is told for so long by /readyz; it is counted each time, and logged once in so long."""


class _OfHands(NamedTuple):
    """What is counted of hands played for the same stakes."""

    rake: Tally
    showdown: Tally
    no_showdown: Tally
    pot: Spread
    seconds: Spread


class Metrics:
    """The room's Observer, the store's CommitObserver and the RPCs' observer, with a registry of its own."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        self._log = structlog.get_logger()
        self._failure = ""
        self._failing_until = 0.0
        self._define_play()
        self._define_service()

    def _define_play(self) -> None:
        self._actions = Tallies(self.registry, catalogue.ACTIONS)
        self._action_children = {
            (event, cause.name): self._actions.child(action_name(event), cause.name.lower())
            for event in ACTION_EVENTS
            for cause in Cause
        }
        self._time_outs = Tallies(self.registry, catalogue.TIME_OUTS).child()
        self._rejections = Tallies(self.registry, catalogue.REJECTIONS)
        self._rejection_children: dict[str, Tally] = {}
        self._hands = Tallies(self.registry, catalogue.HANDS)
        self._hand_seconds = Spreads(self.registry, catalogue.HAND_SECONDS)
        self._pots = Spreads(self.registry, catalogue.POT_CHIPS)
        self._rake = Tallies(self.registry, catalogue.RAKE_CHIPS)
        self._hand_children: dict[tuple[str, str, int, str], _OfHands] = {}
        self._settlement_lag = Spreads(self.registry, catalogue.SETTLEMENT_LAG).child()
        self._halts = Tallies(self.registry, catalogue.TABLE_HALTS).child()

    def _define_service(self) -> None:
        self._answer = Spreads(self.registry, catalogue.ANSWER_SECONDS).child()
        self._publish = Spreads(self.registry, catalogue.PUBLISH_SECONDS).child()
        self._rpcs = Tallies(self.registry, catalogue.RPCS)
        self._rpc_seconds = Spreads(self.registry, catalogue.RPC_SECONDS)
        self._rpc_children: dict[tuple[str, str], tuple[Tally, Spread]] = {}
        self._commit_seconds = Spreads(self.registry, catalogue.COMMIT_SECONDS).child()
        self._commit_records = Spreads(self.registry, catalogue.COMMIT_RECORDS).child()
        self._failed_units = Tallies(self.registry, catalogue.FAILED_UNITS).child()
        self._rebuilt = Tallies(self.registry, catalogue.REBUILT_TABLES).child()
        self._dropped = Tallies(self.registry, catalogue.BUS_DROPPED).child()
        self._cut_off = Tallies(self.registry, catalogue.CUT_OFF).child()

    # the room's Observer

    def acted(self, action: str, cause: str) -> None:
        self._action_children[action, cause].value += 1

    def timed_out(self) -> None:
        self._time_outs.value += 1

    def answered(self, seconds: float) -> None:
        self._answer.observe(seconds)

    def published(self, seconds: float) -> None:
        self._publish.observe(seconds)

    def hand_ended(self, rules: TableRules, figures: HandFigures) -> None:
        key = (rules.house_id, rules.structure.name, rules.small_bet, rules.currency)
        children = self._hand_children.get(key)
        if children is None:
            children = self._hand_children[key] = self._of_hands(rules)
        children.rake.value += figures.rake
        (children.showdown if figures.showdown else children.no_showdown).value += 1
        children.pot.observe(figures.pot)
        if figures.seconds is not None:
            children.seconds.observe(figures.seconds)
        self._settlement_lag.observe(figures.lag)

    def hand_voided(self, rules: TableRules) -> None:
        self._hands.child(rules.house_id, rules.structure.name.lower(), "voided").value += 1

    def _of_hands(self, rules: TableRules) -> _OfHands:
        house, structure = rules.house_id, rules.structure.name.lower()
        stakes = (house, stake_tier(rules.small_bet), rules.currency)
        return _OfHands(
            self._rake.child(*stakes),
            self._hands.child(house, structure, "showdown"),
            self._hands.child(house, structure, "no_showdown"),
            self._pots.child(*stakes),
            self._hand_seconds.child(house),
        )

    def rejected(self, reason: str) -> None:
        child = self._rejection_children.get(reason)
        if child is None:
            child = self._rejection_children[reason] = self._rejections.child(reason)
        child.value += 1

    def table_halted(self, table_id: str, violation: Exception) -> None:
        self._halts.value += 1
        self._log.error("table_halted", table_id=table_id, exc_info=violation)

    def follower_failed(self, table_id: str, failure: Exception) -> None:
        self._log.error("follower_failed", table_id=table_id, exc_info=failure)

    def commit_failed(self, table_id: str, why: str) -> None:
        self._rebuilt.value += 1
        self._log.error("commit_failed", table_id=table_id, why=why)

    def store_failed(self, failure: Exception) -> None:
        if isinstance(failure, StoreAway):
            self._log.error("store_failed", why=str(failure))
        else:
            self._log.error("store_failed", exc_info=failure)

    def hands_left_out(self, table_id: str, why: Exception) -> None:
        self._log.error("hands_left_out", table_id=table_id, why=str(why))

    def clock_failed(self, table_id: str, failure: Exception) -> None:
        self._log.error("clock_failed", table_id=table_id, exc_info=failure)

    def bus_dropped(self) -> None:
        self._dropped.value += 1

    def watcher_cut_off(self) -> None:
        self._cut_off.value += 1

    # the store's CommitObserver

    def commit(self, seconds: float, records: int) -> None:
        self._commit_seconds.observe(seconds)
        self._commit_records.observe(records)

    def failed(self, units: int, why: str) -> None:
        self._failed_units.value += units
        now = monotonic()
        if now >= self._failing_until:
            self._log.error("units_failed", units=units, why=why)
            self._failing_until = now + FAILING_SECONDS
        self._failure = why

    def store_failure(self) -> str:
        """Why commits failed within the last seconds, empty where none did."""
        return self._failure if monotonic() < self._failing_until else ""

    # the RPCs' observer

    def rpc(self, method: str, code: str, seconds: float) -> None:
        """A call of `method`, one of the contract's, ended with the status `code` after `seconds`."""
        children = self._rpc_children.get((method, code))
        if children is None:
            children = (self._rpcs.child(method, code), self._rpc_seconds.child(method))
            self._rpc_children[method, code] = children
        children[0].value += 1
        children[1].observe(seconds)
