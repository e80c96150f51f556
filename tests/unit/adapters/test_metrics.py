"""What is counted, under which names and labels; nothing names a table, a hand or a player."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs
from tests.fakes.memory_store import MemoryStore
from tests.fakes.simulated_runtime import SimulatedRuntime, simulated
from tests.fakes.simulated_table import SimulatedTable
from tests.support import houses
from tests.support.units import money, outcome_of

from croupier.adapters.metrics import Gauges, LedgerCheck, LoopLag, Metrics, labels, loop_lag
from croupier.engine.rules import Structure
from croupier.engine.table_rules import TableRules


def value(registry: CollectorRegistry, name: str, **wanted: str) -> float | None:
    return registry.get_sample_value(name, wanted)


def table_rules(min_bet: int = 20) -> TableRules:
    return houses.table_rules(Structure.POT_LIMIT, min_bet)


def test_hands_and_rake_are_counted_by_what_they_were_played_for() -> None:
    metrics = Metrics()
    metrics.hand_ended(table_rules(), 5, showdown=True)
    metrics.hand_ended(table_rules(), 0, showdown=False)
    tier = {"structure": "pot_limit", "stake_tier": "low", "currency": "PoE"}
    assert value(metrics.registry, "croupier_rake_chips_total", **tier) == 5
    for outcome in ("showdown", "no_showdown"):
        counted = {"structure": "pot_limit", "outcome": outcome}
        assert value(metrics.registry, "croupier_hands_total", **counted) == 1


def test_actions_are_counted_by_kind_and_cause() -> None:
    metrics = Metrics()
    for event, cause in (("Folded", "PLAYER"), ("Folded", "TIME_OUT"), ("BetMade", "PLAYER")):
        metrics.acted(event, cause)
        metrics.acted(event, cause)
    for action, cause in (("fold", "player"), ("fold", "time_out"), ("bet", "player")):
        assert value(metrics.registry, "croupier_actions_total", action=action, cause=cause) == 2


def test_rpc_is_counted_by_code_and_timed_by_method() -> None:
    metrics = Metrics()
    metrics.rpc("Act", "OK", 0.002)
    metrics.rpc("Act", "ABORTED", 0.3)
    for code in ("OK", "ABORTED"):
        assert value(metrics.registry, "croupier_rpcs_total", method="Act", code=code) == 1
    assert value(metrics.registry, "croupier_rpc_seconds_bucket", method="Act", le="0.0025") == 1
    assert value(metrics.registry, "croupier_rpc_seconds_count", method="Act") == 2


def test_spans_sizes_and_rejections_are_measured() -> None:
    metrics = Metrics()
    metrics.answered(0.0009)
    metrics.published(0.004)
    metrics.commit(0.02, 12)
    metrics.rejected("OUT_OF_TURN")
    metrics.watcher_cut_off()
    assert value(metrics.registry, "croupier_action_answer_seconds_bucket", le="0.001") == 1
    assert value(metrics.registry, "croupier_action_publish_seconds_bucket", le="0.005") == 1
    assert value(metrics.registry, "croupier_journal_commit_seconds_sum") == 0.02
    assert value(metrics.registry, "croupier_journal_commit_records_sum") == 12
    assert value(metrics.registry, "croupier_rejections_total", reason="OUT_OF_TURN") == 1
    assert value(metrics.registry, "croupier_watchers_cut_off_total") == 1


@pytest.mark.parametrize(
    ("min_bet", "tier"),
    [(2, "micro"), (9, "micro"), (10, "low"), (100, "mid"), (1_000, "high"), (10**9, "high")],
)
def test_stakes_fall_into_one_of_four_tiers(min_bet: int, tier: str) -> None:
    assert labels.stake_tier(min_bet) == tier


def test_nothing_is_labelled_by_table_hand_or_player() -> None:
    names = {name for family in Metrics().registry.collect() for name in getattr(family, "_labelnames", ())}
    assert names.isdisjoint({"table_id", "hand_id", "player_id", "table", "hand", "player"})


@simulated()
async def test_play_at_a_table_is_measured(runtime: SimulatedRuntime) -> None:
    metrics = Metrics()
    table = await SimulatedTable.open(runtime, observer=metrics)
    ledger = gauges(metrics, table)
    await table.sit("anna", 1)
    await table.sit("bert", 2)
    await ledger.check()
    assert value(metrics.registry, "croupier_open_tables") == 1
    assert value(metrics.registry, "croupier_taken_seats") == 2
    assert value(metrics.registry, "croupier_watchers") == 1
    assert value(metrics.registry, "croupier_halted_tables") == 0
    assert value(metrics.registry, "croupier_ledger_imbalance_chips", currency="PoE") == 0
    await table.check_down()
    counted = {"structure": "no_limit", "outcome": "showdown"}
    assert value(metrics.registry, "croupier_hands_total", **counted) == 1
    assert value(metrics.registry, "croupier_action_answer_seconds_count") == 8
    assert (
        value(metrics.registry, "croupier_build_info", version="1", evaluator="native", store="memory") == 1
    )
    assert value(metrics.registry, "croupier_wal_bytes") == 17


def gauges(metrics: Metrics, table: SimulatedTable) -> LedgerCheck:
    ledger = LedgerCheck(table.store)
    Gauges(
        metrics.registry,
        room=table.room,
        ledger=ledger,
        wal_bytes=lambda: 17,
        clock_offset=lambda: 0.0,
        build={"version": "1", "evaluator": "native", "store": "memory"},
    )
    return ledger


async def test_ledger_that_adds_up_is_noted_with_the_time() -> None:
    store = MemoryStore()
    await outcome_of(store, money("d", ("world/deposits", -5), ("wallet/anna", 5)))
    ledger = LedgerCheck(store)
    await ledger.check()
    assert ledger.imbalance == {"POE": 0}
    assert ledger.last_good_time > 0


async def test_ledger_out_of_balance_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()

    async def imbalance() -> dict[str, int]:
        return {"POE": 3, "PoE": 0}

    monkeypatch.setattr(store, "imbalance", imbalance)
    ledger = LedgerCheck(store)
    with capture_logs() as logs:
        await ledger.check()
    assert ledger.last_good_time == 0
    assert logs == [{"event": "ledger_found_out_of_balance", "imbalance": {"POE": 3}, "log_level": "error"}]


async def test_store_that_cannot_be_asked_leaves_the_last_good_check(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()

    async def imbalance() -> dict[str, int]:
        raise OSError("gone")

    monkeypatch.setattr(store, "imbalance", imbalance)
    ledger = LedgerCheck(store)
    with capture_logs() as logs:
        await ledger.check()
    assert logs[0]["event"] == "ledger_check_failed"
    assert ledger.last_good_time == 0


async def test_lag_of_the_event_loop_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_lag, "PERIOD_SECONDS", 0.001)
    registry = CollectorRegistry()
    lag = LoopLag(registry)
    await asyncio.sleep(0.02)
    lag.stop()
    counted = value(registry, "croupier_event_loop_lag_seconds_count")
    assert counted is not None
    assert counted >= 2
    assert lag.last >= 0
