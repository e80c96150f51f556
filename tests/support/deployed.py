"""What deploy/ asks of Prometheus: the queries of its dashboards, its alerts and where they send whoever is on call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.adapters.metrics import catalogue

DEPLOYED: Final = Path(__file__).parents[2] / "deploy"
DASHBOARDS: Final = sorted((DEPLOYED / "grafana").glob("*.json"))
CLUSTER: Final = DEPLOYED / "grafana" / "cluster.json"
"""The dashboard of servers that share a store: one that is alone does not tell what it shows."""
MONEY: Final = DEPLOYED / "grafana" / "money.json"
ALONE: Final = [path for path in DASHBOARDS if path != CLUSTER]
RULES: Final = DEPLOYED / "prometheus" / "rules.yml"
RULES_TEST: Final = DEPLOYED / "prometheus" / "rules_test.yml"
RUNBOOK: Final = DEPLOYED / "README.md"
PROCESS: Final = frozenset(
    f"process_{name}"
    for name in (
        "cpu_seconds_total",
        "max_fds",
        "open_fds",
        "resident_memory_bytes",
        "start_time_seconds",
        "virtual_memory_bytes",
    )
)
"""What prometheus_client tells of the process."""
_METRIC: Final = re.compile(r"\b(?:croupier|process)_[a-z0-9_]+\b|\bup\b")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_GRAFANA: Final = {"$__rate_interval": "10s", "$instance": ".*"}


class Query(NamedTuple):
    """A query of a dashboard's panel, as Grafana sends it."""

    dashboard: str
    panel: str
    expression: str


def exported() -> set[str]:
    """Every name that a query may use."""
    names = {"up", *PROCESS}
    for metric in catalogue.ALL:
        ends = ("_bucket", "_count", "_sum") if metric.kind == "histogram" else ("",)
        names |= {metric.told_as + end for end in ends}
    return names


def metrics_of(expression: str) -> set[str]:
    """The metrics that an expression names."""
    return set(_METRIC.findall(_STRING.sub('""', expression)))


def queries(path: Path) -> list[Query]:
    """All of one dashboard, of rows that are folded too."""
    dashboard = json.loads(path.read_text())
    found = []
    for panel in _panels(dashboard):
        for target in panel.get("targets", ()):
            expression = target["expr"]
            for variable, value in _GRAFANA.items():
                expression = expression.replace(variable, value)
            found.append(Query(path.stem, panel["title"], expression))
    return found


def others(path: Path) -> list[str]:
    """The expressions of a dashboard outside its panels: of its variables and annotations."""
    dashboard = json.loads(path.read_text())
    variables = [one for one in dashboard["templating"]["list"] if one["type"] == "query"]
    annotations = dashboard["annotations"]["list"]
    return [one["query"]["query"] for one in variables] + [one["expr"] for one in annotations]


def _panels(dashboard: dict[str, Any]) -> list[dict[str, Any]]:
    panels = dashboard["panels"]
    return [*panels, *(inner for panel in panels for inner in panel.get("panels", ()))]


class Alert(NamedTuple):
    """An alert, and the section of the runbook that it names; empty where it names none."""

    name: str
    section: str
    severity: str


def alerts() -> list[Alert]:
    """Those of the rules, in order."""
    _, *parts = re.split(r"^ +- alert: ", RULES.read_text(), flags=re.MULTILINE)
    return [
        Alert(
            part.split("\n", 1)[0],
            _found(r"runbook: deploy/README\.md#(\S+)$", part),
            _found(r"severity: (\S+)$", part),
        )
        for part in parts
    ]


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


def sections() -> set[str]:
    """The anchors of the runbook, as they are made of its headings."""
    headings = re.findall(r"^#+ (.+)$", RUNBOOK.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
