"""A store that does not write is counted, logged seldom, and told by /readyz while it lasts."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from croupier.adapters.http import Readiness
from croupier.adapters.metrics import metrics
from croupier.adapters.metrics.metrics import FAILING_SECONDS, Metrics


def test_failed_units_are_counted_each_and_logged_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(metrics, "monotonic", lambda: clock[0])
    measured = Metrics()
    readiness = Readiness(measured.store_failure)
    readiness.reason = ""
    assert not readiness.why_not()
    with capture_logs() as logged:
        measured.failed(3, "disk full")
        measured.failed(2, "disk full")
        assert readiness.why_not() == "disk full"
        clock[0] += FAILING_SECONDS
        assert not readiness.why_not()
        measured.failed(1, "disk still full")
    assert [entry["event"] for entry in logged] == ["units_failed", "units_failed"]
    assert measured.registry.get_sample_value("croupier_failed_units_total") == 6
