"""Counters and histograms of what happens. Children are kept: looking one up costs more than counting."""

from __future__ import annotations

from time import monotonic
from typing import Final

import structlog
from prometheus_client import CollectorRegistry, ProcessCollector

from croupier.adapters.metrics.labels import action_name, stake_tier
from croupier.adapters.metrics.tally import Spread, Spreads, Tallies, Tally
from croupier.engine.table_rules import TableRules
from croupier.room.failures import StoreAway

FAILING_SECONDS: Final = 10.0
"""A failure of the store is told for so long by /readyz; it is counted each time, and logged once in so long."""
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_RECORDS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)


class Metrics:
    """The room's Observer, the store's CommitObserver and the RPCs' observer, with a registry of its own."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self.registry)
        self._log = structlog.get_logger()
        self._define_play()
        self._define_service()

    def _define_play(self) -> None:
        self._rake = self._counter(
            "croupier_rake_chips", "Chips taken as rake.", "structure", "stake_tier", "currency"
        )
        self._hands = self._counter("croupier_hands", "Hands settled or voided.", "structure", "outcome")
        self._actions = self._counter("croupier_actions", "Actions accepted.", "action", "cause")
        self._rejections = self._counter("croupier_rejections", "Commands refused by the rules.", "reason")
        self._halts = self._counter("croupier_table_halts", "Tables halted by a broken invariant.").child()
        self._failure = ""
        self._failing_until = 0.0
        self._failed_units = self._counter(
            "croupier_failed_units", "Units of the store that did not become durable."
        ).child()
        self._failed = self._counter(
            "croupier_failed_commits", "Tables rebuilt since a record of theirs did not become durable."
        ).child()
        self._cut_off = self._counter("croupier_watchers_cut_off", "Watchers too slow to be kept.").child()
        self._action_children: dict[tuple[str, str], Tally] = {}
        self._rejection_children: dict[str, Tally] = {}
        self._hand_children: dict[tuple[str, int, str], tuple[Tally, Tally, Tally]] = {}

    def _define_service(self) -> None:
        self._answer = self._histogram(
            "croupier_action_answer_seconds", "From an action's arrival to its answer being free to go."
        ).child()
        self._publish = self._histogram(
            "croupier_action_publish_seconds", "From a record's making to its events reaching the watchers."
        ).child()
        self._rpcs = self._counter("croupier_rpcs", "RPCs finished.", "method", "code")
        self._rpc_seconds = self._histogram("croupier_rpc_seconds", "Time in an RPC's handler.", "method")
        self._commit_seconds = self._histogram(
            "croupier_journal_commit_seconds", "From a commit's first statement until it is on disk."
        ).child()
        self._commit_records = Spreads(
            self.registry,
            "croupier_journal_commit_records",
            "Records of the journal in one commit.",
            _RECORDS,
        ).child()
        self._rpc_children: dict[tuple[str, str], tuple[Tally, Spread]] = {}

    def _counter(self, name: str, meaning: str, *labels: str) -> Tallies:
        return Tallies(self.registry, name, meaning, *labels)

    def _histogram(self, name: str, meaning: str, *labels: str) -> Spreads:
        return Spreads(self.registry, name, meaning, SECONDS, *labels)

    # the room's Observer

    def acted(self, action: str, cause: str) -> None:
        child = self._action_children.get((action, cause))
        if child is None:
            child = self._actions.child(action_name(action), cause.lower())
            self._action_children[action, cause] = child
        child.value += 1

    def answered(self, seconds: float) -> None:
        self._answer.observe(seconds)

    def published(self, seconds: float) -> None:
        self._publish.observe(seconds)

    def hand_ended(self, rules: TableRules, rake: int, *, showdown: bool) -> None:
        key = (rules.currency, rules.small_bet, rules.structure.name)
        children = self._hand_children.get(key)
        if children is None:
            children = self._hand_children[key] = self._of_hands(rules)
        children[0].value += rake
        children[1 if showdown else 2].value += 1

    def hand_voided(self, rules: TableRules) -> None:
        self._hands.child(rules.structure.name.lower(), "voided").value += 1

    def _of_hands(self, rules: TableRules) -> tuple[Tally, Tally, Tally]:
        structure = rules.structure.name.lower()
        return (
            self._rake.child(structure, stake_tier(rules.small_bet), rules.currency),
            self._hands.child(structure, "showdown"),
            self._hands.child(structure, "no_showdown"),
        )

    def rejected(self, reason: str) -> None:
        child = self._rejection_children.get(reason)
        if child is None:
            child = self._rejection_children[reason] = self._rejections.child(reason)
        child.value += 1

    def table_halted(self, table_id: str, violation: Exception) -> None:
        self._halts.value += 1
        self._log.error("table_halted", table_id=table_id, exc_info=violation)

    def commit_failed(self, table_id: str, why: str) -> None:
        self._failed.value += 1
        self._log.error("commit_failed", table_id=table_id, why=why)

    def store_failed(self, failure: Exception) -> None:
        if isinstance(failure, StoreAway):
            self._log.error("store_failed", why=str(failure))
        else:
            self._log.error("store_failed", exc_info=failure)

    def clock_failed(self, table_id: str, failure: Exception) -> None:
        self._log.error("clock_failed", table_id=table_id, exc_info=failure)

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
