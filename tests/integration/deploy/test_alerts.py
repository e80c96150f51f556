"""The rules that are deployed: sound for Prometheus, each alert shown to fire and to be silent, each in the runbook."""

from __future__ import annotations

import re
import subprocess

import pytest
from tests.support import deployed
from tests.support.deployed import DEPLOYED, Alert
from tests.support.prometheus import program

SEVERITIES = ("page", "ticket")
ASKED_FOR = {
    "CroupierLedgerImbalance",
    "CroupierConservationCheckStale",
    "CroupierStuckHand",
    "CroupierTableHalted",
    "CroupierJournalFailing",
    "CroupierActionLatencyFastBurn",
    "CroupierActionLatencySlowBurn",
    "CroupierSlowConsumers",
    "CroupierOwnerlessTables",
    "CroupierFencedWrites",
    "CroupierSlowTakeover",
    "CroupierLateRenewal",
    "CroupierClockSkew",
    "CroupierBusAway",
    "CroupierBusSplit",
    "CroupierBusUnreadable",
}


def promtool(*arguments: str) -> None:
    """Runs it in deploy/prometheus/; fails with what it says."""
    command = [program("promtool"), *arguments]
    run = subprocess.run(
        command, cwd=DEPLOYED / "prometheus", capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("configuration", ["prometheus.yml", "cluster.yml"])
def test_prometheus_takes_the_configuration_with_its_rules(configuration: str) -> None:
    promtool("check", "config", configuration)


def test_each_alert_fires_when_it_should_and_is_silent_else() -> None:
    promtool("test", "rules", "rules_test.yml")


def test_there_is_an_alert_for_whatever_needs_somebody() -> None:
    assert {alert.name for alert in deployed.alerts()} >= ASKED_FOR


@pytest.mark.parametrize("alert", deployed.alerts(), ids=lambda alert: alert.name)
def test_each_alert_is_tried_and_leads_to_its_section_of_the_runbook(alert: Alert) -> None:
    assert alert.severity in SEVERITIES
    assert alert.section in deployed.sections(), "the runbook has no such section"
    tried = deployed.RULES_TEST.read_text()
    assert re.search(rf"alertname: {alert.name}[,\n]\s*exp_alerts:", tried), "no case in which it fires"
    assert re.search(rf"alertname: {alert.name} }}", tried), "no case in which it is silent"


def test_rules_name_what_the_service_exports() -> None:
    lines = deployed.RULES.read_text().splitlines()
    expressions = "\n".join(
        line for line in lines if not line.strip().startswith(("#", "summary:", "- alert:"))
    )
    named = deployed.metrics_of(expressions)
    assert len(named) >= 8
    assert not named - deployed.exported()
