"""The dashboards and rules that are deployed, beside what the service exports, and on a Prometheus that scrapes one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import deployed
from tests.support.prometheus import Prometheus, program, prometheus
from tests.support.server import ServerProcess

QUERIES = [query for path in deployed.ALONE for query in deployed.queries(path)]
CROUPIER = str(Path(sys.executable).with_name("croupier"))
MOST_SECONDS = 75.0
"""The ledger is checked every half minute, and what it holds is scraped after that."""
AT_ANY_SPEED = {"CroupierActionLatencyFastBurn", "CroupierActionLatencySlowBurn"}
"""Alerts that may fire on a machine which has much else to do."""
SIGNED = {
    "croupier_clock_offset_seconds",
    "croupier_clock_skew_seconds",
    "croupier_ledger_imbalance_chips",
    "croupier_lease_remaining_seconds",
}
OF_A_CLUSTER = "croupier-cluster"
"""The rules of servers that share a store: test_cluster_dashboard.py."""


def test_there_are_the_four_dashboards() -> None:
    titles = [json.loads(path.read_text())["title"] for path in deployed.DASHBOARDS]
    assert titles == ["Croupier / Cluster", "Croupier / Floor", "Croupier / Money", "Croupier / Service"]


@pytest.mark.parametrize("path", deployed.DASHBOARDS, ids=lambda path: path.stem)
def test_every_query_names_what_the_service_exports(path: Path) -> None:
    expressions = [query.expression for query in deployed.queries(path)] + deployed.others(path)
    assert len(expressions) > 10
    for expression in expressions:
        named = deployed.metrics_of(expression)
        assert named, expression
        assert not named - deployed.exported(), expression


@pytest.mark.parametrize("path", deployed.DASHBOARDS, ids=lambda path: path.stem)
def test_what_may_be_below_0_is_drawn_there(path: Path) -> None:
    for panel in json.loads(path.read_text())["panels"]:
        shown = set().union(*(deployed.metrics_of(one["expr"]) for one in panel.get("targets", ())))
        if shown & SIGNED:
            assert "min" not in panel["fieldConfig"]["defaults"], panel["title"]


def test_every_metric_is_on_a_dashboard() -> None:
    all_queries = [query for path in deployed.DASHBOARDS for query in deployed.queries(path)]
    shown = set().union(*(deployed.metrics_of(query.expression) for query in all_queries))
    told = {name for name in deployed.exported() if name.startswith("croupier_")}
    stems = {re.sub(r"_(bucket|count|sum)$", "", name) for name in told}
    assert {re.sub(r"_(bucket|count|sum)$", "", name) for name in shown} >= stems


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots at its tables."""
    program("prometheus")
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    server.start()
    load = [CROUPIER, "load", "--target", server.target, "--tables", "3", "--players-per-table", "4"]
    load += ["--seconds", "300", "--callers", "1", "--probes", "100"]
    bots = subprocess.Popen(load, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield server
    finally:
        bots.kill()
        bots.wait()
        server.kill()


@pytest.fixture(scope="module")
def watched(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """A Prometheus that has scraped that server for so long that everything has been seen twice."""
    directory = tmp_path_factory.mktemp("prometheus")
    with prometheus(directory, f"127.0.0.1:{server.http_port}") as running:
        running.fill(QUERIES, MOST_SECONDS)
        yield running


@pytest.mark.timeout(180)
def test_no_panel_is_empty_on_a_loaded_server(watched: Prometheus) -> None:
    assert not watched.empty(QUERIES)


@pytest.mark.timeout(180)
def test_what_happens_under_load_is_seen_to_happen(watched: Prometheus) -> None:
    """Panels that show nothing but 0 would look as full."""
    busy = (
        "croupier_actions_total",
        "croupier_hands_total",
        "croupier_rake_chips_total",
        "croupier_rejections_total",
        "croupier_pot_chips_sum",
        "croupier_hand_seconds_count",
        "croupier_settlement_lag_seconds_count",
        "croupier_in_play_chips",
        "croupier_ledger_rake_chips",
        "croupier_watchers",
    )
    for name in busy:
        assert sum(sample.value for sample in watched.query(name)) > 0, name


@pytest.mark.timeout(180)
def test_rules_are_evaluated_on_what_there_is_and_no_alert_fires(watched: Prometheus) -> None:
    groups = watched.ask("rules")["groups"]
    assert sum(group["name"] == OF_A_CLUSTER for group in groups) == 1
    rules = [rule for group in groups if group["name"] != OF_A_CLUSTER for rule in group["rules"]]
    assert len(rules) > 10
    for rule in rules:
        assert rule["health"] == "ok", rule
        selected = re.findall(r"\bup\{[^}]*\}|\bcroupier[_:][a-z0-9_:]+(?:\{[^}]*\})?", rule["query"])
        assert selected, rule["query"]
        for selector in selected:
            assert watched.query(selector), f"{rule['name']}: {selector} is not there"
    alerts = {alert["labels"]["alertname"] for alert in watched.ask("alerts")["alerts"]}
    assert alerts <= AT_ANY_SPEED


@pytest.mark.timeout(180)
def test_what_is_exported_has_no_fault_in_promtools_eyes(server: ServerProcess) -> None:
    command = [program("promtool"), "check", "metrics"]
    run = subprocess.run(
        command, input=server.page("metrics"), capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")
