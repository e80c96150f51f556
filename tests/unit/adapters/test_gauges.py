"""Gauges and counters of a table in play, by the names that the catalogue has."""

from __future__ import annotations

from itertools import repeat
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable

from croupier.adapters.metrics import Gauges, LedgerCheck, Metrics, Sources, catalogue
from croupier.adapters.metrics.gauges import SLICE
from croupier.engine.rejection import InvariantViolation


def value(registry: CollectorRegistry, name: str, **wanted: str) -> float | None:
    return registry.get_sample_value(name, wanted)


@simulated()
async def test_what_is_exported_is_the_catalogue(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    gauges(metrics, table)
    told = {
        family.name: (family.type, family.documentation)
        for family in metrics.registry.collect()
        if family.name.startswith("croupier_")
    }
    lag = catalogue.LOOP_LAG
    told[lag.name] = (lag.kind, lag.meaning)
    alone = [metric for metric in catalogue.ALL if not metric.with_bus]
    assert told == {metric.name: (metric.kind, metric.meaning) for metric in alone}


@simulated()
async def test_play_at_a_table_is_measured(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    ledger = gauges(metrics, table)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    await table.fund("cleo")
    await table.reserve("cleo", 3)
    await ledger.check()
    registry = metrics.registry
    assert value(registry, "croupier_tables", state="open") == 1
    assert value(registry, "croupier_tables", state="halted") == 0
    for state, count in (("playing", 2), ("reserved", 1), ("free", 3), ("sitting_out", 0)):
        assert value(registry, "croupier_seats", state=state) == count
    assert value(registry, "croupier_watchers") == 1
    assert value(registry, "croupier_hands_in_play") == 1
    assert value(registry, "croupier_in_play_chips", currency="PoE") == 400
    assert value(registry, "croupier_pending_transfers") == 0
    assert value(registry, "croupier_ledger_imbalance_chips", currency="PoE") == 0
    assert value(registry, "croupier_decision_overdue_seconds") == 0
    await table.sleep(2)
    await table.check_down()
    counted = {"house": "puzzle_pirates", "structure": "no_limit", "outcome": "showdown"}
    assert value(registry, "croupier_hands_total", **counted) == 1
    assert value(registry, "croupier_hand_seconds_sum", house="puzzle_pirates") == pytest.approx(2, abs=0.5)
    stakes = {"house": "puzzle_pirates", "stake_tier": "micro", "currency": "PoE"}
    assert value(registry, "croupier_pot_chips_sum", **stakes) == 4
    assert value(registry, "croupier_settlement_lag_seconds_count") == 1
    assert value(registry, "croupier_action_answer_seconds_count") == 8
    assert value(registry, "croupier_build_info", version="1", evaluator="native", store="memory") == 1
    assert value(registry, "croupier_wal_bytes") == 17


@simulated()
async def test_a_hand_dealt_before_a_restart_is_counted_and_not_timed(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    await table.restart()
    await table.check_down()
    house = {"house": "puzzle_pirates"}
    assert value(metrics.registry, "croupier_settlement_lag_seconds_count") == 1
    assert value(metrics.registry, "croupier_hand_seconds_count", **house) == 0


@simulated()
async def test_time_outs_and_what_the_service_did_for_players_are_counted(runtime: SimulatedRuntime) -> None:
    """R-T15."""
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    await table.time_out()
    assert value(metrics.registry, "croupier_time_outs_total") == 1
    assert value(metrics.registry, "croupier_actions_total", action="fold", cause="time_out") == 1


@simulated()
async def test_a_decision_that_nothing_ends_is_told_as_overdue(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    gauges(metrics, table)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    deadline = table.decision.deadline
    table.actor.schedule._alarm.stop()
    await runtime.sleep_until(deadline)
    await table.sleep(90)
    assert value(metrics.registry, "croupier_decision_overdue_seconds") == pytest.approx(90)


@simulated()
async def test_what_waits_for_a_watcher_is_told(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    gauges(metrics, table)
    stalled = table.actor.subscribe("")
    await table.sit("anna", 1)
    waiting = stalled.waiting_events
    assert waiting > 0
    assert value(metrics.registry, "croupier_watchers") == 2
    for name in ("croupier_watcher_backlog_events", "croupier_watcher_longest_backlog_events"):
        assert value(metrics.registry, name) == waiting


@simulated()
async def test_a_halted_table_is_told_as_halted_alone(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    gauges(metrics, table)
    with capture_logs():
        table.actor.recovery.stand_still(InvariantViolation("on purpose"))
    assert value(metrics.registry, "croupier_tables", state="halted") == 1
    assert value(metrics.registry, "croupier_tables", state="open") == 0
    assert value(metrics.registry, "croupier_table_halts_total") == 1


@simulated()
async def test_many_tables_are_counted_in_slices(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    await table.sit("anna", 1)
    closes = SimpleNamespace(table_id="closes meanwhile")
    crowd = SimpleNamespace(
        tables=lambda: [closes, *repeat(table.actor, 10 * SLICE)],
        has=lambda table_id: table_id == table.actor.table_id,
        followers=SimpleNamespace(watchers=lambda: [table.actor.watchers] * SLICE),
        hands=table.room.hands,
    )
    looking = Gauges(metrics.registry, sources(table, LedgerCheck(table.store), crowd))
    assert sum(1 for _ in looking.look().__await__()) == 11
    assert value(metrics.registry, "croupier_tables", state="open") == 10 * SLICE
    assert value(metrics.registry, "croupier_in_play_chips", currency="PoE") == 200 * 10 * SLICE
    assert value(metrics.registry, "croupier_watchers") == 11 * SLICE


def gauges(metrics: Metrics, table: SimulatedTable) -> LedgerCheck:
    ledger = LedgerCheck(table.store)
    Gauges(metrics.registry, sources(table, ledger, table.room))
    return ledger


def sources(table: SimulatedTable, ledger: LedgerCheck, room: Any) -> Sources:
    return Sources(
        room=room,
        ledger=ledger,
        now=table.runtime.now,
        clock_offset=lambda: 0.0,
        wal_bytes=lambda: 17,
        failing=lambda: False,
        ready=lambda: True,
        play_streams=lambda: 0,
        build={"version": "1", "evaluator": "native", "store": "memory"},
    )
