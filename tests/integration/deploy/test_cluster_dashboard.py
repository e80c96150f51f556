"""The Cluster dashboard and its alerts, on a Prometheus that scrapes two servers which have taken over from a third."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support import deployed
from tests.support.nodes import Nodes, nodes
from tests.support.prometheus import Prometheus, program, prometheus

QUERIES = deployed.queries(deployed.CLUSTER)
CROUPIER = str(Path(sys.executable).with_name("croupier"))
FEED = ("--feed", "hands")
TABLES = 24
"""So many that each of three servers has some."""
OPEN = 'croupier_tables{state="open"}'
TAKEN = "croupier_takeover_seconds_count"
RAKE = "croupier_ledger_rake_chips"
"""The bots play at one house, so that it is one figure for a currency."""
PAST_ALERTS = 'max_over_time(ALERTS{alertstate="firing"}[5m])'
MOST_SECONDS = 60.0
AT_ANY_SPEED = {
    "CroupierActionLatencyFastBurn",
    "CroupierActionLatencySlowBurn",
    "CroupierLateRenewal",
    "CroupierSlowTakeover",
}
"""Alerts that may fire on a machine which has much else to do."""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """Two servers, and bots that call them in turn, whoever has their table."""
    program("prometheus")
    with nodes(tmp_path_factory.mktemp("nodes"), 2, *FEED, jetstream=True) as running:
        targets = ",".join(server.target for server in running.all)
        load = [CROUPIER, "load", "--target", f"ipv4:{targets}", "--tables", str(TABLES)]
        load += ["--players-per-table", "2", "--seconds", "300", "--callers", "4"]
        bots = subprocess.Popen(load, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield running
        finally:
            bots.kill()
            bots.wait()


def wait_for(what: str, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.25)


@pytest.fixture(scope="module")
def watched(servers: Nodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """A Prometheus that has seen both give tables to a third, and take over from it when that was killed."""
    first, second = servers.all
    targets = [f"127.0.0.1:{server.http_port}" for server in (first, second)]
    with prometheus(tmp_path_factory.mktemp("prometheus"), *targets) as running:
        wait_for("bots play", lambda: first.metric(OPEN) + second.metric(OPEN) == TABLES)
        wait_for("both are scraped", lambda: len(running.query(TAKEN)) == 2)
        third = servers.add(*FEED)
        wait_for("the third has tables", lambda: third.metric(OPEN) > 2)
        third.kill()
        wait_for("taken over", lambda: first.metric(TAKEN) + second.metric(TAKEN) > 0)
        wait_for("both know", lambda: len(running.query('croupier_servers{state="serving"} == 2')) == 2)
        wait_for("all tables have one", lambda: not running.query("croupier_ownerless_tables > 0"))
        running.fill(QUERIES, MOST_SECONDS)
        yield running


@pytest.mark.timeout(240)
def test_no_panel_is_empty_on_servers_that_share_a_store(watched: Prometheus) -> None:
    assert not watched.empty(QUERIES)


@pytest.mark.timeout(240)
def test_the_ledger_that_servers_share_is_told_once(watched: Prometheus) -> None:
    """Each server tells of all of it, so that a sum over servers would be several times what is held."""
    wait_for("both tell of the ledger", lambda: len(watched.query(RAKE)) == 2)
    panels = [query for query in deployed.queries(deployed.MONEY) if RAKE in query.expression]
    assert {query.panel for query in panels} == {"Rake held"}
    for query in panels:
        (more,) = watched.query(f"({query.expression}) - on (currency) max by (currency) ({RAKE})")
        assert more.value == 0, query


@pytest.mark.timeout(240)
def test_what_happens_is_seen_to_happen(watched: Prometheus, servers: Nodes) -> None:
    """Panels that show nothing but 0 would look as full."""
    busy = (
        "croupier_takeover_seconds_count",
        "croupier_handed_over_tables_total",
        "croupier_declared_dead_servers_total",
        "croupier_forwarded_calls_total",
        "croupier_forwarded_call_seconds_sum",
        "croupier_followers",
        "croupier_feed_messages_total",
        "croupier_lease_remaining_seconds",
        "croupier_bus_connected",
    )
    for name in busy:
        assert sum(sample.value for sample in watched.query(name)) > 0, name
    assert all(abs(sample.value) < 0.5 for sample in watched.query("croupier_clock_skew_seconds"))
    assert servers.all[2].process.returncode is not None


@pytest.mark.timeout(240)
def test_watchers_of_other_servers_tables_count_as_watchers(watched: Prometheus) -> None:
    """Each bot watches where it calls, whoever has its table."""
    watchers = watched.query("croupier_watchers")
    assert all(sample.value > 0 for sample in watchers)
    assert sum(sample.value for sample in watchers) >= TABLES


@pytest.mark.timeout(240)
def test_alerts_are_evaluated_on_what_there_is_and_a_server_that_dies_fires_none(watched: Prometheus) -> None:
    """Somebody goes on with its tables before anybody is called."""
    groups = watched.ask("rules")["groups"]
    (rules,) = [group["rules"] for group in groups if group["name"] == "croupier-cluster"]
    assert len(rules) >= 7
    for rule in rules:
        assert rule["health"] == "ok", rule
        for selector in re.findall(r"croupier_[a-z0-9_]+", rule["query"]):
            assert watched.query(selector), f"{rule['name']}: {selector} is not there"
    fired = {sample.labels["alertname"] for sample in watched.query(PAST_ALERTS)}
    assert fired <= AT_ANY_SPEED


@pytest.mark.timeout(240)
def test_what_is_exported_has_no_fault_in_promtools_eyes(watched: Prometheus, servers: Nodes) -> None:
    assert watched.ready()
    command = [program("promtool"), "check", "metrics"]
    page = servers.all[0].page("metrics")
    run = subprocess.run(command, input=page, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
