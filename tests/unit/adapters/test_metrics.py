"""What is counted, under which names and labels; nothing names a table, a hand or a player."""

from __future__ import annotations

import asyncio
import re

import pytest
from prometheus_client import CollectorRegistry
from tests.support import houses

from croupier.adapters.metrics import (
    LoopLag,
    Metrics,
    catalogue,
    labels,
    loop_lag,
)
from croupier.engine.rules import Structure
from croupier.engine.table_rules import TableRules
from croupier.room.observer import HandFigures

LABELS = frozenset(
    (
        "action",
        "cause",
        "code",
        "currency",
        "evaluator",
        "house",
        "kind",
        "method",
        "outcome",
        "reason",
        "stake_tier",
        "state",
        "store",
        "structure",
        "version",
    )
)
"""All of them: none names a table, a hand or a player."""


def value(registry: CollectorRegistry, name: str, **wanted: str) -> float | None:
    return registry.get_sample_value(name, wanted)


def table_rules(min_bet: int = 20) -> TableRules:
    return houses.table_rules(Structure.POT_LIMIT, min_bet)


def test_hands_and_rake_are_counted_by_what_they_were_played_for() -> None:
    metrics = Metrics()
    metrics.hand_ended(table_rules(), HandFigures(pot=240, rake=5, showdown=True, seconds=42.0, lag=0.003))
    metrics.hand_ended(table_rules(), HandFigures(pot=30, rake=0, showdown=False, seconds=None, lag=0.003))
    metrics.hand_voided(table_rules())
    house = {"house": "puzzle_pirates"}
    stakes = {**house, "stake_tier": "low", "currency": "PoE"}
    assert value(metrics.registry, "croupier_rake_chips_total", **stakes) == 5
    assert value(metrics.registry, "croupier_pot_chips_sum", **stakes) == 270
    assert value(metrics.registry, "croupier_pot_chips_bucket", **stakes, le="100.0") == 1
    assert value(metrics.registry, "croupier_hand_seconds_bucket", **house, le="50.0") == 1
    assert value(metrics.registry, "croupier_hand_seconds_count", **house) == 1
    assert value(metrics.registry, "croupier_settlement_lag_seconds_bucket", le="0.005") == 2
    for outcome in ("showdown", "no_showdown", "voided"):
        counted = {**house, "structure": "pot_limit", "outcome": outcome}
        assert value(metrics.registry, "croupier_hands_total", **counted) == 1


def test_actions_are_counted_by_kind_and_cause() -> None:
    metrics = Metrics()
    for event, cause in (("Folded", "PLAYER"), ("Folded", "TIME_OUT"), ("BetMade", "PLAYER")):
        metrics.acted(event, cause)
        metrics.acted(event, cause)
    for action, cause in (("fold", "player"), ("fold", "time_out"), ("bet", "player")):
        assert value(metrics.registry, "croupier_actions_total", action=action, cause=cause) == 2
    assert value(metrics.registry, "croupier_actions_total", action="draw", cause="advance") == 0


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


def test_names_and_labels_are_as_the_house_style_has_them() -> None:
    names = [metric.name for metric in catalogue.ALL]
    assert len(names) == len(set(names))
    for metric in catalogue.ALL:
        assert re.fullmatch(r"croupier(_[a-z]+)+", metric.name), metric.name
        assert set(metric.labels) <= LABELS, metric.name
        assert (metric.kind == "histogram") == bool(metric.bounds), metric.name
        assert not metric.name.endswith(("_total", "_ms", "_count", "_sum", "_bucket", "_info")), metric.name


def test_what_callers_wait_for_has_the_bounds_of_the_objectives() -> None:
    """1, 2.5, 5, 10, 25, 50, 100, 250, 1000 ms."""
    milliseconds = [bound * 1000 for bound in catalogue.SECONDS]
    assert milliseconds == [1, 2.5, 5, 10, 25, 50, 100, 250, 1000]
    own = {catalogue.HAND_SECONDS.name, catalogue.TAKEOVER_SECONDS.name}
    for metric in catalogue.ALL:
        if metric.kind == "histogram" and metric.name.endswith("_seconds") and metric.name not in own:
            assert metric.bounds == catalogue.SECONDS, metric.name


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
